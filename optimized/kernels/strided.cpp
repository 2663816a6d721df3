// Any copy of whole bytes: one element after another, with loops that the compiler can see through for the
// usual widths. The last row of the table.
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/strided.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE void Elements(const Step& loop, const Byte* from, Byte* to) {
  std::int64_t i = 0;
  for (; i + 4 <= loop.count; i += 4) {
    T a, b, c, d;
    std::memcpy(&a, from, sizeof(T));
    std::memcpy(&b, from + loop.read, sizeof(T));
    std::memcpy(&c, from + 2 * loop.read, sizeof(T));
    std::memcpy(&d, from + 3 * loop.read, sizeof(T));
    std::memcpy(to, &a, sizeof(T));
    std::memcpy(to + loop.write, &b, sizeof(T));
    std::memcpy(to + 2 * loop.write, &c, sizeof(T));
    std::memcpy(to + 3 * loop.write, &d, sizeof(T));
    from += 4 * loop.read;
    to += 4 * loop.write;
  }
  for (; i < loop.count; ++i, from += loop.read, to += loop.write) CopyAs<T>(from, to);
}

struct Block16 {
  std::uint64_t low, high;
};

void Strided(const Work& work, const std::byte* read, std::byte* write) {
  const Step loop = !work.loops.empty() ? work.loops[0] : Step{};
  const Step outer = work.loops.size() > 1 ? work.loops[1] : Step{};
  for (std::int64_t i = 0; i < outer.count; ++i) {
    const Byte* from = reinterpret_cast<const Byte*>(read) + i * outer.read;
    Byte* to = reinterpret_cast<Byte*>(write) + i * outer.write;
    switch (work.run) {
      case 1: Elements<std::uint8_t>(loop, from, to); break;
      case 2: Elements<std::uint16_t>(loop, from, to); break;
      case 4: Elements<std::uint32_t>(loop, from, to); break;
      case 8: Elements<std::uint64_t>(loop, from, to); break;
      case 16: Elements<Block16>(loop, from, to); break;
      default:
        for (std::int64_t k = 0; k < loop.count; ++k, from += loop.read, to += loop.write) {
          CopyRun(from, to, work.run);
        }
    }
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
