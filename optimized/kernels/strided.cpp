// Any copy of whole bytes, element by element: with compile-time widths for the usual ones, or by a
// list of offsets where the loops are short. The last row of the table.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/strided.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

template <int kBytes>
HWY_INLINE void Elements(const Step& loop, const Byte* from, Byte* to) {
  // A local copy: the stores may alias the members, which would be read again for every element.
  const Step step = loop;
#pragma GCC unroll 4
  for (std::int64_t i = 0; i < step.count; ++i, from += step.read, to += step.write) {
    CopyExactly<kBytes>(from, to);
  }
}

// Walks the loops, the last one outermost.
template <class Inside>
HWY_NOINLINE void WalkFurther(std::span<const Step> loops, const Byte* from, Byte* to,
                              Inside inside);

template <class Inside>
HWY_INLINE void Walk(std::span<const Step> loops, const Byte* from, Byte* to, Inside inside) {
  if (loops.empty()) return inside(from, to);
  const Step& loop = loops.back();
  for (std::int64_t i = 0; i < loop.count; ++i) {
    const Byte* read = from + i * loop.read;
    Byte* write = to + i * loop.write;
    if (loops.size() == 1) {
      inside(read, write);
    } else {
      WalkFurther(loops.first(loops.size() - 1), read, write, inside);
    }
  }
}
template <class Inside>
HWY_NOINLINE void WalkFurther(std::span<const Step> loops, const Byte* from, Byte* to,
                              Inside inside) {
  Walk(loops, from, to, inside);
}

// Offsets of the elements of the innermost loops, computed once, since entering a loop of few steps
// costs more than walking it. As many loops as fit are listed completely, and some steps of the
// next one.
class Places {
 public:
  explicit Places(std::span<const Step> loops) : rest_(loops) {
    while (!rest_.empty() && inside_ * rest_.front().count <= kMost) {
      repeat(rest_.front(), rest_.front().count);
      inside_ *= rest_.front().count;
      rest_ = rest_.subspan(1);
    }
    if (rest_.empty()) return;
    next_ = rest_.front();
    rest_ = rest_.subspan(1);
    at_once_ = HWY_MIN(next_.count, kMost / inside_);
    repeat(next_, at_once_);
  }

  template <class Copy>
  HWY_INLINE void copy(const Byte* from, Byte* to, Copy copy) const {
    Walk(rest_, from, to, [&](const Byte* read, Byte* write) HWY_ATTR {
      for (std::int64_t i = 0; i < next_.count; i += at_once_) {
        const std::int64_t places = inside_ * HWY_MIN(at_once_, next_.count - i);
#pragma GCC unroll 4
        for (std::int64_t k = 0; k < places; ++k) copy(read + read_[k], write + write_[k]);
        read += at_once_ * next_.read;
        write += at_once_ * next_.write;
      }
    });
  }

 private:
  static constexpr std::int64_t kMost = 256;

  void repeat(const Step& loop, std::int64_t times) {
    for (std::int64_t i = 1; i < times; ++i) {
      for (std::int64_t k = 0; k < inside_; ++k) {
        read_[i * inside_ + k] = read_[k] + i * loop.read;
        write_[i * inside_ + k] = write_[k] + i * loop.write;
      }
    }
  }

  std::int64_t read_[kMost] = {0}, write_[kMost] = {0};
  std::int64_t inside_ = 1;  // places of the loops that are listed completely
  Step next_;                // the loop of which at_once_ steps are listed
  std::int64_t at_once_ = 1;
  std::span<const Step> rest_;
};

HWY_INLINE bool worth_listing(std::span<const Step> loops) {
  constexpr std::int64_t kFew = 16;
  return loops.size() > 1 && loops[0].count < kFew;
}

template <int kBytes>
HWY_INLINE void All(std::span<const Step> loops, const Byte* from, Byte* to) {
  if (worth_listing(loops)) {
    const Places places(loops);
    return places.copy(
        from, to, [](const Byte* read, Byte* write) HWY_ATTR { CopyExactly<kBytes>(read, write); });
  }
  const Step loop = loops.empty() ? Step{} : loops[0];
  Walk(loops.empty() ? loops : loops.subspan(1), from, to,
       [&loop](const Byte* read, Byte* write) HWY_ATTR { Elements<kBytes>(loop, read, write); });
}

void Strided(const Work& work, const std::byte* read, std::byte* write) {
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  const std::int64_t run = work.run;
  switch (run) {
    case 1: return All<1>(work.loops, from, to);
    case 2: return All<2>(work.loops, from, to);
    case 3: return All<3>(work.loops, from, to);
    case 4: return All<4>(work.loops, from, to);
    case 5: return All<5>(work.loops, from, to);
    case 6: return All<6>(work.loops, from, to);
    case 7: return All<7>(work.loops, from, to);
    case 8: return All<8>(work.loops, from, to);
    case 12: return All<12>(work.loops, from, to);
    case 16: return All<16>(work.loops, from, to);
    default:
      if (run < 16 && worth_listing(work.loops)) {
        const Places places(work.loops);
        return places.copy(from, to,
                           [run](const Byte* in, Byte* out) HWY_ATTR { CopyShort(in, out, run); });
      }
      Walk(work.loops, from, to,
           [run](const Byte* in, Byte* out) HWY_ATTR { CopyRun(in, out, run); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Strided);
const Run* strided_runs() { return HWY_DISPATCH_TABLE(Strided); }
}  // namespace reshape::optimized
#endif
