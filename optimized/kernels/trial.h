#pragma once

// One copy on buffers with guards, compared with the naive walk. For the tests of the kernels.

#include <sys/mman.h>

#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "optimized/execute.h"
#include "optimized/naive_walk.h"

namespace reshape::optimized {

// Bytes that end with a page, or begin with one, between pages that nobody may read: sanitizers do
// not see what a gather instruction reads.
class BetweenPages {
 public:
  BetweenPages(std::size_t size, bool at_end) : room_((size + kPage - 1) / kPage * kPage) {
    all_ = static_cast<std::byte*>(mmap(nullptr, room_ + 2 * kPage, PROT_NONE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    mprotect(all_ + kPage, room_, PROT_READ | PROT_WRITE);
    bytes_ = {all_ + kPage + (at_end ? room_ - size : 0), size};
  }
  ~BetweenPages() { munmap(all_, room_ + 2 * kPage); }
  BetweenPages(const BetweenPages&) = delete;
  BetweenPages& operator=(const BetweenPages&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kPage = 4096;
  std::size_t room_;
  std::byte* all_;
  std::span<std::byte> bytes_;
};

// Buffers for one nest: the reader's bytes are random, the writer's poisoned, and each begins its
// first element `shift` bytes behind the beginning of a line.
class Trial {
 public:
  Trial(const LoopNest& nest, int read_shift, int write_shift)
      : nest_(nest), read_shift_(read_shift), write_shift_(write_shift) {
    shift_to_zero(&Loop::source_stride, nest_.read_offset, read_size_);
    shift_to_zero(&Loop::destination_stride, nest_.write_offset, write_size_);
    // Exactly as long as what is touched. Half of the nests end with a page, the others begin with
    // one, as far as they are to begin behind a line.
    const auto size = static_cast<std::size_t>(read_shift + read_size_);
    read_.emplace(size, read_size_ / kAlign % 2 == 0);
    std::mt19937 random(7);
    for (std::byte& byte : read_->bytes()) byte = static_cast<std::byte>(random());
    expected_ = poisoned();
    naive_walk(nest_, read_at(), write_at(expected_));
  }

  // The first difference, or nothing. `run` is given the nest and both bases.
  template <class RunIt>
  std::string difference(RunIt run) {
    const std::span<const std::byte> now = read_->bytes();
    const std::vector<std::byte> before(now.begin(), now.end());
    std::vector<std::byte> written = poisoned();
    run(nest_, read_at(), write_at(written));
    // In one call each: under a sanitizer, a byte at a time costs more than the copies do.
    if (std::memcmp(now.data(), before.data(), now.size()) != 0) {
      return "the reader's bytes changed";
    }
    const std::byte* got = aligned(written) - kGuard;
    const std::byte* want = aligned(expected_) - kGuard;
    const std::int64_t all = 2 * kGuard + write_shift_ + write_size_;
    if (std::memcmp(got, want, static_cast<std::size_t>(all)) == 0) return {};
    for (std::int64_t i = 0; i < all; ++i) {
      if (got[i] != want[i]) {
        return "byte " + std::to_string(i - kGuard - write_shift_) + " is " +
               std::to_string(std::to_integer<int>(got[i])) + ", not " +
               std::to_string(std::to_integer<int>(want[i]));
      }
    }
    return {};
  }

  const LoopNest& nest() const { return nest_; }

 private:
  static constexpr std::int64_t kAlign = 64, kGuard = 128;

  void shift_to_zero(std::int64_t Loop::* step, std::int64_t& offset, std::int64_t& size) {
    const Touched range = touched(nest_, step, offset);
    offset = range.last < range.first ? 0 : offset - range.first;
    size = ((range.last - range.first + 1) * nest_.bits + 7) / 8;
    if (nest_.bits == 4) {  // keeps the half that the first element is in
      offset += range.first & 1;
      size = (range.last - range.first + 1 + (range.first & 1) + 1) / 2;
    }
  }
  std::vector<std::byte> poisoned() const {
    return std::vector<std::byte>(
        static_cast<std::size_t>(kAlign + 2 * kGuard + write_shift_ + write_size_),
        std::byte{0xA5});
  }
  static std::byte* aligned(std::vector<std::byte>& bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(bytes.data() + kGuard);
    return bytes.data() + kGuard + (kAlign - at % kAlign) % kAlign;
  }
  const std::byte* read_at() {
    return read_->bytes().last(static_cast<std::size_t>(read_size_)).data();
  }
  std::byte* write_at(std::vector<std::byte>& bytes) { return aligned(bytes) + write_shift_; }

  LoopNest nest_;
  int read_shift_, write_shift_;
  std::int64_t read_size_ = 0, write_size_ = 0;
  std::optional<BetweenPages> read_;
  std::vector<std::byte> expected_;
};

inline std::string text(const LoopNest& nest) {
  std::string text = std::to_string(nest.bits) + " bits:";
  for (const Loop& loop : nest.loops) {
    text += ' ' + std::to_string(loop.count) + '(' + std::to_string(loop.source_stride) + "->" +
            std::to_string(loop.destination_stride) + ')';
  }
  return text;
}

// Dense loops of those sizes on the writer's side, each widened by `gaps`; the reader walks the
// same elements with its axes in the order `permuted` (permuted[i]: which writer axis is the
// reader's i-th, outermost first).
inline LoopNest permuted_nest(int bits, const std::vector<std::int64_t>& sizes,
                              const std::vector<std::size_t>& permuted, std::int64_t read_gap = 0,
                              std::int64_t write_gap = 0) {
  LoopNest nest;
  nest.bits = bits;
  nest.loops.resize(sizes.size());
  std::int64_t read = 1, write = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    nest.loops[i].count = sizes[i];
    nest.loops[i].destination_stride = write;
    write = write * sizes[i] + (i > 0 ? write_gap : 0);
    Loop& loop = nest.loops[permuted[i]];
    loop.source_stride = read;
    read = read * sizes[permuted[i]] + (i > 0 ? read_gap : 0);
  }
  return nest;
}

}  // namespace reshape::optimized
