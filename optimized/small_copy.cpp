#include "optimized/small_copy.h"

#include <cstring>
#include <span>

namespace reshape::optimized {
namespace {

template <class Block>
void small_loops(std::span<const Loop> loops, const std::byte* read, std::byte* write) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Block));
  if (loops.empty()) {
    std::memcpy(write, read, sizeof(Block));
    return;
  }
  const Loop loop = loops.front();
  if (loops.size() > 1) {
    for (std::int64_t i = 0; i < loop.count; ++i) {
      small_loops<Block>(loops.subspan(1), read + i * loop.source_stride * size,
                         write + i * loop.destination_stride * size);
    }
    return;
  }
  for (std::int64_t i = 0; i < loop.count; ++i) {
    std::memcpy(write + i * loop.destination_stride * size, read + i * loop.source_stride * size,
                sizeof(Block));
  }
}

bool is_few_elements(const LoopNest& nest) {
  constexpr std::int64_t kFewElements = 64;
  if (nest.bits < 8) return false;
  std::int64_t elements = 1;
  for (const Loop& loop : nest.loops) {
    if (__builtin_mul_overflow(elements, loop.count, &elements) || elements > kFewElements) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool is_short_run(const LoopNest& nest) {
  return nest.bits >= 8 && nest.loops.size() == 1 && nest.loops[0].source_stride == 1 &&
         nest.loops[0].destination_stride == 1 &&
         nest.loops[0].count <= kShortRun / (nest.bits / 8);
}

bool is_small(const LoopNest& nest) { return is_short_run(nest) || is_few_elements(nest); }

bool copied_small(const LoopNest& nest, const std::byte* read, std::byte* write) {
  if (!is_small(nest)) return false;
  const std::int64_t size = nest.bits / 8;
  read += nest.read_offset * size;
  write += nest.write_offset * size;
  if (is_short_run(nest)) {
    std::memcpy(write, read, static_cast<std::size_t>(nest.loops[0].count * size));
    return true;
  }
  switch (nest.bits) {
    case 8: small_loops<std::uint8_t>(nest.loops, read, write); return true;
    case 16: small_loops<std::uint16_t>(nest.loops, read, write); return true;
    case 32: small_loops<std::uint32_t>(nest.loops, read, write); return true;
    default: small_loops<std::uint64_t>(nest.loops, read, write); return true;
  }
}

}  // namespace reshape::optimized
