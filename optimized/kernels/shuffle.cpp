// Short blocks whose elements only change places, one block after the other on both sides: each is
// read whole and written whole, by lookups in vectors that are worked out once per call.
#include "optimized/kernels/limits.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/shuffle.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Blocks that are turned together, so that the vectors are filled.
struct Group {
  std::int64_t blocks, bytes;
  std::int64_t run, runs;
  // Where each run of the output comes from, in bytes from the group's beginning.
  std::int16_t from[kMostShuffled];
};

void Places(const Work& work, Group& group) {
  constexpr std::int64_t kEnough = 192;
  const std::size_t inside = work.loops.size() - 1;
  const Step& next = work.loops[inside];
  group.run = work.run;
  group.blocks = HWY_MIN(HWY_MAX(1, kEnough / next.write), next.count);
  group.bytes = group.blocks * next.write;
  group.runs = group.bytes / group.run;
  for (std::int64_t i = 0; i < group.runs; ++i) {
    std::int64_t rest = i, from = 0;
    for (const Step& loop : work.loops.first(inside)) {
      from += rest % loop.count * loop.read;
      // Of a loop that is read backwards the beginning is its last step.
      if (loop.read < 0) from -= loop.read * (loop.count - 1);
      rest /= loop.count;
    }
    group.from[i] = static_cast<std::int16_t>(from + rest * next.read);
  }
}

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86

inline constexpr std::int64_t kVector = 64;

// What is looked up: bytes, or pairs of them where the processor cannot look up bytes.
#if HWY_TARGET <= HWY_AVX3_DL
using Lane = std::uint8_t;
using Taken = __mmask64;
HWY_INLINE __m512i Look(Taken taken, __m512i first, __m512i index, __m512i second) {
  return _mm512_maskz_permutex2var_epi8(taken, first, index, second);
}
#else
using Lane = std::uint16_t;
using Taken = __mmask32;
HWY_INLINE __m512i Look(Taken taken, __m512i first, __m512i index, __m512i second) {
  return _mm512_maskz_permutex2var_epi16(taken, first, index, second);
}
#endif

// A group is held in registers; each vector of the output is looked up in pairs of them.
class Lookups {
 public:
  // False where the group is too short for it, or not made of what can be looked up.
  bool plan(const Group& group) {
    if (group.bytes < kVector || group.run % kLaneBytes != 0) return false;
    bytes_ = group.bytes;
    vectors_ = (bytes_ + kVector - 1) / kVector;
    for (std::int64_t o = 0; o < vectors_; ++o) {
      for (std::int64_t pair = 0; 2 * pair < vectors_; ++pair) {
        taken_[o][pair] = 0;
        for (std::int64_t k = 0; k < kLanes; ++k) {
          const std::int64_t at = begin(o) + k * kLaneBytes;
          const std::int64_t from = group.from[at / group.run] + at % group.run;
          const std::int64_t vector = HWY_MIN(from / kVector, vectors_ - 1);
          if (vector / 2 != pair) continue;
          taken_[o][pair] |= Taken{1} << k;
          index_[o][pair][k] =
              static_cast<Lane>(vector % 2 * kLanes + (from - begin(vector)) / kLaneBytes);
        }
      }
    }
    return true;
  }

  HWY_INLINE void turn(std::int64_t groups, const Byte* from, Byte* to) const {
    switch (vectors_) {
      case 1: return turn_all<1>(groups, from, to);
      case 2: return turn_all<2>(groups, from, to);
      case 3: return turn_all<3>(groups, from, to);
      case 4: return turn_all<4>(groups, from, to);
      case 5: return turn_all<5>(groups, from, to);
      case 6: return turn_all<6>(groups, from, to);
      case 7: return turn_all<7>(groups, from, to);
      default: return turn_all<8>(groups, from, to);
    }
  }

 private:
  // The last vector begins early enough to end with the group.
  HWY_INLINE std::int64_t begin(std::int64_t vector) const {
    return HWY_MIN(vector * kVector, bytes_ - kVector);
  }

  template <int kVectors>
  HWY_NOINLINE void turn_all(std::int64_t groups, const Byte* from, Byte* to) const {
    for (; groups > 0; --groups, from += bytes_, to += bytes_) {
      __m512i in[kVectors];
#pragma GCC unroll 8
      for (int i = 0; i < kVectors; ++i) in[i] = _mm512_loadu_si512(from + begin(i));
#pragma GCC unroll 8
      for (int o = 0; o < kVectors; ++o) {
        __m512i out = _mm512_setzero_si512();
#pragma GCC unroll 4
        for (int pair = 0; 2 * pair < kVectors; ++pair) {
          const __m512i second = in[HWY_MIN(2 * pair + 1, kVectors - 1)];
          const __m512i index = _mm512_load_si512(index_[o][pair]);
          out = _mm512_or_si512(out, Look(taken_[o][pair], in[2 * pair], index, second));
        }
        _mm512_storeu_si512(to + begin(o), out);
      }
    }
  }

  static constexpr std::int64_t kLaneBytes = sizeof(Lane), kLanes = kVector / kLaneBytes;
  static constexpr std::int64_t kMost = kMostShuffled / kVector;
  alignas(kVector) Lane index_[kMost][kMost / 2][kLanes] = {};
  Taken taken_[kMost][kMost / 2];
  std::int64_t bytes_ = 0, vectors_ = 0;
};

#else

// Narrower vectors would need about as many lookups as there are elements.
class Lookups {
 public:
  bool plan(const Group&) { return false; }
  void turn(std::int64_t, const Byte*, Byte*) const {}
};

#endif

template <class T>
HWY_INLINE void ByRuns(const Group& group, std::int64_t runs, const Byte* from, Byte* to) {
  for (std::int64_t i = 0; i < runs; ++i) {
    CopyAs<T>(from + group.from[i], to + i * static_cast<std::int64_t>(sizeof(T)));
  }
}

HWY_INLINE void OneByOne(const Group& group, std::int64_t runs, const Byte* from, Byte* to) {
  switch (group.run) {
    case 1: return ByRuns<std::uint8_t>(group, runs, from, to);
    case 2: return ByRuns<std::uint16_t>(group, runs, from, to);
    case 4: return ByRuns<std::uint32_t>(group, runs, from, to);
    case 8: return ByRuns<std::uint64_t>(group, runs, from, to);
    default:
      for (std::int64_t i = 0; i < runs; ++i) {
        CopyShort(from + group.from[i], to + i * group.run, group.run);
      }
  }
}

void Shuffle(const Work& work, const std::byte* read, std::byte* write) {
  const Byte* from = reinterpret_cast<const Byte*>(read);
  Byte* to = reinterpret_cast<Byte*>(write);
  for (const Step& loop : work.loops) {
    if (loop.read < 0) from += loop.read * (loop.count - 1);
  }
  Group group;
  Places(work, group);
  Lookups lookups;
  const bool by_lookups = lookups.plan(group);
  const auto turn = [&](std::int64_t groups, const Byte* at, Byte* out) HWY_ATTR {
    if (by_lookups) return lookups.turn(groups, at, out);
    for (std::int64_t i = 0; i < groups; ++i) {
      OneByOne(group, group.runs, at + i * group.bytes, out + i * group.bytes);
    }
  };

  std::int64_t groups = work.loops.back().count / group.blocks;
  const std::int64_t rest = work.loops.back().count % group.blocks;
  if (work.stream) {
    // Groups do not end with lines: a few of them are gathered, and leave together.
    constexpr std::int64_t kStage = 4096;
    alignas(64) Byte stage[kStage];
    const std::int64_t most = kStage / group.bytes;
    while (groups > 0) {
      const std::int64_t few = HWY_MIN(most, groups);
      turn(few, from, stage);
      StreamRun(stage, to, few * group.bytes, 0);
      from += few * group.bytes;
      to += few * group.bytes;
      groups -= few;
    }
  }
  turn(groups, from, to);
  OneByOne(group, rest * (group.runs / group.blocks), from + groups * group.bytes,
           to + groups * group.bytes);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Shuffle);
const Run* shuffle_runs() { return HWY_DISPATCH_TABLE(Shuffle); }
}  // namespace reshape::optimized
#endif
