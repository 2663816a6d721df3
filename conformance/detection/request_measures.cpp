#include "conformance/detection/request_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "conformance/detection/request_layouts.h"

namespace reshape::conformance {
namespace {

// A number that requests have, and the words for its bounds.
struct Measure {
  const char* at_least;
  const char* at_most;
  const char* exactly;
  std::optional<std::int64_t> (*of)(const Request&);
  double cost = 0;  // as that of a trait: what it is made of is plainer
};
// What comes of the type and of the layout together fits where one of both says it better.
constexpr double kOfTwoNumbers = 0.5, kOfCounts = 0.2, kOfBoth = 0.3;

std::optional<std::int64_t> place_of(const Request& request, std::int64_t value) {
  const auto& values = request.pattern.values;
  const auto found = std::ranges::find(values, PatternValue{value});
  if (found == values.end()) return std::nullopt;
  return found - values.begin();
}

std::optional<std::int64_t> place_of_largest(const Request& request) {
  const auto& values = request.pattern.values;
  if (values.empty()) return std::nullopt;
  return std::ranges::max_element(values) - values.begin();
}

std::optional<std::int64_t> whole(const ShapePattern& pattern, bool largest) {
  if (pattern.values.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(pattern.values);
  const auto value = largest ? high : low;
  // Larger values have a trait of their own.
  if (value > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

// How many more values the pattern has than the data has axes, or fewer; nothing where it is the
// other way round.
std::optional<std::int64_t> beyond_rank(const Request& request, bool more) {
  const auto length = static_cast<std::int64_t>(request.pattern.values.size());
  const auto rank = static_cast<std::int64_t>(request.data.rank());
  const std::int64_t by = more ? length - rank : rank - length;
  return by < 0 ? std::nullopt : std::optional(by);
}

std::optional<std::int64_t> times(const Request& request, std::int64_t value) {
  return std::ranges::count(request.pattern.values, PatternValue{value});
}

std::optional<std::int64_t> run_of_half_bytes(const std::optional<Layout>& layout,
                                              ElementType type) {
  return bits(type) == 4 ? run_in_elements(layout) : std::nullopt;
}

// A number of one side, or the larger one of both.
template <auto Of>
std::optional<std::int64_t> of_side(const std::optional<Layout>& side, ElementType type) {
  if constexpr (std::is_invocable_v<decltype(Of), const std::optional<Layout>&>) {
    return Of(side);
  } else {
    return Of(side, type);
  }
}
template <auto Of>
std::optional<std::int64_t> of_data(const Request& request) {
  return of_side<Of>(input_layout(request), request.data_type);
}
template <auto Of>
std::optional<std::int64_t> of_output(const Request& request) {
  return of_side<Of>(output_layout(request), request.data_type);
}
template <auto Of>
std::optional<std::int64_t> of_either(const Request& request) {
  return std::max(of_data<Of>(request), of_output<Of>(request));
}

std::optional<std::int64_t> transposed_rows(const Request& request) {
  const std::optional<Transposed> both = transposed(loop_axes(request));
  return both ? std::optional(both->rows) : std::nullopt;
}
std::optional<std::int64_t> transposed_into_rows(const Request& request) {
  const std::optional<Transposed> both = transposed(loop_axes(request));
  return both ? std::optional(both->into_rows) : std::nullopt;
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
    {"data or an output of {} axes or more", "data and an output of {} axes or fewer",
     "data or an output of {} axes",
     [](const Request& request) {
       return std::optional(
           static_cast<std::int64_t>(std::max(request.data.rank(), request.pattern.values.size())));
     },
     kOfBoth},
    {"{} elements or more", "{} elements or fewer", "{} elements",
     [](const Request& request) { return element_count(request.data); }},
    {"elements of {} bits or more", "elements of {} bits or fewer", "elements of {} bits",
     [](const Request& request) -> std::optional<std::int64_t> { return bits(request.data_type); }},
    {"a largest size of {} or more", "a largest size of {} or less", "a largest size of {}",
     [](const Request& request) {
       const auto sizes = request.data.sizes();
       return sizes.empty() ? std::nullopt : std::optional(std::ranges::max(sizes));
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
    {"the largest pattern value at axis {} or behind",
     "the largest pattern value at axis {} or before", "the largest pattern value at axis {}",
     place_of_largest, kOfTwoNumbers},
    {"at least {} more pattern values than axes", "at most {} more pattern values than axes",
     "{} more pattern values than axes",
     [](const Request& request) { return beyond_rank(request, true); }, kOfTwoNumbers},
    {"at least {} fewer pattern values than axes", "at most {} fewer pattern values than axes",
     "{} fewer pattern values than axes",
     [](const Request& request) { return beyond_rank(request, false); }, kOfTwoNumbers},
    {"at least {} times a 0 in the pattern", "at most {} times a 0 in the pattern",
     "{} times a 0 in the pattern", [](const Request& request) { return times(request, 0); },
     kOfCounts},
    {"at least {} times a 1 in the pattern", "at most {} times a 1 in the pattern",
     "{} times a 1 in the pattern", [](const Request& request) { return times(request, 1); },
     kOfCounts},
    {"an inner stride of {} or more", "an inner stride of {} or less", "an inner stride of {}",
     of_data<inner_stride>},
    {"an inner stride of the output of {} or more", "an inner stride of the output of {} or less",
     "an inner stride of the output of {}", of_output<inner_stride>},
    {"data that spans {} bytes or more", "data that spans {} bytes or fewer",
     "data that spans {} bytes", of_data<reach_in_bytes>},
    {"an output that spans {} bytes or more", "an output that spans {} bytes or fewer",
     "an output that spans {} bytes", of_output<reach_in_bytes>},
    {"data or an output that spans {} bytes or more",
     "data and an output that span {} bytes or fewer", "data or an output that spans {} bytes",
     of_either<reach_in_bytes>},
    {"data or an output that reaches over {} elements or more",
     "data and an output that reach over {} elements or fewer",
     "data or an output that reaches over {} elements", of_either<reach_in_elements>},
    {"data that collapses to {} axes or more", "data that collapses to {} axes or fewer",
     "data that collapses to {} axes", of_data<collapsed>},
    {"an output that collapses to {} axes or more", "an output that collapses to {} axes or fewer",
     "an output that collapses to {} axes", of_output<collapsed>},
    {"data or an output that collapses to {} axes or more",
     "data and an output that collapse to {} axes or fewer",
     "data or an output that collapses to {} axes", of_either<collapsed>},
    {"elements copied by {} nested loops or more", "elements copied by {} nested loops or fewer",
     "elements copied by {} nested loops", count_of_loops},
    {"a transposition of rows of {} elements or more",
     "a transposition of rows of {} elements or fewer", "a transposition of rows of {} elements",
     transposed_rows},
    {"a transposition into rows of {} elements or more",
     "a transposition into rows of {} elements or fewer",
     "a transposition into rows of {} elements", transposed_into_rows},
    {"inner runs of {} elements or more", "inner runs of {} elements or fewer",
     "inner runs of {} elements", inner_runs},
    {"inner runs of {} bytes or more", "inner runs of {} bytes or fewer", "inner runs of {} bytes",
     inner_runs_in_bytes, kOfBoth},
    {"runs of the data of {} bytes or more", "runs of the data of {} bytes or fewer",
     "runs of the data of {} bytes", of_data<run_in_bytes>, kOfBoth},
    {"runs of the output of {} bytes or more", "runs of the output of {} bytes or fewer",
     "runs of the output of {} bytes", of_output<run_in_bytes>, kOfBoth},
    {"runs of the data of {} 4-bit elements or more",
     "runs of the data of {} 4-bit elements or fewer", "runs of the data of {} 4-bit elements",
     of_data<run_of_half_bytes>, kOfBoth},
    {"runs of the output of {} 4-bit elements or more",
     "runs of the output of {} 4-bit elements or fewer", "runs of the output of {} 4-bit elements",
     of_output<run_of_half_bytes>, kOfBoth},
    {"strides of the data of {} bytes or more", "strides of the data of {} bytes or fewer",
     "a longest stride of the data of {} bytes", of_data<longest_stride_in_bytes>, kOfBoth},
    {"strides of the output of {} bytes or more", "strides of the output of {} bytes or fewer",
     "a longest stride of the output of {} bytes", of_output<longest_stride_in_bytes>, kOfBoth},
    {"strides of {} bytes or more on either side", "strides of {} bytes or fewer on both sides",
     "a longest stride of {} bytes on either side", of_either<longest_stride_in_bytes>, kOfBoth},
    {"a last size of {} or more", "a last size of {} or less", "a last size of {}",
     [](const Request& request) {
       const auto sizes = request.data.sizes();
       return sizes.empty() ? std::nullopt : std::optional(sizes.back());
     }},
    {"{} axes of size 1 or more", "{} axes of size 1 or fewer", "{} axes of size 1",
     [](const Request& request) -> std::optional<std::int64_t> {
       return std::ranges::count(request.data, 1);
     }},
};

// Bounds that a programmer would choose (small numbers, or next to a power of two) are cheap. There
// are many others, and some fit by coincidence.
double cost_of_bound(std::int64_t bound) {
  constexpr std::uint64_t kSmall = 8;
  const std::uint64_t number = bound < 0 ? -static_cast<std::uint64_t>(bound) : bound;
  const bool likely = number <= kSmall || std::has_single_bit(number) ||
                      std::has_single_bit(number + 1) || std::has_single_bit(number - 1);
  return likely ? 0.3 : 1.2;
}

// "1 axis or fewer", and not "1 axes".
std::string words_of(const char* form, std::int64_t number) {
  std::string words = fmt::format(fmt::runtime(form), number);
  if (number != 1) return words;
  constexpr std::pair<std::string_view, std::string_view> kOfOne[] = {
      {"1 axes", "1 axis"},
      {"1 elements", "1 element"},
      {"1 nested loops", "1 loop"},
      {"1 bytes", "1 byte"},
      {"1 4-bit elements", "1 4-bit element"},
      {"1 pattern values", "1 pattern value"},
      {"1 bits", "1 bit"},
      {"1 more pattern values", "1 more pattern value"},
      {"1 times", "once"},
      {"1 fewer pattern values", "1 fewer pattern value"}};
  for (const auto& [many, single] : kOfOne) {
    if (const std::size_t at = words.find(many); at != std::string::npos) {
      words.replace(at, many.size(), single);
    }
  }
  return words;
}

}  // namespace

Measures measures_of(const Request& request) {
  Measures measures;
  for (const Measure& measure : kMeasures) measures.push_back(measure.of(request));
  return measures;
}

void Ranges::widen(const Measures& more) {
  for (std::size_t at = 0; at < more.size(); ++at) {
    if (!more[at] || !least_[at]) {
      least_[at] = most_[at] = std::nullopt;
      continue;
    }
    least_[at] = std::min(*least_[at], *more[at]);
    most_[at] = std::max(*most_[at], *more[at]);
  }
}

std::vector<Bound> Ranges::bounds() const {
  std::vector<Bound> bounds;
  for (std::size_t at = 0; at < least_.size(); ++at) {
    if (!least_[at]) continue;
    const std::int64_t least = *least_[at], most = *most_[at];
    const Measure& measure = kMeasures[at];
    const auto cost = [&](std::int64_t bound) { return measure.cost + cost_of_bound(bound); };
    // That there are 0 or more says nothing.
    if (least != 0) {
      bounds.push_back({{words_of(measure.at_least, least), cost(least)}, at, least, std::nullopt});
    }
    // Nor that there are not more than there can be.
    if (most != std::numeric_limits<std::int64_t>::max()) {
      bounds.push_back({{words_of(measure.at_most, most), cost(most)}, at, std::nullopt, most});
    }
    if (least == most)
      bounds.push_back({{words_of(measure.exactly, most), measure.cost}, at, least, most});
  }
  return bounds;
}

}  // namespace reshape::conformance
