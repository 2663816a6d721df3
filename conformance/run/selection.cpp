#include "conformance/run/selection.h"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <functional>

namespace reshape::conformance {
namespace {

// FNV-1a: the same on every machine and in every version, unlike std::hash.
std::uint64_t stable_hash(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  }
  return hash;
}

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

bool any_case(const Suite& suite, const std::function<bool(const Case&)>& meets) {
  return std::any_of(suite.documents.begin(), suite.documents.end(), [&](const Document& document) {
    return std::any_of(document.cases.begin(), document.cases.end(), meets);
  });
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
  return Error{"a shard is I/N with 1 <= I <= N, not '" + text + "'"};
}

std::string known_dialects(const Suite& suite) {
  std::string names;
  for (std::size_t i = 0; i < suite.documents.size(); ++i) {
    if (i != 0) names += i + 1 == suite.documents.size() ? " and " : ", ";
    names += suite.documents[i].dialect.name;
  }
  return names;
}

bool matches(const std::string& pattern, const std::string& id) {
  return fnmatch(pattern.c_str(), id.c_str(), FNM_NOESCAPE) == 0;
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
  const Kind kinds[] = {
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
  };
  for (const Kind& kind : kinds) {
    for (const std::string& condition : kind.conditions) {
      if (!any_case(suite, [&](const Case& one) { return kind.meets(condition, one); })) {
        return Error{std::string("no case has ") + kind.word + " '" + condition + "'"};
      }
    }
  }
  std::vector<const Case*> chosen;
  for (const Document& document : suite.documents) {
    for (const Case& one : document.cases) {
      if (std::all_of(std::begin(kinds), std::end(kinds),
                      [&](const Kind& kind) { return kind.met_by(one); })) {
        chosen.push_back(&one);
      }
    }
  }
  if (chosen.empty()) return Error{"no case meets all the conditions together"};
  return chosen;
}

}  // namespace reshape::conformance
