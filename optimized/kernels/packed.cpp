// Short runs read in short steps, either way, and written one after the other: pixels of three bytes
// mirrored, three channels of four, every fifth byte. A lookup packs as many as 16 bytes of the input hold.
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

class Packing {
 public:
  Packing(std::int64_t run, std::int64_t step)
      : run_(run), step_(step), at_once_(packed_at_once(run, step)) {
    // Read backwards, the 16 bytes end with the first run; forwards, they begin with it.
    const std::int64_t first = step < 0 ? kWindow - run : 0;
    begin_ = -first;
    for (std::int64_t i = 0; i < kWindow; ++i) {
      const std::int64_t which = HWY_MIN(i / run, at_once_ - 1);
      places_[i] = static_cast<Byte>(first + which * step + i % run);
    }
  }

  // `n` runs. A vector is written whole, and what it has past its runs is written over by the next: so the
  // last ones, and those whose 16 bytes would go past what is read, go one by one.
  HWY_INLINE void row(const Byte* from, Byte* to, std::int64_t n) const {
    const hn::Full128<Byte> d;
    const auto places = hn::Load(d, places_);
    const std::int64_t far = step_ < 0 ? -step_ : step_;
    const auto whole = [&](std::int64_t left) {
      return left * run_ >= kWindow && (left - 1) * far + run_ >= kWindow;
    };
    for (; whole(n); n -= at_once_) {
      hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, from + begin_), places), d, to);
      from += at_once_ * step_;
      to += at_once_ * run_;
    }
    for (; n > 0; --n, from += step_, to += run_) CopyShort(from, to, run_);
  }

 private:
  static constexpr std::int64_t kWindow = 16;
  alignas(kWindow) Byte places_[kWindow];
  std::int64_t run_, step_, at_once_, begin_;
};

void Packed(const Work& work, const std::byte* read, std::byte* write) {
  const Step run = work.loops[0];
  const Step row = work.loops.size() > 1 ? work.loops[1] : Step{};
  const Packing packing(work.run, run.read);
  for (std::int64_t i = 0; i < row.count; ++i) {
    packing.row(reinterpret_cast<const Byte*>(read) + i * row.read,
                reinterpret_cast<Byte*>(write) + i * row.write, run.count);
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
