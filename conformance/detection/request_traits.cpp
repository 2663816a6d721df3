#include "conformance/detection/request_traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

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

const char* sort_of(ElementType type) {
  if (type == ElementType::boolean) return "booleans";
  if (is_float(type)) return "floats";
  return is_signed_integer(type) ? "signed integers" : "unsigned integers";
}

// Where the last axis that has more than one element leads: the step between its elements.
std::optional<std::int64_t> inner_stride(const Shape& shape,
                                         const std::optional<Strides>& strides) {
  if (!strides) return std::nullopt;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    if (shape.sizes()[axis] > 1) return std::abs((*strides)[axis]);
  }
  return std::nullopt;
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

// A number that a request has, and what its bounds are called.
struct Measure {
  const char* at_least;
  const char* at_most;
  std::optional<std::int64_t> (*of)(const Request&);
};

std::optional<std::int64_t> place_of(const Request& request, std::int64_t value) {
  const auto& values = request.pattern.values;
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) return std::nullopt;
  return found - values.begin();
}

const Measure kMeasures[] = {
    {"data of rank {} or more", "data of rank {} or less",
     [](const Request& request) {
       return std::optional(static_cast<std::int64_t>(request.data.rank()));
     }},
    {"{} pattern values or more", "{} pattern values or fewer",
     [](const Request& request) {
       return std::optional(static_cast<std::int64_t>(request.pattern.values.size()));
     }},
    {"{} elements or more", "{} elements or fewer",
     [](const Request& request) { return element_count(request.data); }},
    {"a largest size of {} or more", "a largest size of {} or less",
     [](const Request& request) {
       const auto sizes = request.data.sizes();
       return sizes.empty() ? std::nullopt
                            : std::optional(*std::max_element(sizes.begin(), sizes.end()));
     }},
    {"a largest pattern value of {} or more", "a largest pattern value of {} or less",
     [](const Request& request) -> std::optional<std::int64_t> {
       const auto& values = request.pattern.values;
       if (values.empty()) return std::nullopt;
       const auto largest = *std::max_element(values.begin(), values.end());
       constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
       return largest > kMost ? kMost : static_cast<std::int64_t>(largest);
     }},
    {"the first -1 at axis {} or behind", "the first -1 at axis {} or before",
     [](const Request& request) { return place_of(request, -1); }},
    {"the first 0 of the pattern at axis {} or behind",
     "the first 0 of the pattern at axis {} or before",
     [](const Request& request) { return place_of(request, 0); }},
    {"an inner stride of {} or more", "an inner stride of {} or less",
     [](const Request& request) { return inner_stride(request.data, request.strides); }},
    {"a last size of {} or more", "a last size of {} or less",
     [](const Request& request) {
       const auto sizes = request.data.sizes();
       return sizes.empty() ? std::nullopt : std::optional(sizes.back());
     }},
    {"{} axes of size 1 or more", "{} axes of size 1 or fewer",
     [](const Request& request) {
       const auto sizes = request.data.sizes();
       return std::optional<std::int64_t>(std::count(sizes.begin(), sizes.end(), 1));
     }},
};

}  // namespace

Ranges::Ranges(const Request& request) {
  for (const Measure& measure : kMeasures) least_.push_back(measure.of(request));
  most_ = least_;
}

void Ranges::widen(const Request& request) {
  for (std::size_t at = 0; at < std::size(kMeasures); ++at) {
    const std::optional<std::int64_t> value = kMeasures[at].of(request);
    if (!value || !least_[at]) {
      least_[at] = most_[at] = std::nullopt;
      continue;
    }
    least_[at] = std::min(*least_[at], *value);
    most_[at] = std::max(*most_[at], *value);
  }
}

std::vector<std::string> Ranges::all() const {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < std::size(kMeasures); ++at) {
    if (!least_[at]) continue;
    words.push_back(fmt::format(fmt::runtime(kMeasures[at].at_least), *least_[at]));
    words.push_back(fmt::format(fmt::runtime(kMeasures[at].at_most), *most_[at]));
  }
  return words;
}

void Ranges::add_held(const Request& request, std::vector<std::string>& traits) const {
  for (std::size_t at = 0; at < std::size(kMeasures); ++at) {
    const std::optional<std::int64_t> value = kMeasures[at].of(request);
    if (!value || !least_[at]) continue;
    if (*value >= *least_[at]) {
      traits.push_back(fmt::format(fmt::runtime(kMeasures[at].at_least), *least_[at]));
    }
    if (*value <= *most_[at]) {
      traits.push_back(fmt::format(fmt::runtime(kMeasures[at].at_most), *most_[at]));
    }
  }
  std::sort(traits.begin(), traits.end());
}

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
  if (request.strides && std::any_of(request.strides->begin(), request.strides->end(),
                                     [](std::int64_t stride) { return stride < 0; })) {
    traits.push_back("a negative stride");
  }
  if (request.strides && std::any_of(request.strides->begin(), request.strides->end(),
                                     [](std::int64_t stride) { return stride == 0; })) {
    traits.push_back("a stride of 0");
  }
  traits.push_back(fmt::format("data of {}", sort_of(request.data_type)));
  traits.push_back(fmt::format("a pattern of {}", sort_of(request.pattern.type)));
  traits.push_back(fmt::format("data of {} bits", bits(request.data_type)));
  const std::size_t wanted = request.pattern.values.size();
  traits.push_back(wanted > request.data.rank()   ? "more pattern values than axes"
                   : wanted < request.data.rank() ? "fewer pattern values than axes"
                                                  : "as many pattern values as axes");
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
