#include "conformance/spec/express_case.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "conformance/text/glob.h"
#include "conformance/text/line.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {
namespace {

bool rejects(const Ruling& ruling, std::string_view clause) {
  return ruling.kind == Ruling::Kind::rejects && ruling.clause == clause;
}

bool takes_data_type(const Dialect& dialect, ElementType type, const Ruling& expect) {
  const bool open = dialect.data_types_unspecified.contains(type);
  if (rejects(expect, "data.type")) return !open && !dialect.data_types.contains(type);
  if (expect.kind == Ruling::Kind::unspecified && expect.clause == "data.type-open") return open;
  if (expect.kind == Ruling::Kind::rejects && open) return true;
  return dialect.data_types.contains(type);
}

// Sets the pattern's type where it is the dialect's; false where the dialect has none that serves.
bool settle_pattern_type(const WrittenCase& written, const Dialect& dialect, const Ruling& expect,
                         ShapePattern& pattern) {
  const ElementTypes types = dialect.pattern_types;
  if (written.type_of_the_dialect) {
    if (types.empty()) return false;
    pattern.type = dialect.usual_pattern_type();
    return is_integer(pattern.type) && holds(pattern.type, pattern);
  }
  if (rejects(expect, "pattern.type")) return !types.contains(pattern.type);
  // These are refused before the pattern's type is looked at.
  return rejects(expect, "data.type") || rejects(expect, "special-zero.required") ||
         types.contains(pattern.type);
}

bool settle_flag(const Dialect& dialect, Request& request) {
  if (dialect.zero == ZeroRule::by_flag || !request.special_zero) return true;
  const std::vector<PatternValue>& values = request.pattern.values;
  const bool matters = std::ranges::find(values, 0) != values.end();
  const bool copies = dialect.zero == ZeroRule::copies;
  if (matters && *request.special_zero != copies) return false;
  request.special_zero.reset();
  return true;
}

// Whether the request is refused for something that is checked before a -1.
bool refused_before_minus_one(const Ruling& expect) {
  constexpr std::string_view kBefore[] = {"data.type",      "special-zero.required",
                                          "pattern.type",   "pattern.one-dimensional",
                                          "pattern.values", "minus-one.not-a-value"};
  return expect.kind == Ruling::Kind::rejects &&
         std::ranges::find(kBefore, expect.clause) != std::end(kBefore);
}

bool expressible(const WrittenCase& written, const Dialect& dialect, const Ruling& expect,
                 Request& request) {
  const bool has_minus_one =
      std::ranges::find(request.pattern.values, PatternValue{-1}) != request.pattern.values.end();
  if (has_minus_one && dialect.minus_one == MinusOne::rejects &&
      !refused_before_minus_one(expect)) {
    return false;
  }
  if (request.pattern.tensor_shape && dialect.pattern_given_as == PatternSource::attribute) {
    return false;
  }
  return takes_data_type(dialect, request.data_type, expect) &&
         settle_pattern_type(written, dialect, expect, request.pattern) &&
         settle_flag(dialect, request);
}

const Ruling& answer_of(const WrittenCase& written, const Dialect& dialect) {
  if (written.otherwise != nullptr) {
    for (const auto& [who, ruling] : *written.otherwise) {
      if (who.find('=') != std::string::npos ? meets(dialect, who) : matches(who, dialect.name)) {
        return ruling;
      }
    }
  }
  return written.expect;
}

// Whether the document's clause allows the answer: it can be broken, or it is silent.
bool bears(const Document& document, const Ruling& expect) {
  if (expect.kind == Ruling::Kind::produces) return true;
  const Clause* clause = document.clause(expect.clause);
  if (clause == nullptr) return false;
  return expect.kind == Ruling::Kind::rejects ? clause->breakable : clause->level == Level::silent;
}

// The document's clauses that the case bears on: those it is filed under, and the one of its
// answer.
std::vector<std::string> clauses_of(const WrittenCase& written, const Document& document,
                                    const Ruling& expect) {
  std::vector<std::string> clauses;
  for (const std::string& id : *written.clauses) {
    if (document.clause(id) != nullptr) clauses.push_back(id);
  }
  if (expect.kind != Ruling::Kind::produces &&
      std::ranges::find(clauses, expect.clause) == clauses.end()) {
    clauses.push_back(expect.clause);
  }
  return clauses;
}

// A case that names no source comes from the clause that its answer names, or from its first one.
Source source_of(const WrittenCase& written, const Document& document, const Case& one) {
  if (written.source.rfind("https://", 0) == 0) return {"public issue", "", written.source};
  if (!written.source.empty()) {
    const std::size_t comma = written.source.find(", ");
    const bool own = written.source.substr(0, comma) == document.dialect.name;
    if (own) return {"published example", written.source.substr(comma + 2), ""};
    return {"derived", written.source, ""};
  }
  const bool produces = one.expect.kind == Ruling::Kind::produces;
  const Clause* clause = document.clause(produces ? one.clauses.front() : one.expect.clause);
  const bool derived = clause->level == Level::derived || clause->level == Level::silent;
  return {derived ? "derived" : "document", clause->section, ""};
}

// Whether two cases ask the same, whatever the document.
bool same_text(const WrittenCase& one, const WrittenCase& other) {
  return one.request == other.request && one.type_of_the_dialect == other.type_of_the_dialect;
}

}  // namespace

std::optional<Case> express(const WrittenCase& written, const Document& document) {
  const Dialect& dialect = document.dialect;
  if (!written.request.dialect.empty() && written.request.dialect != dialect.name) {
    return std::nullopt;
  }
  const Ruling& expect = answer_of(written, dialect);
  if (!bears(document, expect)) return std::nullopt;
  Case one;
  one.clauses = clauses_of(written, document, expect);
  if (one.clauses.empty()) return std::nullopt;
  one.request = written.request;
  if (!expressible(written, dialect, expect, one.request)) return std::nullopt;
  one.request.dialect = dialect.name;
  one.id = dialect.name + '/' + written.name;
  one.expect = expect;
  if (one.request.elements && expect.kind == Ruling::Kind::produces) {
    one.expect_elements = one.request.elements;
  }
  one.source = source_of(written, document, one);
  one.once = written.once;
  one.file = written.file;
  one.line = written.line;
  return one;
}

std::vector<Case> cases_of(std::span<const WrittenCase> written, const Document& document,
                           const WrittenTwice& twice) {
  std::vector<Case> cases;
  std::map<std::string, const WrittenCase*> asked;
  for (const WrittenCase& one : written) {
    std::optional<Case> expressed = express(one, document);
    if (!expressed) continue;
    const auto [first, fresh] = asked.emplace(print_line(expressed->request), &one);
    if (fresh) {
      cases.push_back(*std::move(expressed));
    } else if (twice && (!one.request.dialect.empty() || same_text(one, *first->second))) {
      twice(one, *first->second);
    }
  }
  return cases;
}

}  // namespace reshape::conformance
