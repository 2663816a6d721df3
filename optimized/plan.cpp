#include "optimized/plan.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "optimized/axes.h"

namespace reshape::optimized {

namespace {

std::int64_t floor_bytes(std::int64_t position, int bits) {
  const std::int64_t at = position * bits;
  return at >= 0 ? at / 8 : -((-at + 7) / 8);
}

ByteRange bytes_of(const ElementRange& range, int bits) {
  if (range.count() <= 0) return {};
  return {floor_bytes(range.first, bits), -floor_bytes(-(range.last + 1), bits)};
}

bool even(std::int64_t value) { return value % 2 == 0; }

// 4-bit elements that lie in pairs on both sides move as bytes: the loop over neighbours has an
// even count, and nothing else ever starts in the middle of a byte.
void widen_halves(CopyPlan& plan) {
  LoopNest& nest = plan.nest;
  if (!even(nest.read_offset) || !even(nest.write_offset)) return;
  Loop* neighbours = nullptr;
  for (Loop& loop : nest.loops) {
    if (loop.source_stride == 1 && loop.destination_stride == 1 && even(loop.count)) {
      neighbours = &loop;
    } else if (!even(loop.source_stride) || !even(loop.destination_stride)) {
      return;
    }
  }
  if (neighbours == nullptr) return;
  const auto moves_evenly = [](const Axis& axis) { return even(axis.step); };
  for (const Seam& seam : plan.seams) {
    if (!std::all_of(seam.read.begin(), seam.read.end(), moves_evenly) ||
        !std::all_of(seam.write.begin(), seam.write.end(), moves_evenly)) {
      return;
    }
  }

  nest.bits = 8;
  nest.read_offset /= 2;
  nest.write_offset /= 2;
  for (Loop& loop : nest.loops) {
    if (&loop == neighbours) {
      loop.count /= 2;
    } else {
      loop.source_stride /= 2;
      loop.destination_stride /= 2;
    }
  }
  for (Seam& seam : plan.seams) {
    for (Axis& axis : seam.read) axis.step /= 2;
    for (Axis& axis : seam.write) axis.step /= 2;
  }
  normalize(nest);
}

// True when both layouts, of the same shape, put every element at the same position.
bool same_places(const Layout& left, const Layout& right) {
  if (is_empty(left.shape)) return true;
  for (std::size_t axis = 0; axis < left.shape.rank(); ++axis) {
    if (left.shape[axis] != 1 && left.strides[axis] != right.strides[axis]) return false;
  }
  return left.offset == right.offset;
}

// The product of the sizes, or nothing when it is above 2^63-1.
std::optional<std::int64_t> volume_of(std::span<const std::int64_t> sizes) {
  std::int64_t count = 1;
  bool overflows = false;
  bool empty = false;
  for (const std::int64_t size : sizes) {
    empty |= size == 0;
    overflows |= __builtin_mul_overflow(count, size, &count);
  }
  if (empty) return 0;  // [2^40,2^40,0] has no elements, whatever the running product does
  if (overflows) return std::nullopt;
  return count;
}

// One side of a copy, looked at once.
struct Side {
  std::int64_t volume = 0;
  Axes axes;  // none where it is empty
  ElementRange range;
};

Error fault_of(const char* name, std::initializer_list<std::string_view> rest) {
  Error fault{"the "};
  fault.message += name;
  for (const std::string_view words : rest) fault.message += words;
  return fault;
}

// Looks at a layout, or tells why its sizes and strides are no place for a tensor.
std::optional<Error> look_at(const LayoutView& layout, const char* name, Side& side) {
  if (layout.strides.size() != layout.sizes.size()) {
    return fault_of(name, {" has ", std::to_string(layout.sizes.size()), " sizes but ",
                           std::to_string(layout.strides.size()), " strides"});
  }
  const std::optional<std::int64_t> volume = volume_of(layout.sizes);
  if (!volume) {
    return fault_of(name, {" ", text_of_sizes(layout.sizes), " has more than 2^63-1 elements"});
  }
  side.volume = *volume;
  if (*volume == 0) return std::nullopt;
  collapse(layout, side.axes);
  const std::optional<ElementRange> range = extent(side.axes, layout.offset);
  if (!range) {
    return fault_of(name, {" ", text_of_sizes(layout.sizes), " with strides ",
                           text_of_sizes(layout.strides), " reaches beyond what can be addressed"});
  }
  side.range = *range;
  return std::nullopt;
}

Error volumes_differ(std::span<const std::int64_t> data, std::span<const std::int64_t> output) {
  return Error{"the data " + text_of_sizes(data) + " and the output " + text_of_sizes(output) +
               " hold different numbers of elements"};
}

// The strides of `output` along the data's axes; false where there are none.
bool strides_along(const Axes& axes, std::span<const std::int64_t> output,
                   std::span<std::int64_t> strides) {
  // Every output axis has to lie within one even stretch of the data; the stretches are as long as
  // they can be, so an axis that crosses an end of one would have to change its step there. The sizes
  // within a stretch are multiplied up to it: a size that does not divide it never gets there.
  const Axis* stretch = axes.end();
  std::int64_t within = 0;  // elements of the stretch that the axes so far take; 0: take the next
  for (std::size_t axis = output.size(); axis-- > 0;) {
    const std::int64_t size = output[axis];
    strides[axis] = 1;
    if (size == 1) continue;
    if (within == 0) {
      --stretch;
      within = 1;
    }
    strides[axis] = stretch->step * within;
    if (__builtin_mul_overflow(within, size, &within) || within > stretch->count) return false;
    if (within == stretch->count) within = 0;
  }
  return true;
}

}  // namespace

Result<bool> plan_view(const LayoutView& data, std::span<const std::int64_t> output,
                       std::span<std::int64_t> strides) {
  Side side;
  if (auto fault = look_at(data, "data", side)) return *std::move(fault);
  if (volume_of(output) != side.volume) return volumes_differ(data.sizes, output);
  if (side.volume > 0) return strides_along(side.axes, output, strides);
  // The strides of a tensor without elements mean nothing; they are the dense ones where those exist.
  if (!row_major_strides(output, strides)) std::ranges::fill(strides, 0);
  return true;
}

std::optional<Layout> view_of(const Layout& data, const Shape& output) {
  Layout view{output, Strides(output.rank()), data.offset};
  const Result<bool> exists = plan_view(data, output.sizes(), view.strides);
  if (!exists || !*exists) return std::nullopt;
  return view;
}

std::optional<Error> plan_copy(ElementType type, const LayoutView& data, const LayoutView& output,
                               CopyPlan& plan) {
  Side read, write;
  if (auto fault = look_at(data, "data", read)) return fault;
  if (auto fault = look_at(output, "output", write)) return fault;
  if (read.volume != write.volume) return volumes_differ(data.sizes, output.sizes);
  if (!non_overlapping(write.axes)) {
    return Error{"the output " + text_of_sizes(output.sizes) + " with strides " +
                 text_of_sizes(output.strides) +
                 " puts two elements at one place, or cannot be shown not to"};
  }

  plan.nest.bits = bits(type);
  if (read.volume == 0) {
    plan.nest.loops = {Loop{0, 0, 0}};
    return std::nullopt;
  }
  plan.read_bytes = bytes_of(read.range, plan.nest.bits);
  plan.write_bytes = bytes_of(write.range, plan.nest.bits);
  plan.nest.read_offset = data.offset;
  plan.nest.write_offset = output.offset;
  if (read.axes.size() == 1 && write.axes.size() == 1) {
    plan.nest.loops.push_back({read.volume, read.axes[0].step, write.axes[0].step});
  } else {
    find_common_axes(read.axes, write.axes, plan.nest.loops, plan.seams);
  }
  normalize(plan.nest);
  if (plan.nest.bits == 4) widen_halves(plan);
  return std::nullopt;
}

Result<CopyPlan> plan_copy(ElementType type, const LayoutView& data, const LayoutView& output) {
  CopyPlan plan;
  if (auto fault = plan_copy(type, data, output, plan)) return *std::move(fault);
  return plan;
}

Result<ReshapePlan> plan(const PlanOptions& options) {
  Layout view{options.output, Strides(options.output.rank()), options.data.offset};
  const Result<bool> exists = plan_view(options.data, options.output.sizes(), view.strides);
  if (!exists) return exists.error();
  if (options.output_layout) {
    if (options.output_layout->shape != options.output) {
      return Error{"the output layout is of " + text(options.output_layout->shape) + ", not of " +
                   text(options.output)};
    }
    Side side;
    if (auto fault = look_at(*options.output_layout, "output", side)) return *std::move(fault);
  }

  ReshapePlan made;
  if (options.alias_allowed && *exists &&
      (!options.output_layout || same_places(view, *options.output_layout))) {
    made.emplace<AliasPlan>(options.output_layout ? *options.output_layout : std::move(view));
    return made;
  }
  Layout output{options.output, Strides(options.output.rank()), 0};
  if (options.output_layout) {
    output = *options.output_layout;
  } else {
    row_major_strides(output.shape.sizes(), output.strides);
  }
  Result<CopyPlan> copy = plan_copy(options.type, options.data, output);
  if (!copy) return copy.error();
  made.emplace<CopyPlan>(*std::move(copy));
  return made;
}

}  // namespace reshape::optimized
