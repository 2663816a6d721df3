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

}  // namespace reshape::conformance
