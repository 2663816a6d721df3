#include "optimized/plan.h"

#include <algorithm>
#include <limits>

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
  nest = normalized(std::move(nest));
}

// True when both layouts, of the same shape, put every element at the same position.
bool same_places(const Layout& left, const Layout& right) {
  if (is_empty(left.shape)) return true;
  for (std::size_t axis = 0; axis < left.shape.rank(); ++axis) {
    if (left.shape[axis] != 1 && left.strides[axis] != right.strides[axis]) return false;
  }
  return left.offset == right.offset;
}

// The strides of a tensor without elements mean nothing; they are the dense ones where those exist.
Layout view_of_nothing(const Shape& output, std::int64_t offset) {
  return {output, row_major_strides(output).value_or(Strides(output.rank(), 0)), offset};
}

bool has_axis_for_each_size(const Layout& layout) {
  return layout.strides.size() == layout.shape.rank();
}

// Why these sizes and strides are no place for a tensor, or nothing.
std::optional<Error> fault_of(const Layout& layout, const std::string& side) {
  if (!has_axis_for_each_size(layout)) {
    return Error{"the " + side + " has " + std::to_string(layout.shape.rank()) + " sizes but " +
                 std::to_string(layout.strides.size()) + " strides"};
  }
  if (!element_count(layout.shape)) {
    return Error{"the " + side + " " + text(layout.shape) + " has more than 2^63-1 elements"};
  }
  if (!extent(layout)) {
    return Error{"the " + side + " " + text(layout.shape) + " with strides " +
                 text_of_sizes(layout.strides) + " reaches beyond what can be addressed"};
  }
  return std::nullopt;
}

std::optional<Error> volumes_differ(const Shape& data, const Shape& output) {
  if (element_count(data) == element_count(output)) return std::nullopt;
  return Error{"the data " + text(data) + " and the output " + text(output) +
               " hold different numbers of elements"};
}

}  // namespace

std::optional<Layout> view_of(const Layout& data, const Shape& output) {
  if (is_empty(data.shape)) return view_of_nothing(output, data.offset);
  std::vector<Axis> axes = collapsed_axes(data);
  Layout view{output, Strides(output.rank(), 1), data.offset};
  // Every output axis has to lie within one even stretch of the data; the stretches are as long as
  // they can be, so an axis that crosses an end of one would have to change its step there.
  for (std::size_t axis = output.rank(); axis-- > 0;) {
    const std::int64_t size = output[axis];
    if (size == 1) continue;
    Axis& stretch = axes.back();
    if (stretch.count % size != 0) return std::nullopt;
    view.strides[axis] = stretch.step;
    stretch.count /= size;
    if (stretch.count == 1) {
      axes.pop_back();
    } else {
      stretch.step *= size;
    }
  }
  return view;
}

Result<CopyPlan> plan_copy(ElementType type, const Layout& data, const Layout& output) {
  if (auto fault = fault_of(data, "data")) return *fault;
  if (auto fault = fault_of(output, "output")) return *fault;
  if (auto fault = volumes_differ(data.shape, output.shape)) return *fault;
  if (!non_overlapping(output)) {
    return Error{"the output " + text(output.shape) + " with strides " +
                 text_of_sizes(output.strides) +
                 " puts two elements at one place, or cannot be shown not to"};
  }

  CopyPlan plan;
  plan.nest.bits = bits(type);
  if (is_empty(data.shape)) {
    plan.nest.loops = {Loop{0, 0, 0}};
    return plan;
  }
  plan.read_bytes = bytes_of(*extent(data), plan.nest.bits);
  plan.write_bytes = bytes_of(*extent(output), plan.nest.bits);
  CommonAxes common = common_axes(collapsed_axes(data), collapsed_axes(output));
  plan.nest.read_offset = data.offset;
  plan.nest.write_offset = output.offset;
  plan.nest.loops = std::move(common.loops);
  plan.nest = normalized(std::move(plan.nest));
  plan.seams = std::move(common.seams);
  if (plan.nest.bits == 4) widen_halves(plan);
  return plan;
}

Result<ReshapePlan> plan(const PlanOptions& options) {
  if (auto fault = fault_of(options.data, "data")) return *fault;
  if (auto fault = volumes_differ(options.data.shape, options.output)) return *fault;
  if (options.output_layout) {
    if (options.output_layout->shape != options.output) {
      return Error{"the output layout is of " + text(options.output_layout->shape) + ", not of " +
                   text(options.output)};
    }
    if (auto fault = fault_of(*options.output_layout, "output")) return *fault;
  }

  ReshapePlan made;
  if (options.alias_allowed) {
    const std::optional<Layout> view = view_of(options.data, options.output);
    if (view && (!options.output_layout || same_places(*view, *options.output_layout))) {
      made.emplace<AliasPlan>(options.output_layout ? *options.output_layout : *view);
      return made;
    }
  }
  const Layout output = options.output_layout      ? *options.output_layout
                        : is_empty(options.output) ? view_of_nothing(options.output, 0)
                                                   : row_major(options.output);
  Result<CopyPlan> copy = plan_copy(options.type, options.data, output);
  if (!copy) return copy.error();
  made.emplace<CopyPlan>(*std::move(copy));
  return made;
}

}  // namespace reshape::optimized
