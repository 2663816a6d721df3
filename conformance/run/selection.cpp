#include "conformance/run/selection.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "conformance/text/listed.h"
#include "conformance/text/stable_hash.h"

namespace reshape::conformance {
namespace {

using Meets = std::function<bool(const std::string& condition, const Case& one)>;

struct Kind {
  const char* word;
  const std::vector<std::string>& conditions;
  Meets meets;

  bool met_by(const Case& one) const {
    return conditions.empty() ||
           std::any_of(conditions.begin(), conditions.end(),
                       [&](const std::string& condition) { return meets(condition, one); });
  }
};

// Whether the document can have selected cases: it is chosen, and a filter may match its ids, which
// begin with its name. Avoids building the cases of the other documents.
bool is_asked(const Document& document, const Selection& selection) {
  const std::string& name = document.dialect.name;
  const auto fits = [&](const std::string& filter) {
    const std::size_t slash = filter.find('/');
    return slash == std::string::npos || matches(filter.substr(0, slash), name);
  };
  const std::vector<std::string>& dialects = selection.dialects;
  const std::vector<std::string>& filters = selection.filters;
  return (dialects.empty() ||
          std::find(dialects.begin(), dialects.end(), name) != dialects.end()) &&
         (filters.empty() || std::any_of(filters.begin(), filters.end(), fits));
}

// The length of the [..] at the start of `text`; 0: it is an ordinary character.
std::size_t bracket_of(std::string_view text) {
  constexpr std::size_t kLongest = 256;
  text = text.substr(0, kLongest);
  std::size_t at = 1;
  if (at < text.size() && (text[at] == '!' || text[at] == '^')) ++at;
  for (bool first = true; at < text.size(); first = false) {
    if (text[at] == ']' && !first) return at + 1;
    // [:alpha:], [.x.] and [=x=] hold brackets of their own.
    const bool is_inner = text[at] == '[' && at + 1 < text.size() &&
                          std::string_view(":.=").find(text[at + 1]) != std::string_view::npos;
    const std::size_t end =
        is_inner ? text.find(std::string{text[at + 1], ']'}, at + 2) : std::string_view::npos;
    at = end == std::string_view::npos ? at + 1 : end + 2;
  }
  return 0;
}

// The part at the start of a glob that fits one character.
std::string_view element_of(std::string_view glob) {
  const std::size_t bracket = glob.starts_with('[') ? bracket_of(glob) : 0;
  return glob.substr(0, std::max<std::size_t>(bracket, 1));
}

bool fits(std::string_view element, char letter) {
  if (element.size() <= 1) return element == "?" || element == std::string_view(&letter, 1);
  const char text[] = {letter, '\0'};
  return fnmatch(std::string(element).c_str(), text, FNM_NOESCAPE) == 0;
}

}  // namespace

bool Shard::holds(const std::string& id) const {
  return stable_hash(id) % static_cast<std::uint64_t>(count) ==
         static_cast<std::uint64_t>(index - 1);
}

Result<Shard> parse_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  if (slash) {
    const auto second = std::from_chars(first.ptr + 1, end, shard.count);
    if (second.ec == std::errc() && second.ptr == end && shard.index >= 1 &&
        shard.index <= shard.count) {
      return shard;
    }
  }
  return Error{"a shard is I/N with 1 <= I <= N <= " +
               std::to_string(std::numeric_limits<int>::max()) + ", not '" + text + "'"};
}

std::string known_dialects(const Suite& suite) {
  std::vector<std::string> names;
  for (const Document& document : suite.documents) names.push_back(document.dialect.name);
  return listed(names);
}

bool matches(const std::string& pattern, const std::string& id) {
  const std::string_view glob = pattern;
  std::size_t at = 0, letter = 0;
  // Behind the last star, and where in the id what it stands for ends. Stars before it need not be
  // tried again, so that the time is bounded by the product of both lengths.
  std::size_t behind_star = 0, end_of_star = 0;
  while (letter < id.size()) {
    if (glob.substr(at).starts_with('*')) {
      behind_star = ++at;
      end_of_star = letter;
      continue;
    }
    const std::string_view element = element_of(glob.substr(at));
    if (fits(element, id[letter])) {
      at += element.size();
      ++letter;
    } else if (behind_star > 0) {
      at = behind_star;
      letter = ++end_of_star;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', at) == std::string_view::npos;
}

namespace {

using Kinds = std::array<Kind, 4>;

Kinds kinds_of(const Selection& selection) {
  return {{
      {"dialect", selection.dialects,
       [](const std::string& dialect, const Case& one) { return one.request.dialect == dialect; }},
      {"filter", selection.filters,
       [](const std::string& filter, const Case& one) { return matches(filter, one.id); }},
      {"clause", selection.clauses,
       [](const std::string& clause, const Case& one) {
         return std::find(one.clauses.begin(), one.clauses.end(), clause) != one.clauses.end();
       }},
      {"type", selection.types,
       [](const std::string& type, const Case& one) {
         return name(one.request.data_type) == type;
       }},
  }};
}

// An error that names the first condition that no case meets.
std::optional<Error> met_by_none(const Suite& suite, const Selection& selection) {
  for (const Kind& kind : kinds_of(selection)) {
    for (const std::string& condition : kind.conditions) {
      const auto meets = [&](const Case& one) { return kind.meets(condition, one); };
      const auto has = [&](const Document& document) {
        const bool looked_at = &kind.conditions == &selection.dialects
                                   ? document.dialect.name == condition
                                   : is_asked(document, selection);
        return looked_at && std::any_of(document.cases.begin(), document.cases.end(), meets);
      };
      if (std::none_of(suite.documents.begin(), suite.documents.end(), has)) {
        return Error{std::string("no case has ") + kind.word + " '" + condition + "'"};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<const Case*>> select(const Suite& suite, const Selection& selection) {
  for (const std::string& dialect : selection.dialects) {
    if (!suite.document(dialect)) {
      return Error{"unknown dialect '" + dialect + "'; the suite has " + known_dialects(suite)};
    }
  }
  for (const std::string& type : selection.types) {
    if (!element_type_named(type)) return Error{"unknown element type '" + type + "'"};
  }
  if (const std::optional<Error> problem = met_by_none(suite, selection)) return *problem;
  std::vector<const Case*> chosen = cases_that_meet(suite, selection);
  if (chosen.empty()) return Error{"no case meets all the conditions together"};
  return chosen;
}

std::vector<const Case*> cases_that_meet(const Suite& suite, const Selection& selection) {
  const Kinds kinds = kinds_of(selection);
  std::vector<const Case*> chosen;
  for (const Document& document : suite.documents) {
    if (!is_asked(document, selection)) continue;
    for (const Case& one : document.cases) {
      if (std::all_of(kinds.begin(), kinds.end(),
                      [&](const Kind& kind) { return kind.met_by(one); })) {
        chosen.push_back(&one);
      }
    }
  }
  return chosen;
}

void ask_once(std::vector<const Case*>& cases) {
  std::map<std::string_view, std::vector<const Case*>> of_name;
  for (const Case* one : cases) {
    if (one->once) of_name[one->name()].push_back(one);
  }
  std::erase_if(cases, [&](const Case* one) {
    if (!one->once) return false;
    const std::vector<const Case*>& asked = of_name[one->name()];
    return asked[stable_hash(one->name()) % asked.size()] != one;
  });
}

}  // namespace reshape::conformance
