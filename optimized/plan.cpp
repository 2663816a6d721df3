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

// The product of the sizes; false when it is above 2^63-1.
bool multiply(std::span<const std::int64_t> sizes, std::int64_t& volume) {
  volume = 1;
  for (const std::int64_t size : sizes) {
    if (!__builtin_mul_overflow(volume, size, &volume)) continue;
    // [2^40,2^40,0] has no elements, whatever the running product does.
    volume = 0;
    return std::ranges::find(sizes, 0) != sizes.end();
  }
  return true;
}

Error fault(const char* name, std::initializer_list<std::string_view> rest) {
  Error told{"the "};
  told.message += name;
  for (const std::string_view words : rest) told.message += words;
  return told;
}

// The errors are built out of line, to keep the common path short.
[[gnu::noinline]] Error out_of_reach(const char* name, const LayoutView& layout) {
  const std::string strides =
      layout.is_dense ? "dense strides" : "strides " + text_of_sizes(layout.strides);
  return fault(name, {" ", text_of_sizes(layout.sizes), " with ", strides,
                      " reaches beyond what can be addressed"});
}

[[gnu::noinline]] Error volumes_differ(std::span<const std::int64_t> data,
                                       std::span<const std::int64_t> output) {
  return Error{"the data " + text_of_sizes(data) + " and the output " + text_of_sizes(output) +
               " hold different numbers of elements"};
}

[[gnu::noinline]] Error one_place_twice(const LayoutView& output) {
  return Error{"the output " + text_of_sizes(output.sizes) + " with strides " +
               text_of_sizes(output.strides) +
               " puts two elements at one place, or cannot be shown not to"};
}

// Writes the strides of `output` along the data's axes; false where no strides exist.
bool strides_along(const Axes& axes, std::span<const std::int64_t> output,
                   std::span<std::int64_t> strides) {
  // Every output axis has to lie within one of the data's (collapsed, so maximal) axes: crossing
  // its end would need a second stride. The output's sizes, innermost first, are multiplied until
  // they reach the axis's count exactly; if they pass it, there is no view.
  const Axis* stretch = axes.end();
  std::int64_t within = 0;  // elements of the stretch used so far; 0: begin the next stretch
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

bool look_at(Side& side) {
  const LayoutView& layout = side.layout;
  if (!multiply(layout.sizes, side.volume)) return false;
  if (!layout.is_dense) {
    if (layout.strides.size() != layout.sizes.size()) [[unlikely]]
      return false;
    if (side.volume > 0) collapse(layout, side.axes);
  } else if (side.volume > 1) {
    side.axes.push_back({side.volume, 1});
  }
  return true;
}

Error fault_of(const char* name, const Side& side) {
  const LayoutView& layout = side.layout;
  if (!layout.is_dense && layout.strides.size() != layout.sizes.size()) {
    return fault(name, {" has ", std::to_string(layout.sizes.size()), " sizes but ",
                        std::to_string(layout.strides.size()), " strides"});
  }
  return fault(name, {" ", text_of_sizes(layout.sizes), " has more than 2^63-1 elements"});
}

Result<bool> plan_view(const LayoutView& data, std::span<const std::int64_t> output,
                       std::span<std::int64_t> strides) {
  Side side(data);
  if (!look_at(side)) return fault_of("data", side);
  if (side.volume > 0 && !extent(side.axes, data.offset)) return out_of_reach("data", data);
  std::int64_t volume = 0;
  if (!multiply(output, volume) || volume != side.volume) return volumes_differ(data.sizes, output);
  if (side.volume > 0) return strides_along(side.axes, output, strides);
  // The strides of a tensor without elements mean nothing; they are the dense ones where those
  // exist.
  if (!row_major_strides(output, strides)) std::ranges::fill(strides, 0);
  return true;
}

std::optional<Error> plan_copy(ElementType type, const Side& data, const Side& output,
                               CopyPlan& plan) {
  const auto range_of = [](const Side& side) {
    return side.volume == 0 ? ElementRange() : extent(side.axes, side.layout.offset);
  };
  const std::optional<ElementRange> read = range_of(data), write = range_of(output);
  if (!read) return out_of_reach("data", data.layout);
  if (!write) return out_of_reach("output", output.layout);
  if (data.volume != output.volume) return volumes_differ(data.layout.sizes, output.layout.sizes);
  if (!non_overlapping(output.axes)) return one_place_twice(output.layout);

  LoopNest& nest = plan.nest;
  nest.bits = bits(type);
  if (data.volume == 0) {
    nest.loops = {Loop{0, 0, 0}};
    return std::nullopt;
  }
  plan.read_bytes = bytes_of(*read, nest.bits);
  plan.write_bytes = bytes_of(*write, nest.bits);
  nest.read_offset = data.layout.offset;
  nest.write_offset = output.layout.offset;
  if (data.axes.size() == 1 && output.axes.size() == 1) {
    nest.loops.push_back({data.volume, data.axes[0].step, output.axes[0].step});
  } else {
    find_common_axes(data.axes, output.axes, nest.loops, plan.seams);
  }
  normalize(nest);
  if (nest.bits == 4) widen_halves(plan);
  return std::nullopt;
}

Result<CopyPlan> plan_copy(ElementType type, const LayoutView& data, const LayoutView& output) {
  Side read(data), write(output);
  if (!look_at(read)) return fault_of("data", read);
  if (!look_at(write)) return fault_of("output", write);
  CopyPlan plan;
  if (auto told = plan_copy(type, read, write, plan)) return *std::move(told);
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
    const LayoutView layout(*options.output_layout);
    Side side(layout);
    if (!look_at(side)) return fault_of("output", side);
    if (side.volume > 0 && !extent(side.axes, layout.offset)) return out_of_reach("output", layout);
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
