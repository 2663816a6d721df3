#include "conformance/detection/request_traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>

#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/layout.h"
#include "reference/tensor/zero_copies.h"

namespace reshape::conformance {
namespace {

void add_pattern(const ShapePattern& pattern, std::vector<std::string>& traits) {
  const auto& values = pattern.values;
  const auto holds = [&](auto condition) {
    return std::any_of(values.begin(), values.end(), condition);
  };
  traits.push_back(fmt::format("a pattern of {}", name(pattern.type)));
  traits.push_back(holds([](auto value) { return value == -1; }) ? "a -1 in the pattern"
                                                                 : "no -1 in the pattern");
  traits.push_back(holds([](auto value) { return value == 0; }) ? "a 0 in the pattern"
                                                                : "no 0 in the pattern");
  if (holds([](auto value) { return value < -1; })) traits.push_back("a value below -1");
  if (holds([](auto value) { return value > std::numeric_limits<std::int64_t>::max(); })) {
    traits.push_back("a pattern value above 2^63-1");
  }
  const auto first = std::find(values.begin(), values.end(), -1);
  const auto zero = std::find(values.begin(), values.end(), 0);
  if (first != values.end() && zero != values.end()) {
    if (zero < first) traits.push_back("a 0 before the -1");
    if (std::find(first, values.end(), 0) != values.end()) traits.push_back("a 0 behind the -1");
  }
  if (std::count(values.begin(), values.end(), -1) > 1) {
    const bool side_by_side =
        std::adjacent_find(values.begin(), values.end(), [](auto one, auto other) {
          return one == -1 && other == -1;
        }) != values.end();
    traits.push_back(side_by_side ? "two -1 side by side" : "two -1 apart from each other");
  }
}

const char* sort_of(ElementType type) {
  if (type == ElementType::boolean) return "booleans";
  if (is_float(type)) return "floats";
  return is_signed_integer(type) ? "signed integers" : "unsigned integers";
}

bool zero_copies(const Request& request) {
  const Dialect* dialect = declared_dialect(request.dialect);
  return dialect != nullptr && reshape::zero_copies(*dialect, request.special_zero);
}

// The shape of the output; nothing where the pattern gives none, or no element.
std::optional<Shape> output_shape(const Request& request) {
  const auto& values = request.pattern.values;
  std::vector<std::int64_t> sizes;
  std::int64_t known = 1;
  std::optional<std::size_t> inferred;
  const bool copies = zero_copies(request);
  for (std::size_t axis = 0; axis < values.size(); ++axis) {
    const bool copied = values[axis] == 0 && copies;
    if (values[axis] == -1) inferred = axis;
    if (copied && axis >= request.data.rank()) return std::nullopt;
    sizes.push_back(values[axis] == -1 ? 1
                    : copied           ? request.data.sizes()[axis]
                                       : static_cast<std::int64_t>(values[axis]));
    if (sizes.back() <= 0 || __builtin_mul_overflow(known, sizes.back(), &known)) {
      return std::nullopt;
    }
  }
  const std::optional<std::int64_t> count = element_count(request.data);
  if (!count || *count == 0 || *count % known != 0) return std::nullopt;
  if (inferred) sizes[*inferred] = *count / known;
  return Shape(std::move(sizes));
}

// Its strides, written out. Nothing as above, or where they are not those of its axes.
std::optional<Layout> output_layout(const Request& request) {
  const std::optional<Shape> shape = output_shape(request);
  if (!shape) return std::nullopt;
  const std::optional<Strides> strides =
      request.out_strides ? request.out_strides : row_major_strides(*shape);
  if (!strides || strides->size() != shape->rank()) return std::nullopt;
  return Layout{*shape, *strides, 0};
}

std::optional<Layout> input_layout(const Request& request) {
  if (is_empty(request.data)) return std::nullopt;
  const std::optional<Strides> strides =
      request.strides ? request.strides : row_major_strides(request.data);
  if (!strides || strides->size() != request.data.rank()) return std::nullopt;
  return Layout{request.data, *strides, 0};
}

// Where the last axis that has more than one element leads: the step between its elements.
std::optional<std::int64_t> inner_stride(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  for (std::size_t axis = layout->shape.rank(); axis-- > 0;) {
    if (layout->shape.sizes()[axis] > 1) return std::abs(layout->strides[axis]);
  }
  return std::nullopt;
}

std::int64_t at_most_63_bits(__int128 number) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  return number > kMost ? kMost : static_cast<std::int64_t>(number);
}

// Elements from the lowest to the highest one, those of gaps included.
__int128 elements_reached(const Layout& layout) {
  const WideRange range = reach_of(layout);
  return range.last - range.first + 1;
}

std::optional<std::int64_t> reach_in_elements(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  return at_most_63_bits(elements_reached(*layout));
}

// The same in bytes.
std::optional<std::int64_t> span_of(const std::optional<Layout>& layout, ElementType type) {
  if (!layout) return std::nullopt;
  return at_most_63_bits((elements_reached(*layout) * bits(type) + 7) / 8);
}

// Axes of more than one element that are left where those that lie as one are one.
std::optional<std::int64_t> collapsed(const std::optional<Layout>& layout) {
  if (!layout) return std::nullopt;
  std::int64_t axes = 0;
  __int128 outer = 0;  // the stride of the next axis outwards that lies as one with what follows
  for (std::size_t axis = layout->shape.rank(); axis-- > 0;) {
    const std::int64_t size = layout->shape.sizes()[axis];
    if (size == 1) continue;
    if (axes == 0 || layout->strides[axis] != outer) ++axes;
    outer = static_cast<__int128>(layout->strides[axis]) * size;
  }
  return axes;
}

// The innermost axis of more than one element where axes that lie as one are one: how many elements follow one
// another in even steps.
std::int64_t inner_run(const Layout& layout) {
  std::int64_t run = 1;
  __int128 outer = 0;
  for (std::size_t axis = layout.shape.rank(); axis-- > 0;) {
    const std::int64_t size = layout.shape.sizes()[axis];
    if (size == 1) continue;
    if (run != 1 && layout.strides[axis] != outer) break;
    run *= size;
    outer = static_cast<__int128>(layout.strides[axis]) * size;
  }
  return run;
}

// Elements of a row: those that follow one another in even steps on both sides.
std::optional<std::int64_t> row_length(const Request& request) {
  const std::optional<Layout> in = input_layout(request), out = output_layout(request);
  if (!in || !out) return std::nullopt;
  return std::gcd(inner_run(*in), inner_run(*out));
}

// The axes that have more than one element.
Layout without_ones(const Layout& layout) {
  std::vector<std::int64_t> sizes;
  Strides strides;
  for (std::size_t axis = 0; axis < layout.shape.rank(); ++axis) {
    if (layout.shape.sizes()[axis] == 1) continue;
    sizes.push_back(layout.shape.sizes()[axis]);
    strides.push_back(layout.strides[axis]);
  }
  return {Shape(std::move(sizes)), std::move(strides), 0};
}

// What can be said of strides that were written out, on whichever side.
void add_strides(const Layout& written, std::vector<std::string>& traits) {
  const Layout layout = without_ones(written);
  const std::size_t rank = layout.shape.rank();
  traits.push_back("strides on either side");
  if (std::any_of(layout.strides.begin(), layout.strides.end(), [](auto one) { return one < 0; })) {
    traits.push_back("a negative stride on either side");
  }
  if (rank == 0) return;
  if (layout.strides.back() < 0) traits.push_back("a negative inner stride on either side");
  if (std::abs(layout.strides.back()) != 1) traits.push_back("elements apart on either side");
  for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
    const auto next = static_cast<__int128>(layout.strides[axis + 1]);
    const bool as_one = layout.strides[axis] == next * layout.shape.sizes()[axis + 1];
    if (as_one) traits.push_back("strided axes that lie as one");
    if (!as_one && layout.strides[axis] == next * layout.shape.sizes()[axis]) {
      traits.push_back("an axis whose stride is its own size times the next stride");
    }
  }
}

// What blocks of a kernel leave over.
void add_residues(const char* what, std::int64_t count, std::vector<std::string>& traits) {
  for (const int block : {2, 4, 8, 16, 32, 64}) {
    const std::int64_t rest = count % block;
    traits.push_back(
        fmt::format("{} that is {} multiple of {}", what, rest == 0 ? "a" : "no", block));
    if (rest != 0 && block > 2 && block <= 16) {
      traits.push_back(fmt::format("{} that is {} more than a multiple of {}", what, rest, block));
    }
  }
}

// How many elements the pattern asks for, beside those that there are.
void add_volume(const Request& request, std::vector<std::string>& traits) {
  const std::optional<std::int64_t> count = element_count(request.data);
  if (!count) return;
  const bool copies = zero_copies(request);
  bool inferred = false, none = false;
  constexpr __int128 kMost = static_cast<__int128>(1) << 63;  // and more
  __int128 known = 1;
  for (std::size_t axis = 0; axis < request.pattern.values.size(); ++axis) {
    __int128 value = request.pattern.values[axis];
    if (value == 0 && copies) {
      if (axis >= request.data.rank()) return;
      value = request.data.sizes()[axis];
    }
    inferred |= value == -1;
    none |= value == 0;
    if (value > 0) known = std::min(known * std::min<__int128>(value, INT64_MAX), kMost);
  }
  if (none) known = 0;
  const std::string what = inferred ? "known sizes that multiply to " : "sizes that multiply to ";
  traits.push_back(what + (known > *count   ? "more than the data has"
                           : known < *count ? "less than the data has"
                                            : "as much as the data has"));
  if (none) traits.push_back("a size of 0 asked for");
  for (const int bits : {31, 32, 63}) {
    const bool held = known < static_cast<__int128>(1) << bits;
    traits.push_back(fmt::format("pattern values that multiply to {} 2^{}",
                                 held ? "less than" : "at least", bits));
  }
}

// Sizes of which one is 0 leave no elements, whatever the others multiply to.
bool has_zero_beside_many(std::span<const std::int64_t> sizes) {
  __int128 others = 1;
  for (const std::int64_t size : sizes) {
    if (size > 0 && others <= INT64_MAX) others *= size;
  }
  return others > INT64_MAX && std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
}

void add_zero_beside_many(const Request& request, std::vector<std::string>& traits) {
  std::vector<std::int64_t> asked;
  for (const PatternValue value : request.pattern.values) {
    asked.push_back(value > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(value));
  }
  if (has_zero_beside_many(asked) || has_zero_beside_many(request.data.sizes())) {
    traits.push_back("a size of 0 beside sizes that multiply to at least 2^63");
  }
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
  add_volume(request, traits);
  add_zero_beside_many(request, traits);
  if (count && *count > 0) {
    add_residues("a number of elements", *count, traits);
    if (*count < INT64_MAX / 64) {
      add_residues("a number of bytes", bytes_for(request.data_type, *count), traits);
    }
    if (request.data.rank() > 1) add_residues("a last size", request.data.sizes().back(), traits);
    const std::optional<std::int64_t> row = row_length(request);
    if (row) add_residues("a row", *row, traits);
  }
  const std::optional<Shape> output = output_shape(request);
  if (output && std::find(output->begin(), output->end(), 1) != output->end()) {
    traits.push_back("an axis of size 1 of the output");
  }
}

// A number that a request has, and what its bounds are called.
struct Measure {
  const char* at_least;
  const char* at_most;
  const char* exactly;
  std::optional<std::int64_t> (*of)(const Request&);
};

std::optional<std::int64_t> place_of(const Request& request, std::int64_t value) {
  const auto& values = request.pattern.values;
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) return std::nullopt;
  return found - values.begin();
}

std::optional<std::int64_t> whole(const ShapePattern& pattern, bool largest) {
  if (pattern.values.empty()) return std::nullopt;
  const auto [low, high] = std::minmax_element(pattern.values.begin(), pattern.values.end());
  const auto value = largest ? *high : *low;
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  // What 64 bits with a sign do not hold has a trait of its own.
  if (value > kMost) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

const Measure kMeasures[] = {
    {"data of rank {} or more", "data of rank {} or less", "data of rank {}",
     [](const Request& request) {
       return std::optional(static_cast<std::int64_t>(request.data.rank()));
     }},
    {"{} pattern values or more", "{} pattern values or fewer", "{} pattern values",
     [](const Request& request) {
       return std::optional(static_cast<std::int64_t>(request.pattern.values.size()));
     }},
    {"{} elements or more", "{} elements or fewer", "{} elements",
     [](const Request& request) { return element_count(request.data); }},
    {"elements of {} bits or more", "elements of {} bits or fewer", "elements of {} bits",
     [](const Request& request) -> std::optional<std::int64_t> { return bits(request.data_type); }},
    {"a largest size of {} or more", "a largest size of {} or less", "a largest size of {}",
     [](const Request& request) {
       const auto sizes = request.data.sizes();
       return sizes.empty() ? std::nullopt
                            : std::optional(*std::max_element(sizes.begin(), sizes.end()));
     }},
    {"a largest pattern value of {} or more", "a largest pattern value of {} or less",
     "a largest pattern value of {}",
     [](const Request& request) { return whole(request.pattern, true); }},
    {"a pattern type of {} bits or more", "a pattern type of {} bits or fewer",
     "a pattern type of {} bits",
     [](const Request& request) -> std::optional<std::int64_t> {
       return bits(request.pattern.type);
     }},
    {"no pattern value below {}", "a pattern value of {} or less", "a smallest pattern value of {}",
     [](const Request& request) { return whole(request.pattern, false); }},
    {"the first -1 at axis {} or behind", "the first -1 at axis {} or before",
     "the first -1 at axis {}", [](const Request& request) { return place_of(request, -1); }},
    {"the first 0 of the pattern at axis {} or behind",
     "the first 0 of the pattern at axis {} or before", "the first 0 of the pattern at axis {}",
     [](const Request& request) { return place_of(request, 0); }},
    {"an inner stride of {} or more", "an inner stride of {} or less", "an inner stride of {}",
     [](const Request& request) { return inner_stride(input_layout(request)); }},
    {"an inner stride of the output of {} or more", "an inner stride of the output of {} or less",
     "an inner stride of the output of {}",
     [](const Request& request) { return inner_stride(output_layout(request)); }},
    {"data that spans {} bytes or more", "data that spans {} bytes or fewer",
     "data that spans {} bytes",
     [](const Request& request) { return span_of(input_layout(request), request.data_type); }},
    {"an output that spans {} bytes or more", "an output that spans {} bytes or fewer",
     "an output that spans {} bytes",
     [](const Request& request) { return span_of(output_layout(request), request.data_type); }},
    {"data or an output that spans {} bytes or more",
     "data and an output that span {} bytes or fewer", "data or an output that spans {} bytes",
     [](const Request& request) {
       return std::max(span_of(input_layout(request), request.data_type),
                       span_of(output_layout(request), request.data_type));
     }},
    {"data or an output that reaches over {} elements or more",
     "data and an output that reach over {} elements or fewer",
     "data or an output that reaches over {} elements",
     [](const Request& request) {
       return std::max(reach_in_elements(input_layout(request)),
                       reach_in_elements(output_layout(request)));
     }},
    {"data that collapses to {} axes or more", "data that collapses to {} axes or fewer",
     "data that collapses to {} axes",
     [](const Request& request) { return collapsed(input_layout(request)); }},
    {"an output that collapses to {} axes or more", "an output that collapses to {} axes or fewer",
     "an output that collapses to {} axes",
     [](const Request& request) { return collapsed(output_layout(request)); }},
    {"data or an output that collapses to {} axes or more",
     "data and an output that collapse to {} axes or fewer",
     "data or an output that collapses to {} axes",
     [](const Request& request) {
       return std::max(collapsed(input_layout(request)), collapsed(output_layout(request)));
     }},
    {"rows of {} elements or more", "rows of {} elements or fewer", "rows of {} elements",
     row_length},
    {"a last size of {} or more", "a last size of {} or less", "a last size of {}",
     [](const Request& request) {
       const auto sizes = request.data.sizes();
       return sizes.empty() ? std::nullopt : std::optional(sizes.back());
     }},
    {"{} axes of size 1 or more", "{} axes of size 1 or fewer", "{} axes of size 1",
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
    // That there are 0 or more says nothing.
    if (*least_[at] != 0) {
      words.push_back(fmt::format(fmt::runtime(kMeasures[at].at_least), *least_[at]));
    }
    words.push_back(fmt::format(fmt::runtime(kMeasures[at].at_most), *most_[at]));
    if (least_[at] == most_[at]) {
      words.push_back(fmt::format(fmt::runtime(kMeasures[at].exactly), *most_[at]));
    }
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
    if (*value == *least_[at] && *value == *most_[at]) {
      traits.push_back(fmt::format(fmt::runtime(kMeasures[at].exactly), *value));
    }
  }
  std::sort(traits.begin(), traits.end());
}

std::vector<std::string> traits_of(const Request& request) {
  const auto any = [](const std::optional<Strides>& strides, auto condition) {
    return strides && std::any_of(strides->begin(), strides->end(), condition);
  };
  const auto negative = [](std::int64_t stride) { return stride < 0; };
  std::vector<std::string> traits = {
      fmt::format("dialect {}", request.dialect),
      fmt::format("data of {}", name(request.data_type)),
      fmt::format("data of rank {}", request.data.rank()),
      fmt::format("{} pattern values", request.pattern.values.size()),
      fmt::format("elements of {} bits", bits(request.data_type)),
      request.strides ? "strided data" : "dense data",
      is_empty(request.data) ? "no elements" : "elements",
      request.shape_only ? "a shape alone to answer" : "elements to write"};
  if (request.special_zero) {
    traits.push_back(*request.special_zero ? "the flag set" : "the flag not set");
  } else {
    traits.push_back("no flag");
  }
  if (!request.shape_only) {
    traits.push_back(request.out_strides ? "a strided output" : "a dense output");
  }
  if (request.strides || request.out_strides) {
    const std::optional<Layout> in = input_layout(request), out = output_layout(request);
    if (in && out && in->strides == out->strides) {
      traits.push_back("the same strides on both sides");
    }
    if (in && request.strides) add_strides(*in, traits);
    if (out && request.out_strides) add_strides(*out, traits);
  }
  if (request.offset != 0) traits.push_back("data at an offset");
  if (request.out_offset != 0) traits.push_back("an output at an offset");
  if (request.in_place) traits.push_back("an output in place");
  if (any(request.strides, negative)) traits.push_back("a negative stride of the data");
  if (any(request.out_strides, negative)) traits.push_back("a negative stride of the output");
  if (any(request.strides, [](std::int64_t stride) { return stride == 0; })) {
    traits.push_back("a stride of 0");
  }
  traits.push_back(fmt::format("data of {}", sort_of(request.data_type)));
  traits.push_back(fmt::format("a pattern of {}", sort_of(request.pattern.type)));
  const std::size_t wanted = request.pattern.values.size();
  traits.push_back(wanted > request.data.rank()   ? "more pattern values than axes"
                   : wanted < request.data.rank() ? "fewer pattern values than axes"
                                                  : "as many pattern values as axes");
  add_pattern(request.pattern, traits);
  add_sizes(request, traits);
  std::sort(traits.begin(), traits.end());
  traits.erase(std::unique(traits.begin(), traits.end()), traits.end());
  return traits;
}

void add_thresholds(const Request& request, std::vector<std::string>& traits) {
  constexpr std::int64_t kHighest = 8;
  const auto rank = static_cast<std::int64_t>(request.data.rank());
  for (std::int64_t at = 1; at <= kHighest; ++at) {
    if (at <= rank) traits.push_back(fmt::format("data of rank {} or more", at));
    if (at >= rank) traits.push_back(fmt::format("data of rank {} or less", at));
  }
  for (const int at : {8, 16, 32}) {
    if (bits(request.pattern.type) <= at) {
      traits.push_back(fmt::format("a pattern type of {} bits or fewer", at));
    }
  }
  std::sort(traits.begin(), traits.end());
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
