#include "conformance/adapter/contract/inferred.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "conformance/text/printable.h"

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

Status status_of(int answer) {
  switch (answer) {
    case RESHAPE_OK: return Status::ok;
    case RESHAPE_REJECTED: return Status::rejected;
    case RESHAPE_UNSUPPORTED: return Status::unsupported;
    case RESHAPE_FAILED: return Status::failed;
    default: return Status::unknown;
  }
}

std::string text_of(const reshape_message& message) {
  return printable({message.text, strnlen(message.text, sizeof message.text)}, kBriefly);
}

Inferred read_inference(int answer, const ShapeReceiver& receiver, const reshape_message& message) {
  Inferred inferred;
  inferred.status = status_of(answer);
  if (inferred.status == Status::ok) {
    Result<Shape> shape = receiver.read();
    if (shape) {
      inferred.shape = std::move(shape).value();
    } else {
      inferred.malformed = shape.error().message;
    }
    return inferred;
  }
  const bool no_shape = answer == RESHAPE_NO_SHAPE;
  if (inferred.status == Status::unknown && !no_shape) {
    inferred.malformed =
        "the status " + std::to_string(answer) + ", which the contract does not have";
    return inferred;
  }
  inferred.message = text_of(message);
  if (inferred.status == Status::failed || no_shape) {
    inferred.malformed = no_shape ? "what is no shape" : "failed";
    if (!inferred.message.empty()) inferred.malformed += ": " + inferred.message;
  }
  return inferred;
}

std::string text(const Inferred& inferred) {
  if (!inferred.malformed.empty()) return inferred.malformed;
  return inferred.status == Status::ok ? text(inferred.shape) : name(inferred.status);
}

}  // namespace reshape::conformance
