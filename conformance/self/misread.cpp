#include "conformance/self/misread.h"

#include <algorithm>

namespace reshape::conformance::self {

RightAnswer right_answer(const reshape_request& request, reshape_message* why) {
  // Longer than the pattern no output is, but a capacity of 0 would leave no array.
  Sizes sizes(static_cast<std::size_t>(element_count(shape_of(*request.pattern)).value_or(0) + 1));
  reshape_shape shape{static_cast<std::int32_t>(sizes.size()), 0, sizes.data()};
  RightAnswer right_one;
  right_one.status = right().infer_shape(&request, &shape, why);
  if (right_one.status == RESHAPE_OK) {
    sizes.resize(static_cast<std::size_t>(shape.rank));
    right_one.sizes = std::move(sizes);
  } else if (right_one.status == RESHAPE_REJECTED) {
    const std::string_view message = why->text;
    right_one.clause = message.substr(0, message.find(':'));
  }
  return right_one;
}

reshape_status answer_inference(const RightAnswer& right, const Misreading& instead,
                                reshape_shape* shape, reshape_message* why) {
  if (instead.is_refusal()) return answer(RESHAPE_REJECTED, "refused by a mistake", why);
  if (!instead.is_none()) return write_shape(instead.sizes(), shape, why);
  return right.produces() ? write_shape(right.sizes, shape, why) : right.status;
}

reshape_status answer_execution(const reshape_request& request, const Misreading& instead,
                                DLTensor* output, reshape_message* why) {
  if (instead.is_none()) return right().execute(&request, output, why);
  if (instead.is_refusal()) return answer(RESHAPE_REJECTED, "refused by a mistake", why);
  const Shape wanted = shape_of(*output);
  const bool fits =
      std::equal(wanted.begin(), wanted.end(), instead.sizes().begin(), instead.sizes().end()) &&
      request.data->dtype.code == output->dtype.code &&
      request.data->dtype.bits == output->dtype.bits;
  if (!fits) return answer(RESHAPE_REJECTED, "output.shape: another one", why);
  return copy_what_fits(*request.data, *output);
}

Sizes PlainPattern::with(std::int64_t inferred) const {
  Sizes all = sizes;
  if (minus_one) all[*minus_one] = inferred;
  return all;
}

std::optional<PlainPattern> plain_pattern(const Asked& asked) {
  PlainPattern plain;
  for (const PatternValue value : asked.with_zeros_copied()) {
    if (value < -1 || value > INT64_MAX) return std::nullopt;
    if (value == -1) {
      if (plain.minus_one) return std::nullopt;
      plain.minus_one = plain.sizes.size();
    }
    plain.sizes.push_back(value == -1 ? 1 : static_cast<std::int64_t>(value));
  }
  return plain;
}

Sizes sizes_of(const Shape& shape) { return Sizes(shape.begin(), shape.end()); }

std::optional<PlainPattern> division(const Asked& asked, const RightAnswer& right) {
  if (!right.produces() && !right.refused_for("minus-one.divides")) return std::nullopt;
  if (is_empty(asked.data)) return std::nullopt;
  auto plain = plain_pattern(asked);
  if (!plain || !plain->minus_one || is_empty(Shape(plain->sizes))) return std::nullopt;
  return plain;
}

}  // namespace reshape::conformance::self
