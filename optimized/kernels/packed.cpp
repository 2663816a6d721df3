// Short runs read in short steps, either way, and written one after the other: pixels of three
// bytes mirrored, three channels of four, every fifth byte. A lookup packs as many as a window of
// 16 bytes of the input holds, or of 64 where the target looks bytes up in a whole vector.
#include "optimized/kernels/limits.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/packed.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// A window of the input whose bytes are looked up.
template <std::int64_t kWindow>
struct Window;
template <>
struct Window<16> {
  static HWY_INLINE void pack(const Byte* from, const Byte* places, Byte* to, bool) {
    const hn::Full128<Byte> d;
    hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, from), hn::Load(d, places)), d, to);
  }
};
#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
template <>
struct Window<64> {
  static HWY_INLINE void pack(const Byte* from, const Byte* places, Byte* to, bool few) {
    const __m512i packed =
        _mm512_permutexvar_epi8(_mm512_load_si512(places), _mm512_loadu_si512(from));
    if (few) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_castsi512_si256(packed));
    } else {
      _mm512_storeu_si512(to, packed);
    }
  }
};
#endif

// Runs that are packed out of windows of so many bytes.
template <std::int64_t kWindow>
class Packing {
 public:
  Packing(std::int64_t run, std::int64_t step)
      : run_(run),
        step_(step),
        at_once_(packed_at_once(run, step, kWindow)),
        from_(packed_from(run, step, kWindow)) {
    // Read backwards, the window ends with the first run; forwards, it begins with it.
    const std::int64_t first = step < 0 ? kWindow - run : 0;
    begin_ = -first;
    few_ = 2 * at_once_ * run <= kWindow;
    std::int64_t i = 0;
    for (std::int64_t which = 0; which < at_once_; ++which) {
      for (std::int64_t k = 0; k < run; ++k) {
        places_[i++] = static_cast<Byte>(first + which * step + k);
      }
    }
    for (; i < kWindow; ++i) places_[i] = 0;  // overwritten by the next vector
  }

  // Packs as many of `n` runs as it can, and returns how many are left. Each vector is written
  // whole, and what lies behind its runs is overwritten by the next one: so the last runs are left,
  // as are those whose window would go past the input.
  HWY_INLINE std::int64_t row(const Byte*& from, Byte*& to, std::int64_t n) const {
    if (at_once_ < 2) return n;
    for (; n >= from_; n -= at_once_) {
      Window<kWindow>::pack(from + begin_, places_, to, few_);
      from += at_once_ * step_;
      to += at_once_ * run_;
    }
    return n;
  }

 private:
  alignas(kWindow) Byte places_[kWindow];
  std::int64_t run_, step_, at_once_, from_, begin_;
  bool few_;  // half a window holds what is packed
};

void Packed(const Work& work, const std::byte* read, std::byte* write) {
  const Step run = work.loops[0];
  const Step row = work.loops.size() > 1 ? work.loops[1] : Step{};
#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
  const Packing<64> many(work.run, run.read);
#endif
  const Packing<16> packing(work.run, run.read);
  for (std::int64_t i = 0; i < row.count; ++i) {
    const Byte* from = reinterpret_cast<const Byte*>(read) + i * row.read;
    Byte* to = reinterpret_cast<Byte*>(write) + i * row.write;
    std::int64_t left = run.count;
#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
    left = many.row(from, to, left);
#endif
    left = packing.row(from, to, left);
    for (; left > 0; --left, from += run.read, to += work.run) CopyShort(from, to, work.run);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Packed);
const Run* packed_runs() { return HWY_DISPATCH_TABLE(Packed); }
}  // namespace reshape::optimized
#endif
