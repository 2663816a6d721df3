#include "conformance/adapter/examine/request_between.h"

#include <cstdint>

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

}  // namespace reshape::conformance
