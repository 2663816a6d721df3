#include "conformance/self/overlook.h"

#include <algorithm>
#include <limits>

namespace reshape::conformance::self {
namespace {

// The answer to the request as it is after a change of it.
Misreading asked_again(Asked& changed) {
  reshape_message unread;
  const RightAnswer now = right_answer(*changed.request(), &unread);
  return now.produces() ? Misreading::of(now.sizes) : Misreading::refusal();
}

// Where the right answer is a refusal for `clause`: that of the request after change(asked).
template <typename Change>
Misreading instead_of(std::string_view clause, const Asked& asked, const RightAnswer& right,
                      Change change) {
  if (!right.refused_for(clause)) return Misreading::none();
  Asked changed(asked.original());
  change(changed);
  return asked_again(changed);
}

}  // namespace

Misreading remainder_overlooked(const Asked& asked, const RightAnswer& right) {
  if (!right.refused_for("minus-one.divides")) return Misreading::none();
  const auto plain = division(asked, right);
  if (!plain) return Misreading::none();
  const auto count = product_in<std::int64_t>(sizes_of(asked.data));
  const auto known = product_in<std::int64_t>(plain->sizes);
  return known > 0 ? Misreading::of(plain->with(count / known)) : Misreading::none();
}

Misreading second_minus_one_overlooked(const Asked& asked, const RightAnswer& right) {
  return instead_of("minus-one.once", asked, right, [](Asked& changed) {
    auto first = std::find(changed.pattern.begin(), changed.pattern.end(), -1);
    std::replace(first + 1, changed.pattern.end(), PatternValue{-1}, PatternValue{1});
  });
}

Misreading negative_overlooked(const Asked& asked, const RightAnswer& right) {
  return instead_of("pattern.values", asked, right, [](Asked& changed) {
    std::replace_if(
        changed.pattern.begin(), changed.pattern.end(),
        [](PatternValue value) { return value < -1; }, PatternValue{1});
  });
}

Misreading past_rank_overlooked(const Asked& asked, const RightAnswer& right) {
  return instead_of("zero.past-rank", asked, right, [](Asked& changed) {
    for (std::size_t at = changed.data.rank(); at < changed.pattern.size(); ++at) {
      if (changed.pattern[at] == 0) changed.pattern[at] = 1;
    }
  });
}

Misreading volume_overlooked(const Asked& asked, const RightAnswer& right) {
  if (!right.refused_for("volume.kept")) return Misreading::none();
  const auto plain = plain_pattern(asked);
  if (!plain || plain->minus_one) return Misreading::none();
  return Misreading::of(plain->sizes);
}

Misreading large_size_overlooked(const Asked& asked, const RightAnswer& right) {
  if (!right.refused_for("size.representable") || asked.minus_ones() > 0) return Misreading::none();
  Sizes sizes;
  for (const PatternValue value : asked.with_zeros_copied()) {
    sizes.push_back(static_cast<std::int64_t>(
        std::min<PatternValue>(value, std::numeric_limits<std::int64_t>::max())));
  }
  return is_empty(Shape(sizes)) == is_empty(asked.data) ? Misreading::of(std::move(sizes))
                                                        : Misreading::none();
}

Misreading form_overlooked(const Asked& asked, const RightAnswer& right) {
  if (!right.refused_for("pattern.one-dimensional")) return Misreading::none();
  Asked changed(asked.original());
  // A pattern of another length is asked as a list; a last size of 1 changes no volume.
  changed.pattern.push_back(1);
  const Misreading longer = asked_again(changed);
  if (longer.is_refusal()) return longer;
  return Misreading::of(Sizes(longer.sizes().begin(), longer.sizes().end() - 1));
}

Misreading missing_flag_overlooked(const Asked& asked, const RightAnswer& right) {
  return instead_of("special-zero.required", asked, right,
                    [](Asked& changed) { changed.special_zero = RESHAPE_FLAG_FALSE; });
}

Misreading flag_overlooked(const Asked& asked, const RightAnswer&) {
  if (asked.special_zero == RESHAPE_FLAG_MISSING) return Misreading::none();
  Asked changed(asked.original());
  changed.special_zero = asked.flag() ? RESHAPE_FLAG_FALSE : RESHAPE_FLAG_TRUE;
  return asked_again(changed);
}

Misreading emptiness_overlooked(const Asked& asked, const RightAnswer& right) {
  return right.produces() && is_empty(asked.data) ? Misreading::refusal() : Misreading::none();
}

Misreading plain_refusal(const Asked&, const RightAnswer& right) {
  return right.produces() ? Misreading::refusal() : Misreading::none();
}

}  // namespace reshape::conformance::self
