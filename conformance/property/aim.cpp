#include "conformance/property/aim.h"

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
  const auto open = [&aims](const char* clause) {
    aims.push_back({Ruling::Kind::unspecified, clause});
  };
  const auto answered = [&](Answer answer, const char* clause) {
    if (answer == Answer::rejects) rejects(clause);
    if (answer == Answer::unspecified) open(clause);
  };
  const ElementTypes known =
      ElementTypes::from_mask(dialect.data_types.mask() | dialect.data_types_unspecified.mask());
  const bool may_copy = dialect.zero != ZeroRule::literal;
  const bool may_be_plain = dialect.zero != ZeroRule::copies;

  if (known != ElementTypes::all()) rejects("data.type");
  if (!dialect.data_types_unspecified.empty()) open("data.type-open");
  if (dialect.zero == ZeroRule::by_flag && dialect.flag_missing == MissingFlag::rejects) {
    rejects("special-zero.required");
  }
  if (dialect.pattern_given_as == PatternSource::tensor) {
    if (dialect.pattern_types != ElementTypes::all()) rejects("pattern.type");
    answered(dialect.pattern_not_one_dimensional, "pattern.one-dimensional");
  }
  rejects("pattern.values");
  rejects("minus-one.once");
  if (may_copy && dialect.zero_past_rank == ZeroPastRank::rejects) rejects("zero.past-rank");
  rejects("size.representable");
  if (may_be_plain) {
    if (dialect.literal_zero_with_minus_one == LiteralZeroWithMinusOne::rejects) {
      rejects("zero.with-minus-one");
    } else {
      open("zero.with-minus-one");
    }
  }
  if (may_copy) answered(dialect.minus_one_beside_copied_zero, "minus-one.beside-copied-zero");
  rejects("minus-one.divides");
  rejects("volume.kept");
  answered(dialect.volume_beyond_int64, "volume.beyond-int64");
  answered(dialect.empty_pattern, "pattern.empty");
  answered(dialect.scalar_data, "data.scalar");
  return aims;
}

}  // namespace reshape::conformance
