#include "conformance/property/aim.h"

#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {

std::string text(const Aim& aim) {
  switch (aim.kind) {
    case Ruling::Kind::produces: return "produces";
    case Ruling::Kind::rejects: return "rejects " + aim.clause;
    case Ruling::Kind::unspecified: return "unspecified " + aim.clause;
  }
  return {};
}

Aim aim_of(const Ruling& ruling) { return {ruling.kind, ruling.clause}; }

std::vector<Aim> aims_of(const Dialect& dialect) {
  std::vector<Aim> aims = {{Ruling::Kind::produces, {}}};
  const auto rejects = [&aims](const char* clause) {
    aims.push_back({Ruling::Kind::rejects, clause});
  };
  if (dialect.known_data_types() != ElementTypes::all()) rejects("data.type");
  if (!dialect.data_types_unspecified.empty()) {
    aims.push_back({Ruling::Kind::unspecified, "data.type-open"});
  }
  if (dialect.pattern_types != ElementTypes::all()) rejects("pattern.type");
  const bool infers = dialect.minus_one == MinusOne::inferred;
  if (infers) rejects("minus-one.once");
  if (infers) rejects("minus-one.divides");
  if (infers || dialect.pattern_types.contains(ElementType::u64)) rejects("size.representable");
  rejects("volume.kept");
  if (!infers) rejects("pattern.values");
  for (const DialectQuestion& question : dialect_questions()) {
    if (!question.inapplicable(dialect).empty()) continue;
    const DialectAnswer& answer = question.answer(dialect);
    if (answer.form == ClauseForm::kept) continue;
    aims.push_back(
        {answer.form == ClauseForm::open ? Ruling::Kind::unspecified : Ruling::Kind::rejects,
         std::string(answer.clause)});
  }
  return aims;
}

}  // namespace reshape::conformance
