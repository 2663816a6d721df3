#include "conformance/adapter/contract/shape_receiver.h"

#include <algorithm>

namespace reshape::conformance {
namespace {

// Poison: different values that nobody would answer as a rank or a size.
constexpr std::int32_t kRanks[] = {-1515870811, 1515870810};
constexpr std::int64_t kSizes[] = {-6510615555426900571, 6510615555426900570};

}  // namespace

bool ShapeReceiver::arm(std::size_t most, bool other) {
  // Once with room to spare, once with none: a scalar's shape needs no room.
  const std::size_t room = other ? most : std::max<std::size_t>(most, 64) + 8;
  return place(room, other ? Probe::Placement::front : Probe::Placement::back, other);
}

bool ShapeReceiver::arm_short(std::size_t most) {
  return place(most, Probe::Placement::back, false);
}

bool ShapeReceiver::place(std::size_t room, Probe::Placement placement, bool other) {
  if (!sizes_.place(static_cast<std::int64_t>(room * sizeof(std::int64_t)), 0,
                    alignof(std::int64_t), placement) ||
      !struct_.place(sizeof(reshape_shape), 0, alignof(reshape_shape), placement)) {
    return false;
  }
  auto* sizes = reinterpret_cast<std::int64_t*>(sizes_.bytes().data());
  std::fill_n(sizes, room, kSizes[other]);
  shape_ = reinterpret_cast<reshape_shape*>(struct_.bytes().data());
  *shape_ = {static_cast<std::int32_t>(room), kRanks[other], sizes};
  site_ = {shape_, sizes, shape_->capacity, shape_->rank, kSizes[other]};
  return true;
}

void ShapeReceiver::append_buffers(std::vector<const GuardedBuffer*>& buffers) const {
  buffers.push_back(&sizes_);
  buffers.push_back(&struct_);
}

Result<Shape> ShapeReceiver::read() const {
  const std::int32_t rank = shape_->rank;
  if (rank == site_.rank_before) return Error{"ok without writing a rank"};
  if (rank < 0 || rank > site_.capacity) {
    return Error{"a rank of " + std::to_string(rank) + ", the capacity is " +
                 std::to_string(site_.capacity)};
  }
  std::vector<std::int64_t> sizes(site_.sizes, site_.sizes + rank);
  for (std::int64_t size : sizes) {
    if (size == site_.size_before) return Error{"ok without writing all sizes"};
    if (size < 0) return Error{"the sizes " + text_of_sizes(sizes)};
  }
  return Shape(std::move(sizes));
}

}  // namespace reshape::conformance
