#include "conformance/detection/request_traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>

#include "conformance/detection/request_layouts.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

// Costs: there are many remainders; and a trait of either side is less specific than one of a
// certain side.
constexpr double kOfRemainders = 0.5, kOfEitherSide = 0.1;
// One of many sizes, strides or places.
constexpr double kOfOneOfMany = 0.4;
// What stands at a far axis is seldom looked at there: all long patterns have it.
constexpr std::size_t kFewAxes = 8;
constexpr double kOfAFarAxis = 2;
// What is dense is one run, and its number of bytes says the same in fewer words.
constexpr double kOfRuns = 0.7;
// Whatever is kept exactly is kept in some bits as well, and what is kept in 64 bits in 32.
constexpr double kOfBits = 0.2, kOfFewerBits = 0.4;
// Of whatever has rows, those of half the strides lie so.
constexpr double kOfOddRows = 0.7;

class Traits {
 public:
  void add(std::string says, double cost = 0) { traits_.push_back({std::move(says), cost}); }
  void add_of_either_side(const std::string& says) { add(says + " on either side", kOfEitherSide); }

  std::vector<Trait> sorted() && {
    std::ranges::sort(traits_, {}, &Trait::says);
    const auto again = std::ranges::unique(traits_, {}, &Trait::says);
    traits_.erase(again.begin(), again.end());
    return std::move(traits_);
  }

 private:
  std::vector<Trait> traits_;
};

// Whoever takes such a tensor for a list of values may have squeezed it, or looked at its elements
// alone.
void add_pattern_tensor(const ShapePattern& pattern, Traits& traits) {
  if (pattern.one_dimensional()) return;
  const std::span<const std::int64_t> sizes = pattern.tensor_shape->sizes();
  traits.add(fmt::format("a pattern tensor of rank {}", sizes.size()));
  if (pattern.values.empty()) return traits.add("a pattern tensor without values");
  if (sizes.empty()) return;
  const auto all_ones = [](std::span<const std::int64_t> some) {
    return std::ranges::all_of(some, [](std::int64_t size) { return size == 1; });
  };
  if (all_ones(sizes.first(sizes.size() - 1))) traits.add("a pattern tensor of one row");
  if (all_ones(sizes.subspan(1))) traits.add("a pattern tensor of one column");
  if (pattern.values.size() == 1) traits.add("a pattern tensor of one value");
}

void add_pattern(const ShapePattern& pattern, Traits& traits) {
  add_pattern_tensor(pattern, traits);
  const auto& values = pattern.values;
  const auto first = std::find(values.begin(), values.end(), -1);
  const auto zero = std::find(values.begin(), values.end(), 0);
  traits.add(fmt::format("a pattern of {}", name(pattern.type)));
  traits.add(first != values.end() ? "a -1 in the pattern" : "no -1 in the pattern");
  traits.add(zero != values.end() ? "a 0 in the pattern" : "no 0 in the pattern");
  if (!values.empty()) {
    const auto [least, most] = std::ranges::minmax(values);
    if (least < -1) traits.add("a value below -1");
    if (most > INT64_MAX) traits.add("a pattern value above 2^63-1");
  }
  if (first != values.end() && zero != values.end()) {
    if (zero < first) traits.add("a 0 before the -1");
    if (std::find(first, values.end(), 0) != values.end()) traits.add("a 0 behind the -1");
  }
  // 0, 1 and -1 are what rules look at.
  for (std::size_t axis = 0; axis < values.size(); ++axis) {
    const PatternValue value = values[axis];
    if (value < -1 || value > 1) continue;
    const auto number = static_cast<int>(value);
    if (axis + 1 == values.size())
      traits.add(fmt::format("a {} as the last pattern value", number));
    traits.add(fmt::format("a {} at axis {} of the pattern", number, axis),
               axis < kFewAxes ? kOfOneOfMany : kOfAFarAxis);
  }
  // In which half of a byte a value of 4 bits lies.
  if (first != values.end() && bits(pattern.type) == 4) {
    const bool odd = (first - values.begin()) % 2 != 0;
    traits.add(fmt::format("the first -1 of a 4-bit pattern at an {} axis", odd ? "odd" : "even"),
               kOfRemainders);
  }
  if (std::count(values.begin(), values.end(), -1) > 1) {
    constexpr PatternValue kTwo[] = {-1, -1};
    const bool side_by_side = !std::ranges::search(values, kTwo).empty();
    traits.add(side_by_side ? "two -1 side by side" : "two -1 apart from each other");
  }
}

// How much of the pattern is the data's own sizes: whoever has nothing to do where all of it is may
// look at a part.
void add_sizes_alike(const Request& request, Traits& traits) {
  const auto& values = request.pattern.values;
  const std::size_t most = std::min(values.size(), request.data.rank());
  std::size_t alike = 0;
  while (alike < most && values[alike] == request.data[alike]) ++alike;
  if (alike > 0) traits.add("the data's first size as the first pattern value");
  if (most == 0) return;
  if (2 * alike >= values.size()) {
    traits.add("the data's sizes as the first half of the pattern", kOfOneOfMany);
  }
  if (alike == values.size()) {
    traits.add("the data's sizes as the pattern", kOfOneOfMany);
  } else if (2 * alike >= values.size()) {
    traits.add("the data's sizes as the first half of the pattern, and another behind it",
               kOfOneOfMany);
  }
}

const char* sort_of(ElementType type) {
  if (type == ElementType::boolean) return "booleans";
  if (is_float(type)) return "floats";
  return is_signed_integer(type) ? "signed integers" : "unsigned integers";
}

// The layout without axes of one element.
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

// A copy that looks at how far the elements reach, and not at where they lie, takes such a side for
// dense.
bool lies_elsewhere_without_gaps(const Layout& layout) {
  const std::optional<Strides> dense = row_major_strides(layout.shape);
  const std::optional<std::int64_t> count = element_count(layout.shape);
  return dense && layout.strides != *dense && count && reach_in_elements(layout) == *count;
}

// What can be said of strides that were written out, on whichever side. Those of axes of one
// element lead nowhere.
void add_strides(const Layout& written, const char* side, Traits& traits) {
  const Layout layout = without_ones(written);
  const std::size_t rank = layout.shape.rank();
  traits.add_of_either_side("strides");
  if (rank < written.shape.rank()) {
    traits.add_of_either_side("an axis of one element beside strides");
    traits.add(fmt::format("an axis of one element beside strides of the {}", side));
  }
  if (std::ranges::any_of(layout.strides, [](std::int64_t stride) { return stride < 0; })) {
    traits.add_of_either_side("a negative stride");
    traits.add(fmt::format("a negative stride of the {}", side));
  }
  for (const std::int64_t stride : layout.strides) {
    traits.add(fmt::format("a stride of {} of the {}", stride, side), kOfOneOfMany);
  }
  const bool permuted = !std::ranges::is_sorted(layout.strides, std::greater(), distance);
  if (permuted) {
    traits.add_of_either_side("permuted axes");
    traits.add(fmt::format("permuted axes of the {}", side));
  }
  if (rank == 0) return;
  if (layout.strides.front() < layout.strides.back()) {
    traits.add(fmt::format("a first stride below the last of the {}", side), kOfEitherSide);
  }
  if (layout.strides.back() < 0) traits.add_of_either_side("a negative inner stride");
  if (distance(layout.strides.back()) != 1) traits.add_of_either_side("elements apart");
  if (lies_elsewhere_without_gaps(layout)) {
    const std::string elements = "elements out of their order and without gaps";
    traits.add_of_either_side(elements);
    if (layout.strides.back() == 1) {
      traits.add_of_either_side(elements + ", but for the last axis that has several,");
    }
  }
  for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
    const auto next = static_cast<__int128>(layout.strides[axis + 1]);
    const __int128 as_one_with_it = next * layout.shape.sizes()[axis + 1];
    const bool as_one = layout.strides[axis] == as_one_with_it;
    if (as_one) traits.add("strided axes that lie as one");
    if (!as_one && layout.strides[axis] == -as_one_with_it) {
      traits.add("strided axes that lie as one but for the sign of a stride");
    }
    if (!as_one && layout.strides[axis] == next * layout.shape.sizes()[axis]) {
      traits.add("an axis whose stride is its own size times the next stride");
    }
  }
}

// Where rows begin: what is copied in pairs needs even strides, and two elements of 4 bits share a
// byte.
void add_odd_rows(const Request& request, Traits& traits) {
  const std::optional<bool> data = odd_rows(input_layout(request));
  const std::optional<bool> output = odd_rows(output_layout(request));
  const char* odd = bits(request.data_type) == 4 ? "rows of 4-bit elements that begin within a byte"
                                                 : "an odd stride between rows";
  for (const auto& [side, rows] : {std::pair("data", data), std::pair("output", output)}) {
    if (!rows) continue;
    if (*rows) traits.add(fmt::format("{} of the {}", odd, side), kOfOddRows);
    if (!*rows) traits.add(fmt::format("even strides between rows of the {}", side), kOfOddRows);
  }
  const bool of_data = data.value_or(false), of_output = output.value_or(false);
  if (of_data && of_output) traits.add(fmt::format("{} on both sides", odd), kOfOddRows);
  if (of_data || of_output) {
    traits.add(fmt::format("{} on either side", odd), kOfOddRows + kOfEitherSide);
  }
}

// What blocks of a kernel leave over. Vectors have powers of two, tiles and groups of channels also
// others.
void add_residues(const char* what, std::int64_t count, Traits& traits, double cost = kOfRemainders,
                  std::initializer_list<int> blocks = {2, 4, 8, 16, 32, 64}) {
  for (const int block : blocks) {
    const std::int64_t rest = count % block;
    traits.add(fmt::format("{} that is {} multiple of {}", what, rest == 0 ? "a" : "no", block),
               cost);
    if (rest != 0 && block > 2 && block <= 16) {
      traits.add(fmt::format("{} that is {} more than a multiple of {}", what, rest, block), cost);
    }
  }
}

// By which loops the elements are copied: kernels are chosen by that.
void add_loops(const Request& request, Traits& traits) {
  if (!input_layout(request) || !output_layout(request)) return;
  const std::optional<std::vector<LoopAxis>> loops = loop_axes(request);
  if (!loops) return traits.add("sizes of data and output that are cut across one another");
  if (const std::optional<Transposed> both = transposed(loops)) {
    traits.add("a transposition");
    add_residues("a transposition of rows of a length", both->rows, traits);
    add_residues("a transposition into rows of a length", both->into_rows, traits);
    return;
  }
  if (loops->empty()) return;
  const LoopAxis& inner = loops->front();
  const bool side_by_side = inner.of_data == 1 && inner.of_output == 1;
  traits.add(!side_by_side        ? "elements copied in steps"
             : loops->size() == 1 ? "elements copied in one run"
                                  : "elements copied in rows");
}

// The pattern's volume compared with the data's.
void add_volume(const Request& request, Traits& traits) {
  const std::optional<std::int64_t> count = element_count(request.data);
  const std::optional<std::vector<PatternValue>> values = values_with_copies(request);
  if (!count || !values) return;
  bool inferred = false, none = false, copied = false, copied_behind = false;
  constexpr __int128 kMost = static_cast<__int128>(1) << 63;  // and more
  __int128 known = 1;
  for (std::size_t axis = 0; axis < values->size(); ++axis) {
    const __int128 value = (*values)[axis];
    if (request.pattern.values[axis] == 0 && value > 1) {
      copied = true;
      copied_behind |= inferred;
    }
    inferred |= value == -1;
    none |= value == 0;
    if (value > 0) known = std::min(known * std::min<__int128>(value, INT64_MAX), kMost);
  }
  if (none) known = 0;
  const std::string what = inferred ? "known sizes that multiply to " : "sizes that multiply to ";
  traits.add(what + (known > *count   ? "more than the data has"
                     : known < *count ? "less than the data has"
                                      : "as much as the data has"));
  if (none) traits.add("a size of 0 asked for");
  if (copied) traits.add("a size above 1 that a 0 copies");
  if (copied_behind) traits.add("a size above 1 that a 0 copies behind the -1");
  for (const int bits : {31, 32, 63}) {
    const bool held = known < static_cast<__int128>(1) << bits;
    traits.add(fmt::format("pattern values that multiply to {} 2^{}",
                           held ? "less than" : "at least", bits));
  }
}

// Whether the products of both sides are equal in 32 or 64 bits, or one divides the other where a
// size is inferred: an implementation that compares only these accepts products that wrap, and an
// even number of negative values.
void add_products_in_bits(const Request& request, Traits& traits) {
  const std::optional<std::vector<PatternValue>> values = values_with_copies(request);
  if (!values) return;
  std::uint64_t asked = 1, given = 1;
  for (const std::int64_t size : request.data) given *= static_cast<std::uint64_t>(size);
  const auto negative = [](PatternValue value) { return value < 0; };
  const bool infers = std::ranges::count(*values, PatternValue{-1}) == 1 &&
                      std::ranges::count_if(*values, negative) == 1;
  for (const PatternValue value : *values) {
    if (!infers || value != -1) asked *= static_cast<std::uint64_t>(value);
  }
  const auto fits = [&](auto known, auto count) {
    return infers ? known != 0 && count % known == 0 : known == count;
  };
  const char* const says =
      infers ? "known pattern values whose product in {} bits divides that of the data's sizes"
             : "pattern values whose product in {} bits is that of the data's sizes";
  if (fits(asked, given)) traits.add(fmt::format(fmt::runtime(says), 64), kOfBits);
  if (fits(static_cast<std::uint32_t>(asked), static_cast<std::uint32_t>(given))) {
    traits.add(fmt::format(fmt::runtime(says), 32), kOfFewerBits);
  }
}

// Whether one size is 0 and the others multiply to very many.
bool has_zero_beside_many(std::span<const std::int64_t> sizes) {
  __int128 others = 1;
  for (const std::int64_t size : sizes) {
    if (size > 0 && others <= INT64_MAX) others *= size;
  }
  return others > INT64_MAX && std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
}

void add_zero_beside_many(const Request& request, Traits& traits) {
  std::vector<std::int64_t> asked;
  for (const PatternValue value : request.pattern.values) {
    asked.push_back(value > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(value));
  }
  if (has_zero_beside_many(asked) || has_zero_beside_many(request.data.sizes())) {
    traits.add("a size of 0 beside sizes that multiply to at least 2^63");
  }
}

void add_sizes(const Request& request, Traits& traits) {
  std::int64_t largest = 0;
  for (const std::int64_t size : request.data) {
    largest = std::max(largest, size);
    traits.add(fmt::format("an axis of size {}", size), size == 1 ? 0 : kOfOneOfMany);
  }
  for (const int bits : {8, 16, 31, 32}) {
    if (largest >= std::int64_t{1} << bits) {
      traits.add(fmt::format("a size of at least 2^{}", bits));
    }
  }
  const std::optional<std::int64_t> count = element_count(request.data);
  for (const int bits : {6, 12, 16, 20, 31, 32}) {
    if (!count || *count >= std::int64_t{1} << bits) {
      traits.add(fmt::format("at least 2^{} elements", bits));
    }
  }
  add_volume(request, traits);
  add_products_in_bits(request, traits);
  add_zero_beside_many(request, traits);
  if (count && *count > 0) {
    const std::initializer_list<int> kMore = {2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64};
    add_residues("a number of elements", *count, traits, kOfRemainders, kMore);
    if (*count < INT64_MAX / 64) {
      add_residues("a number of bytes", bytes_for(request.data_type, *count), traits);
    }
    if (request.data.rank() > 1) {
      add_residues("a last size", request.data.sizes().back(), traits, kOfRemainders, kMore);
    }
    if (const auto rows = rows_of(input_layout(request))) {
      add_residues("a number of rows of the data", *rows, traits, kOfRemainders, {4, 8});
    }
    add_odd_rows(request, traits);
    add_loops(request, traits);
    const std::optional<std::int64_t> run = inner_runs(request);
    if (run) add_residues("an inner run", *run, traits);
    const auto add_runs = [&](const char* what, const std::optional<Layout>& layout) {
      const std::optional<std::int64_t> bytes = run_in_bytes(layout, request.data_type);
      if (bytes) add_residues(what, *bytes, traits, kOfRuns);
    };
    add_runs("runs of the data of a number of bytes", input_layout(request));
    add_runs("runs of the output of a number of bytes", output_layout(request));
  }
  const std::optional<Shape> output = output_shape(request);
  const auto ends_in_one = [](const Shape& shape) {
    return shape.rank() > 1 && shape.sizes().back() == 1;
  };
  const bool of_data = ends_in_one(request.data), of_output = output && ends_in_one(*output);
  if (of_data) traits.add("a last axis of size 1");
  if (of_output) traits.add("a last axis of size 1 of the output");
  if (of_data || of_output) traits.add_of_either_side("a last axis of size 1");
  if (output && std::ranges::count(*output, 1) > 0) traits.add("an axis of size 1 of the output");
}

}  // namespace

std::vector<Trait> traits_of(const Request& request) {
  Traits traits;
  traits.add(fmt::format("dialect {}", request.dialect));
  traits.add(fmt::format("data of {}", name(request.data_type)));
  traits.add(fmt::format("data of rank {}", request.data.rank()));
  traits.add(fmt::format("{} pattern values", request.pattern.values.size()));
  traits.add(fmt::format("elements of {} bits", bits(request.data_type)));
  traits.add(request.strides ? "strided data" : "dense data");
  traits.add(is_empty(request.data) ? "no elements" : "elements");
  traits.add(request.shape_only ? "a shape alone to answer" : "elements to write");
  if (request.special_zero) {
    traits.add(*request.special_zero ? "the flag set" : "the flag not set");
  } else {
    traits.add("no flag");
  }
  if (!request.shape_only) {
    traits.add(request.out_strides ? "a strided output" : "a dense output");
  }
  if (request.strides || request.out_strides) {
    const std::optional<Layout> in = input_layout(request), out = output_layout(request);
    if (in && out && in->strides == out->strides) {
      traits.add("the same strides on both sides");
    }
    if (in && request.strides) add_strides(*in, "data", traits);
    if (out && request.out_strides) add_strides(*out, "output", traits);
  }
  if (request.offset != 0) traits.add("data at an offset");
  if (request.out_offset != 0) traits.add("an output at an offset");
  if (request.in_place) traits.add("an output in place");
  if (request.strides && std::ranges::count(*request.strides, 0) > 0) traits.add("a stride of 0");
  traits.add(fmt::format("data of {}", sort_of(request.data_type)));
  traits.add(fmt::format("a pattern of {}", sort_of(request.pattern.type)));
  const std::size_t wanted = request.pattern.values.size();
  traits.add(wanted > request.data.rank()   ? "more pattern values than axes"
             : wanted < request.data.rank() ? "fewer pattern values than axes"
                                            : "as many pattern values as axes");
  add_pattern(request.pattern, traits);
  add_sizes_alike(request, traits);
  add_sizes(request, traits);
  return std::move(traits).sorted();
}

std::vector<std::string> words_about(const Request& request) {
  std::vector<std::string> words;
  for (Trait& trait : traits_of(request)) {
    if (trait.cost < kOfAFarAxis) words.push_back(std::move(trait.says));
  }
  constexpr std::int64_t kHighest = 8;
  const auto rank = static_cast<std::int64_t>(request.data.rank());
  for (std::int64_t at = 1; at <= kHighest; ++at) {
    if (at <= rank) words.push_back(fmt::format("data of rank {} or more", at));
    if (at >= rank) words.push_back(fmt::format("data of rank {} or less", at));
  }
  // One more than an array of a round size holds.
  constexpr std::size_t kLongest = 1024;
  for (std::size_t size = 8; size <= kLongest && request.pattern.values.size() > size; size *= 2) {
    words.push_back(fmt::format("{} pattern values or more", size + 1));
  }
  for (const int at : {8, 16, 32}) {
    if (bits(request.pattern.type) <= at) {
      words.push_back(fmt::format("a pattern type of {} bits or fewer", at));
    }
  }
  std::ranges::sort(words);
  return words;
}

std::vector<std::string> common_traits(const std::vector<std::string>& one,
                                       const std::vector<std::string>& other) {
  std::vector<std::string> common;
  std::ranges::set_intersection(one, other, std::back_inserter(common));
  return common;
}

bool has_trait(const std::vector<std::string>& traits, const std::string& trait) {
  return std::binary_search(traits.begin(), traits.end(), trait);
}

bool has_traits(const std::vector<std::string>& traits, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted,
                             [&](const std::string& trait) { return has_trait(traits, trait); });
}

}  // namespace reshape::conformance
