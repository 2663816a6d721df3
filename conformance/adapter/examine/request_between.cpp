#include "conformance/adapter/examine/request_between.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace reshape::conformance {

Request request_between(const Request& request) {
  Request other;
  other.dialect = request.dialect;
  other.data_type = request.data_type;
  other.pattern.type = request.pattern.type;
  const std::int64_t size = request.data == Shape{5} ? 3 : 5;  // fits 4 bits
  other.data = Shape{size};
  other.pattern.values = {size};
  other.special_zero = !request.special_zero.value_or(false);
  return other;
}

std::optional<Request> with_other_flag(const Request& request) {
  const std::vector<PatternValue>& values = request.pattern.values;
  if (!request.special_zero || std::ranges::find(values, 0) == values.end()) return std::nullopt;
  Request other = request;
  other.special_zero = !*request.special_zero;
  return other;
}

std::optional<Request> refused_between(const Request& request) {
  const ElementType type = request.pattern.type;
  if (!is_integer(type)) return std::nullopt;
  const int value_bits = bits(type) - (is_signed_integer(type) ? 1 : 0);
  const int each = std::min(value_bits - 1, 62);  // 2^each has room in the type
  if (each < 1) return std::nullopt;
  Request other = request_between(request);
  other.pattern.values.assign(static_cast<std::size_t>(62 / each + 1), PatternValue{1} << each);
  return other;
}

}  // namespace reshape::conformance
