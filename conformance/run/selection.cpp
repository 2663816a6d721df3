#include "conformance/run/selection.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "conformance/text/glob.h"
#include "conformance/text/listed.h"
#include "conformance/text/number.h"
#include "conformance/text/stable_hash.h"

namespace reshape::conformance {
namespace {

using Meets = std::function<bool(const std::string& condition, const Case& one)>;

struct Kind {
  const char* word;
  const std::vector<std::string>& conditions;
  Meets meets;

  bool met_by(const Case& one) const {
    return conditions.empty() || std::ranges::any_of(conditions, [&](const std::string& condition) {
             return meets(condition, one);
           });
  }
};

// Whether the document can have selected cases: it is chosen, and a filter may match its ids, which
// begin with its name; a slash in brackets is no end of it. Avoids building the cases of the other
// documents.
bool is_asked(const Document& document, const Selection& selection) {
  const std::string& name = document.dialect.name;
  const auto fits = [&](const std::string& filter) {
    const std::size_t end = filter.find_first_of("/[");
    return end == std::string::npos || filter[end] == '[' || matches(filter.substr(0, end), name);
  };
  const std::vector<std::string>& dialects = selection.dialects;
  const std::vector<std::string>& filters = selection.filters;
  return (dialects.empty() || std::ranges::find(dialects, name) != dialects.end()) &&
         (filters.empty() || std::ranges::any_of(filters, fits));
}

using Kinds = std::array<Kind, 4>;

Kinds kinds_of(const Selection& selection) {
  return {{
      {"dialect", selection.dialects,
       [](const std::string& dialect, const Case& one) { return one.request.dialect == dialect; }},
      {"filter", selection.filters,
       // What is asked in other types is chosen by the id that it is told by, too.
       [](const std::string& filter, const Case& one) {
         return matches(std::string(written_part(filter)), one.id);
       }},
      {"clause", selection.clauses,
       [](const std::string& clause, const Case& one) {
         return std::ranges::find(one.clauses, clause) != one.clauses.end();
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
        return looked_at && std::ranges::any_of(document.cases, meets);
      };
      if (std::ranges::none_of(suite.documents, has)) {
        return Error{std::string("no case has ") + kind.word + " '" + condition + "'"};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool Shard::holds(const std::string& id) const {
  return stable_hash(id) % static_cast<std::uint64_t>(count) ==
         static_cast<std::uint64_t>(index - 1);
}

Result<Shard> parse_shard(const std::string& text) {
  if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
    const auto index = number_in<int>(std::string_view(text).substr(0, slash));
    const auto count = number_in<int>(std::string_view(text).substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count) return Shard{*index, *count};
  }
  return Error{"a shard is I/N with 1 <= I <= N <= " +
               std::to_string(std::numeric_limits<int>::max()) + ", not '" + text + "'"};
}

std::string known_dialects(const Suite& suite) {
  std::vector<std::string> names;
  for (const Document& document : suite.documents) names.push_back(document.dialect.name);
  return listed(names);
}

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
      if (std::ranges::all_of(kinds, [&](const Kind& kind) { return kind.met_by(one); })) {
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
