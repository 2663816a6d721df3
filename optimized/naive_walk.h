#pragma once

// What tests compare with: the loops of a nest, walked element by element.

#include <cstddef>
#include <cstdint>
#include <span>

#include "optimized/loop_nest.h"

namespace reshape::optimized {

inline void naive_element(int bits, const std::byte* read, std::int64_t from, std::byte* write,
                          std::int64_t to) {
  if (bits == 4) {
    const unsigned value = (std::to_integer<unsigned>(read[from >> 1]) >> ((from & 1) * 4)) & 15u;
    const unsigned kept = std::to_integer<unsigned>(write[to >> 1]) & ((to & 1) != 0 ? 15u : 240u);
    write[to >> 1] = static_cast<std::byte>(kept | (value << ((to & 1) * 4)));
    return;
  }
  for (int i = 0; i < bits / 8; ++i) write[to * (bits / 8) + i] = read[from * (bits / 8) + i];
}

inline void naive_walk(int bits, std::span<const Loop> loops, const std::byte* read,
                       std::int64_t from, std::byte* write, std::int64_t to) {
  if (loops.empty()) return naive_element(bits, read, from, write, to);
  for (std::int64_t i = 0; i < loops.front().count; ++i) {
    naive_walk(bits, loops.subspan(1), read, from + i * loops.front().source_stride, write,
               to + i * loops.front().destination_stride);
  }
}

inline void naive_walk(const LoopNest& nest, const std::byte* read, std::byte* write) {
  naive_walk(nest.bits, nest.loops, read, nest.read_offset, write, nest.write_offset);
}

// The positions that one side of a nest touches: first and last.
struct Touched {
  std::int64_t first = 0, last = 0;
};
inline Touched touched(const LoopNest& nest, std::int64_t Loop::* step, std::int64_t offset) {
  Touched range{offset, offset};
  for (const Loop& loop : nest.loops) {
    if (loop.count == 0) return {0, -1};
    const std::int64_t far = (loop.count - 1) * loop.*step;
    (far < 0 ? range.first : range.last) += far;
  }
  return range;
}

}  // namespace reshape::optimized
