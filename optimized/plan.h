#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "optimized/loop_nest.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/layout.h"
#include "reference/tensor/result.h"
#include "reference/tensor/shape.h"

namespace reshape::optimized {

// One axis of one side: `count` positions, `step` elements apart.
struct Axis {
  std::int64_t count = 1;
  std::int64_t step = 0;
  friend bool operator==(const Axis&, const Axis&) = default;
};

using Axes = InlineVector<Axis, 8>;

// A stretch of the row-major order that the two sides cut into axes that no common loops can
// walk: 2x3 with gaps read into 3x2 with gaps. Both lists are outermost first, every count is
// above 1, and the counts of each list multiply to `length`. The last axes are the ones that
// vary fastest.
struct Seam {
  std::int64_t length = 1;
  Axes read;
  Axes write;
  friend bool operator==(const Seam&, const Seam&) = default;
};

// A Layout that refers to the caller's arrays instead of owning them.
struct LayoutView {
  std::span<const std::int64_t> sizes;
  std::span<const std::int64_t> strides;
  std::int64_t offset = 0;
  bool is_dense = false;  // row-major without gaps: there are no strides to look at

  LayoutView(std::span<const std::int64_t> given_sizes, std::span<const std::int64_t> given_strides,
             std::int64_t given_offset)
      : sizes(given_sizes), strides(given_strides), offset(given_offset) {}
  LayoutView(const Layout& layout)  // NOLINT(google-explicit-constructor)
      : LayoutView(layout.shape.sizes(), layout.strides, layout.offset) {}
  static LayoutView dense(std::span<const std::int64_t> sizes) {
    LayoutView view(sizes, {}, 0);
    view.is_dense = true;
    return view;
  }
};

// One side of a copy: its layout, and the volume and axes that look_at() derives from it.
struct Side {
  explicit Side(const LayoutView& given) : layout(given) {}
  Side(const Side&) = delete;

  LayoutView layout;
  std::int64_t volume = 0;
  Axes axes;  // along which its row-major order moves evenly; none where it has no elements, or one

  // True when the elements follow each other in memory, none left out.
  bool is_one_stretch() const {
    return axes.empty() || (axes.size() == 1 && axes.front().step == 1);
  }
};

// Fills in the volume and the axes; false where the layout has another number of strides than of
// sizes, or more than 2^63-1 elements. fault_of() then says which; `name` is "data" or "output".
bool look_at(Side& side);
Error fault_of(const char* name, const Side& side);

// The bytes from the first to one past the last that one side touches, counted from its base.
struct ByteRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool empty() const { return begin >= end; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// Every element moves. Where the axes of the two sides have common factors, `nest` is the whole
// copy and `seams` is empty: by far the usual case. Otherwise `nest` holds the loops that are
// common, and it is run once for every combination of positions of the seams, moved by the
// seams' positions. Loops are independent of each other and of the seams, so they may be walked
// in any order; they come with write steps above 0, the largest outermost, and with as few loops
// as there can be. An empty tensor is one loop of count 0. `nest.bits` may be 8 for 4-bit
// elements that move in whole bytes.
struct CopyPlan {
  LoopNest nest;
  std::vector<Seam> seams;
  ByteRange read_bytes;
  ByteRange write_bytes;
};

// Nothing moves: the output is the data seen through this layout, from the same base.
struct AliasPlan {
  Layout layout;
};

using ReshapePlan = std::variant<AliasPlan, CopyPlan>;

// Walks the seams of a copy in stretches over which both sides move evenly: the innermost seam
// in runs, the others position by position. To copy one run, run `nest` with the offsets and
// `loop` added.
//   for (SeamWalk walk(plan.seams); walk.more(); walk.next()) copy(plan.nest, walk.run());
// A walk over no seams has one run, of one position.
class SeamWalk {
 public:
  explicit SeamWalk(const std::vector<Seam>& seams) : seams_(seams), end_(positions(seams)) {
    start();
  }

  struct Run {
    std::int64_t read_offset = 0;  // to add to the nest's offsets, in elements of its bits
    std::int64_t write_offset = 0;
    Loop loop;  // a further loop; its count is never 0
  };
  bool more() const { return at_ < end_; }
  const Run& run() const { return run_; }
  void next();

  // Product of the seams' lengths; 1 when there are none.
  static std::int64_t positions(const std::vector<Seam>& seams);

 private:
  // A place along one side's axes of the innermost seam, moved on without dividing.
  struct Place {
    InlineVector<std::int64_t, 8> index;
    std::int64_t offset = 0;
    void go_to_begin(const Axes& axes);
    void advance(const Axes& axes, std::int64_t count);  // not past the innermost axis's end
  };

  void start();
  void find_run();

  const std::vector<Seam>& seams_;
  std::int64_t at_ = 0;
  std::int64_t end_ = 0;
  std::int64_t left_ = 0;  // positions of the innermost seam from here on
  std::int64_t outer_read_ = 0;
  std::int64_t outer_write_ = 0;
  Place read_;
  Place write_;
  Run run_;
};

// What is to be planned. Layouts hold any strides: gaps, 0 (data only), negative. Sizes of the
// output are the resolved ones and hold as many elements as the data.
struct PlanOptions {
  ElementType type = ElementType::f32;
  Layout data;
  Shape output;
  std::optional<Layout> output_layout;  // absent: a view if one is allowed and exists, else dense
  bool alias_allowed = true;
};

// Writes the strides (in elements) of a view: those under which the data, where it lies, reads as
// `output` in row-major order. `strides` has as many entries as `output`. Exact: false only where
// no such strides exist (the entries are then unspecified). Errors as in plan().
Result<bool> plan_view(const LayoutView& data, std::span<const std::int64_t> output,
                       std::span<std::int64_t> strides);

// An alias exactly when it is allowed and a view exists (that has the output layout, if one is
// given); else a copy. Errors, in one sentence: volumes differ, layouts whose positions are beyond
// 64 bits, an output layout that is not one of `output` or that puts two elements at one place.
Result<ReshapePlan> plan(const PlanOptions& options);

// The copy from one layout to another of the same volume, whether or not a view exists.
Result<CopyPlan> plan_copy(ElementType type, const LayoutView& data, const LayoutView& output);
// The same into an empty plan, which is unspecified after an error. Precondition: look_at() was
// called on both sides.
std::optional<Error> plan_copy(ElementType type, const Side& data, const Side& output,
                               CopyPlan& plan);

// The plan in words, a line for each loop.
std::string dump(const ReshapePlan& plan);
std::string dump(const CopyPlan& plan);

}  // namespace reshape::optimized
