#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/model/request.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {

// The pattern's values with each 0 that copies (by the request's document and flag) replaced by the
// size that it copies. Nothing where one copies past the rank.
std::optional<std::vector<PatternValue>> values_with_copies(const Request& request);

// The shape of the output; nothing where there is none, or it has no elements.
std::optional<Shape> output_shape(const Request& request);

// Both sides with their strides written out. Nothing as above, where they are not those of its
// axes, or where a shape alone is asked for: then nothing lies anywhere.
std::optional<Layout> input_layout(const Request& request);
std::optional<Layout> output_layout(const Request& request);

// An axis of the loops that copy the data to the output: how many elements it has, and how far apart
// they lie on either side.
struct LoopAxis {
  std::int64_t size = 1;
  std::int64_t of_data = 0, of_output = 0;
};
// These loops, the innermost first, where axes that lie as one on both sides are one. Nothing where
// the sizes of one side are cut across those of the other, as in [2,3] to [3,2] with gaps in both,
// or where there are no layouts.
std::optional<std::vector<LoopAxis>> loop_axes(const Request& request);
std::optional<std::int64_t> count_of_loops(const Request& request);
// A transposition: what lies closest together in the data lies apart in the output.
struct Transposed {
  std::int64_t rows = 0;       // the elements of such a row of the data
  std::int64_t into_rows = 0;  // the same of the output
};
std::optional<Transposed> transposed(const std::optional<std::vector<LoopAxis>>& loops);

// How many elements follow each other in even steps on both sides, after collapsing axes.
std::optional<std::int64_t> inner_runs(const Request& request);
// Nothing where they end within a byte.
std::optional<std::int64_t> inner_runs_in_bytes(const Request& request);

// For one side:
// How many times the innermost collapsed axis is there; nothing where it is all.
std::optional<std::int64_t> rows_of(const std::optional<Layout>& layout);
// Whether one of these begins an odd number of elements behind the first; nothing as above.
std::optional<bool> odd_rows(const std::optional<Layout>& layout);
// The stride of the last axis with more than one element, without its sign.
std::optional<std::int64_t> inner_stride(const std::optional<Layout>& layout);
// The span from the lowest to the highest element, gaps included.
std::optional<std::int64_t> reach_in_elements(const std::optional<Layout>& layout);
std::optional<std::int64_t> reach_in_bytes(const std::optional<Layout>& layout, ElementType type);
// Elements that lie side by side, where axes that lie as one are one.
std::optional<std::int64_t> run_in_elements(const std::optional<Layout>& layout);
// Nothing where they end within a byte.
std::optional<std::int64_t> run_in_bytes(const std::optional<Layout>& layout, ElementType type);
// The longest step along an axis, where axes that lie as one are one. Nothing where it ends within a
// byte.
std::optional<std::int64_t> longest_stride_in_bytes(const std::optional<Layout>& layout,
                                                    ElementType type);
// Axes of more than one element that are left where those that lie as one are one.
std::optional<std::int64_t> collapsed(const std::optional<Layout>& layout);

}  // namespace reshape::conformance
