#include "conformance/self/kept.h"

namespace reshape::conformance::self {
namespace {

template <typename T>
std::string bytes_of_values(const T* values, std::size_t count) {
  return count == 0 ? "" : std::string(reinterpret_cast<const char*>(values), count * sizeof(T));
}

}  // namespace

std::string key_of(const Shape& shape) {
  return bytes_of_values(shape.sizes().data(), shape.rank()) + "/";
}
std::string key_of_pattern(const Asked& asked) {
  return bytes_of_values(asked.pattern.data(), asked.pattern.size()) + key_of(asked.pattern_shape);
}
std::string key_of_types(const Asked& asked) {
  return std::to_string(static_cast<int>(asked.data_type)) + "," +
         std::to_string(static_cast<int>(asked.pattern_type)) + ",";
}
std::string key_of_rest(const Asked& asked) {
  return asked.dialect + std::to_string(asked.special_zero) + "/";
}
std::string key_of_all_but_sizes(const Asked& asked) {
  return key_of(asked.pattern_shape) + key_of_types(asked) + key_of_rest(asked);
}

}  // namespace reshape::conformance::self
