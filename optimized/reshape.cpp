#include "optimized/reshape.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "optimized/small_copy.h"

namespace reshape::optimized {

namespace {

bool nothing_to_copy(const LoopNest& nest) {
  return !nest.loops.empty() && nest.loops.front().count == 0;
}

// True when every element is read from where it is written to.
bool already_there(const CopyPlan& plan, std::int64_t read_address, std::int64_t write_address) {
  const LoopNest& nest = plan.nest;
  return plan.seams.empty() &&
         (read_address - write_address) * 8 == (nest.write_offset - nest.read_offset) * nest.bits &&
         std::all_of(nest.loops.begin(), nest.loops.end(), [](const Loop& loop) {
           return loop.source_stride == loop.destination_stride;
         });
}

bool overlap(const CopyPlan& plan, std::int64_t read_address, std::int64_t write_address) {
  return read_address + plan.read_bytes.begin < write_address + plan.write_bytes.end &&
         write_address + plan.write_bytes.begin < read_address + plan.read_bytes.end;
}

// Calls `copy` unless there is nothing to copy, or nothing may be copied.
template <typename Copy>
Ran run_checked(const CopyPlan& plan, const std::byte* read_base, const std::byte* write_base,
                Copy copy) {
  if (nothing_to_copy(plan.nest)) return Ran::copied;
  if (read_base == nullptr || write_base == nullptr) return Ran::no_buffer;
  const auto read_address = reinterpret_cast<std::intptr_t>(read_base);
  const auto write_address = reinterpret_cast<std::intptr_t>(write_base);
  if (overlap(plan, read_address, write_address)) {
    return already_there(plan, read_address, write_address) ? Ran::in_place : Ran::overlap;
  }
  copy();
  return Ran::copied;
}

}  // namespace

Ran run(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base, ThreadPool* pool) {
  return run_checked(plan, read_base, write_base,
                     [&] { run_copy(plan, read_base, write_base, pool); });
}

bool run_stretch(ElementType type, const Side& data, const Side& output, const std::byte* read_base,
                 std::byte* write_base) {
  const int width = bits(type);
  if (width < 8 || data.volume != output.volume || data.volume > kShortRun / (width / 8) ||
      read_base == nullptr || write_base == nullptr) {
    return false;
  }
  const std::int64_t size = width / 8;
  const std::byte* read = read_base + data.layout.offset * size;
  std::byte* write = write_base + output.layout.offset * size;
  const auto bytes = static_cast<std::size_t>(data.volume * size);
  const auto distance =
      reinterpret_cast<std::uintptr_t>(write) - reinterpret_cast<std::uintptr_t>(read);
  if (distance + bytes < 2 * bytes) return false;
  std::memcpy(write, read, bytes);
  return true;
}

Ran run(const CopyPlan& plan, const PreparedCopy& copy, const std::byte* read_base,
        std::byte* write_base) {
  return run_checked(plan, read_base, write_base,
                     [&] { copy.run(read_base, write_base, nullptr); });
}

}  // namespace reshape::optimized
