#include "conformance/detection/request_traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

void add_pattern(const ShapePattern& pattern, std::vector<std::string>& traits) {
  const auto& values = pattern.values;
  const auto holds = [&](auto condition) {
    return std::any_of(values.begin(), values.end(), condition);
  };
  traits.push_back(fmt::format("a pattern of {}", name(pattern.type)));
  traits.push_back(values.size() == 1
                       ? "a pattern of 1 value"
                       : "a pattern of " + std::to_string(values.size()) + " values");
  traits.push_back(holds([](auto value) { return value == -1; }) ? "a -1 in the pattern"
                                                                 : "no -1 in the pattern");
  traits.push_back(holds([](auto value) { return value == 0; }) ? "a 0 in the pattern"
                                                                : "no 0 in the pattern");
  if (holds([](auto value) { return value < -1; })) traits.push_back("a value below -1");
}

void add_sizes(const Request& request, std::vector<std::string>& traits) {
  std::int64_t largest = 0;
  bool one = false;
  for (const std::int64_t size : request.data.sizes()) {
    largest = std::max(largest, size);
    one |= size == 1;
  }
  if (one) traits.push_back("an axis of size 1");
  for (const int bits : {8, 16, 31, 32}) {
    if (largest >= std::int64_t{1} << bits) {
      traits.push_back(fmt::format("a size of at least 2^{}", bits));
    }
  }
  const std::optional<std::int64_t> count = element_count(request.data);
  for (const int bits : {6, 12, 16, 20, 31, 32}) {
    if (!count || *count >= std::int64_t{1} << bits) {
      traits.push_back(fmt::format("at least 2^{} elements", bits));
    }
  }
}

}  // namespace

std::vector<std::string> traits_of(const Request& request) {
  std::vector<std::string> traits = {fmt::format("dialect {}", request.dialect),
                                     fmt::format("data of {}", name(request.data_type)),
                                     fmt::format("data of rank {}", request.data.rank()),
                                     request.strides ? "strided data" : "dense data",
                                     is_empty(request.data) ? "no elements" : "elements",
                                     request.shape_only ? "only the shape asked" : "bytes asked"};
  if (request.special_zero) {
    traits.push_back(*request.special_zero ? "the flag set" : "the flag not set");
  }
  if (request.out_strides) traits.push_back("a strided output");
  if (request.offset != 0) traits.push_back("data at an offset");
  if (request.out_offset != 0) traits.push_back("an output at an offset");
  if (request.in_place) traits.push_back("in place");
  if (bits(request.data_type) < 8) traits.push_back("data of 4 bits");
  if (request.strides && std::any_of(request.strides->begin(), request.strides->end(),
                                     [](std::int64_t stride) { return stride < 0; })) {
    traits.push_back("a negative stride");
  }
  if (request.strides && std::any_of(request.strides->begin(), request.strides->end(),
                                     [](std::int64_t stride) { return stride == 0; })) {
    traits.push_back("a stride of 0");
  }
  add_pattern(request.pattern, traits);
  add_sizes(request, traits);
  std::sort(traits.begin(), traits.end());
  return traits;
}

std::vector<std::string> common_traits(const std::vector<std::string>& one,
                                       const std::vector<std::string>& other) {
  std::vector<std::string> common;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                        std::back_inserter(common));
  return common;
}

bool has_trait(const std::vector<std::string>& traits, const std::string& trait) {
  return std::binary_search(traits.begin(), traits.end(), trait);
}

bool has_traits(const std::vector<std::string>& traits, const std::vector<std::string>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const std::string& trait) { return has_trait(traits, trait); });
}

}  // namespace reshape::conformance
