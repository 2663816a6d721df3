// A run read in short steps, forwards or backwards, and written whole: every second, third or
// fourth element, or all of them from the last to the first.
#include "optimized/kernels/limits.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/steps.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/stage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Reverses the elements of a vector: within each 16 bytes by a lookup, then the 16-byte blocks.
template <class D>
HWY_INLINE hn::Vec<D> Backwards(D d, hn::Vec<D> v) {
  constexpr Byte size = sizeof(hn::TFromD<D>);
  alignas(16) Byte places[16];
  for (Byte i = 0; i < 16; ++i) places[i] = static_cast<Byte>(16 - size - i + 2 * (i % size));
  const hn::Repartition<Byte, D> bytes;
  const auto turned = hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, places));
  return hn::ReverseBlocks(d, hn::BitCast(d, turned));
}

// One vector of every kStep-th element from `in` on.
template <int kStep, class D>
HWY_INLINE hn::Vec<D> Pick(D d, const hn::TFromD<D>* in) {
  if constexpr (kStep == -1) {
    return Backwards(d, hn::LoadU(d, in - (hn::MaxLanes(d) - 1)));
  } else if constexpr (kStep == 2) {
    return hn::ConcatEven(d, hn::LoadU(d, in + hn::MaxLanes(d)), hn::LoadU(d, in));
  } else {
    hn::Vec<D> first, second, third, fourth;
    if constexpr (kStep == 3) {
      hn::LoadInterleaved3(d, in, first, second, third);
    } else {
      hn::LoadInterleaved4(d, in, first, second, third, fourth);
    }
    return first;
  }
}

// Rows that are shorter than the widest vector.
template <class T>
using Narrow = hn::CappedTag<T, 16 / sizeof(T)>;

template <class D, int kStep, bool kStream>
HWY_INLINE void Picked(const Byte* from, Byte* to, std::int64_t n) {
  using T = hn::TFromD<D>;
  const D d;
  constexpr std::int64_t size = sizeof(T), step = kStep * size;
  constexpr std::int64_t lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  // Forwards, a vector that ends with the last element would read past it, possibly past the
  // buffer: so that element is copied alone.
  constexpr std::int64_t spare = kStep == -1 ? 0 : 1;
  constexpr std::int64_t kAhead = kStep * 1024;
  std::int64_t i = 0;
  if constexpr (kStream) {
    const std::int64_t past = PastLine(to);
    const std::int64_t head = past == 0 ? 0 : HWY_MIN(n, (kLine - past) / size);
    for (; i < head; ++i) CopyExactly<sizeof(T)>(from + i * step, to + i * size);
  }
  // Around the caches whole lines leave: one that is touched after that has to come back.
  constexpr std::int64_t together = HWY_MAX(lanes, kLine / size);
  const std::int64_t last = kStream ? i + (n - spare - i) / together * together : n - spare;
  for (; i + lanes <= last; i += lanes) {
    const Byte* in = from + i * step;
    T* out = reinterpret_cast<T*>(to + i * size);
    const auto v = Pick<kStep>(d, reinterpret_cast<const T*>(in));
    if constexpr (kStream) {
      for (std::int64_t line = 0; line < lanes * size; line += kLine) {
#pragma GCC unroll 4
        for (int k = 0; k < (kStep < 0 ? 1 : kStep); ++k) {
          hwy::Prefetch(in + kAhead + line + k * kLine);
        }
      }
      hn::Stream(v, d, out);
    } else {
      hn::StoreU(v, d, out);
    }
  }
  if constexpr (kStream) {
    return Picked<Narrow<T>, kStep, false>(from + i * step, to + i * size, n - i);
  }
  // The last vector ends with the run, and overlaps the one before.
  if (i < n && n >= lanes + spare) {
    i = n - lanes - spare;
    const auto v = Pick<kStep>(d, reinterpret_cast<const T*>(from + i * step));
    hn::StoreU(v, d, reinterpret_cast<T*>(to + i * size));
    i += lanes;
  }
  for (; i < n; ++i) CopyExactly<sizeof(T)>(from + i * step, to + i * size);
}

// One row after the other, through the caches.
template <class T, int kStep>
HWY_INLINE void Rows(const Step& row, std::int64_t n, const Byte* from, Byte* to) {
  using Widest = hn::ScalableTag<T>;
  const bool wide = n > static_cast<std::int64_t>(hn::MaxLanes(Widest()));
  for (std::int64_t i = 0; i < row.count; ++i, from += row.read, to += row.write) {
    if (wide) {
      Picked<Widest, kStep, false>(from, to, n);
    } else {
      Picked<Narrow<T>, kStep, false>(from, to, n);
    }
  }
}

template <class T, int kStep>
HWY_NOINLINE void InSteps(const Work& work, const std::byte* read, std::byte* write) {
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t n = work.loops[0].count, run = n * size;
  const Step row = work.loops.size() > 1 ? work.loops[1] : Step{};
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  const bool streams = work.stream && PastLine(to) % size == 0 && row.write % size == 0;
  // Short rows that share lines are sent together, or not around the caches where they are apart.
  const bool shares_lines = row.count > 1 && ((run | row.write | PastLine(to)) & (kLine - 1)) != 0;
  const bool together = shares_lines && run < kTogether / 2;
  if (!streams || (together && row.write != run)) return Rows<T, kStep>(row, n, from, to);
  if (together) {
    return SendTogether(row, run, from, to,
                        [n](const Step& few, const Byte* in, Byte* stage)
                            HWY_ATTR { Rows<T, kStep>(few, n, in, stage); });
  }
  for (std::int64_t i = 0; i < row.count; ++i) {
    Picked<hn::ScalableTag<T>, kStep, true>(from + i * row.read, to + i * row.write, n);
  }
}

template <class T>
HWY_INLINE void Steps(const Work& work, const std::byte* read, std::byte* write) {
  static_assert(kLongestStep == 4);
  switch (work.loops[0].read / static_cast<std::int64_t>(sizeof(T))) {
    case -1: return InSteps<T, -1>(work, read, write);
    case 2: return InSteps<T, 2>(work, read, write);
    case 3: return InSteps<T, 3>(work, read, write);
    default: return InSteps<T, 4>(work, read, write);
  }
}

void Steps1(const Work& w, const std::byte* r, std::byte* o) { Steps<std::uint8_t>(w, r, o); }
void Steps2(const Work& w, const std::byte* r, std::byte* o) { Steps<std::uint16_t>(w, r, o); }
void Steps4(const Work& w, const std::byte* r, std::byte* o) { Steps<std::uint32_t>(w, r, o); }
void Steps8(const Work& w, const std::byte* r, std::byte* o) { Steps<std::uint64_t>(w, r, o); }

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Steps1);
HWY_EXPORT(Steps2);
HWY_EXPORT(Steps4);
HWY_EXPORT(Steps8);
const Run* step_runs(std::int64_t bytes) {
  switch (bytes) {
    case 1: return HWY_DISPATCH_TABLE(Steps1);
    case 2: return HWY_DISPATCH_TABLE(Steps2);
    case 4: return HWY_DISPATCH_TABLE(Steps4);
    default: return HWY_DISPATCH_TABLE(Steps8);
  }
}
}  // namespace reshape::optimized
#endif
