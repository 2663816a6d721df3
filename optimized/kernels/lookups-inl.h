// Permutes elements among a few vectors, by lookups in pairs of them. Included once per target.
#if defined(RESHAPE_LOOKUPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_LOOKUPS_INL_H
#undef RESHAPE_LOOKUPS_INL_H
#else
#define RESHAPE_LOOKUPS_INL_H
#endif

#include <atomic>
#include <new>
#include <type_traits>

#include "optimized/kernels/bytes-inl.h"
#include "optimized/kernels/limits.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86

inline constexpr std::int64_t kVector = 64;

// The narrowest lane, in bytes, that the target's lookups move.
#if HWY_TARGET <= HWY_AVX3_DL
inline constexpr std::int64_t kNarrowest = 1;
#else
inline constexpr std::int64_t kNarrowest = 2;
#endif

// The lookup for each width of a lane. Lanes whose mask bit is 0 become 0.
template <class Lane>
struct LookupOf;
#if HWY_TARGET <= HWY_AVX3_DL
template <>
struct LookupOf<std::uint8_t> {
  using Taken = __mmask64;
  static HWY_INLINE __m512i look(Taken taken, __m512i first, __m512i index, __m512i second) {
    return _mm512_maskz_permutex2var_epi8(taken, first, index, second);
  }
};
#endif
template <>
struct LookupOf<std::uint16_t> {
  using Taken = __mmask32;
  static HWY_INLINE __m512i look(Taken taken, __m512i first, __m512i index, __m512i second) {
    return _mm512_maskz_permutex2var_epi16(taken, first, index, second);
  }
};
template <>
struct LookupOf<std::uint32_t> {
  using Taken = __mmask16;
  static HWY_INLINE __m512i look(Taken taken, __m512i first, __m512i index, __m512i second) {
    return _mm512_maskz_permutex2var_epi32(taken, first, index, second);
  }
};

// The lookups that permute the lanes of up to kMost vectors.
template <class Lane, int kMost>
class Lookups {
 public:
  static constexpr std::int64_t kLaneBytes = sizeof(Lane), kLanes = kVector / kLaneBytes;

  // Plans for `bytes` bytes, at least one vector and at most kMost. `from(at)` is the byte of the
  // input from which the lane at byte `at` of the output comes; it is called in the order of the
  // output.
  template <class From>
  void plan(std::int64_t bytes, From from) {
    bytes_ = bytes;
    vectors_ = static_cast<int>((bytes + kVector - 1) / kVector);
    for (int o = 0; o < vectors_; ++o) {
      for (int pair = 0; 2 * pair < vectors_; ++pair) taken_[o][pair] = 0;
      for (std::int64_t k = 0; k < kLanes; ++k) {
        const std::int64_t at = from(begin(o) + k * kLaneBytes);
        const std::int64_t vector = HWY_MIN(at / kVector, vectors_ - 1);
        taken_[o][vector / 2] |= static_cast<Taken>(Taken{1} << k);
        index_[o][k] = static_cast<Lane>(vector % 2 * kLanes + (at - begin(vector)) / kLaneBytes);
      }
    }
  }

  // Plans to deal a run of `vectors` vectors to as many rows: lane k of the run becomes lane k /
  // vectors of row k % vectors.
  void plan_rows_of(int vectors) {
    start(vectors);
    for (int o = 0; o < vectors; ++o) {
      for (std::int64_t k = 0; k < kLanes; ++k) {
        index_[o][k] = static_cast<Lane>((k * vectors + o) & (2 * kLanes - 1));
      }
      // The lanes that one pair of vectors contributes to a row are consecutive.
      std::int64_t first = 0;
      for (int pair = 0; 2 * pair < vectors; ++pair) {
        const std::int64_t end = (2 * (pair + 1) * kLanes - o + vectors - 1) / vectors;
        taken_[o][pair] = static_cast<Taken>(below(end) & ~below(first));
        first = end;
      }
    }
  }

  // The reverse: deals `vectors` rows to one run.
  void plan_run_of(int vectors) {
    start(vectors);
    int row = 0;
    Lane element = 0;
    for (int o = 0; o < vectors; ++o) {
      for (int pair = 0; 2 * pair < vectors; ++pair) taken_[o][pair] = 0;
      for (std::int64_t k = 0; k < kLanes; ++k) {
        index_[o][k] = static_cast<Lane>((row & 1) * kLanes + element);
        taken_[o][row / 2] |= static_cast<Taken>(Taken{1} << k);
        if (++row < vectors) continue;
        row = 0;
        ++element;
      }
    }
  }

  // Where a vector begins on the side that is one run. The last one begins early enough to end with
  // it.
  HWY_INLINE std::int64_t begin(std::int64_t vector) const {
    return HWY_MIN(vector * kVector, bytes_ - kVector);
  }

  // Vector i is read at in(i, n), and vector o written to out(o, n), for n = 0 .. times - 1.
  template <class In, class Out>
  HWY_INLINE void turn(std::int64_t times, In in, Out out) const {
    turn_at_most<kMost>(times, in, out);
  }

 private:
  using Look = LookupOf<Lane>;
  using Taken = typename Look::Taken;

  template <int kVectors, class In, class Out>
  HWY_INLINE void turn_at_most(std::int64_t times, In in, Out out) const {
    if (vectors_ == kVectors) return turn_held<kVectors>(times, in, out);
    if constexpr (kVectors > 1) turn_at_most<kVectors - 1>(times, in, out);
  }

  // Holds all of the input in registers.
  template <int kVectors, class In, class Out>
  HWY_NOINLINE void turn_held(std::int64_t times, In in, Out out) const {
    for (std::int64_t n = 0; n < times; ++n) {
      __m512i held[kVectors];
#pragma GCC unroll 16
      for (int i = 0; i < kVectors; ++i) held[i] = _mm512_loadu_si512(in(i, n));
#pragma GCC unroll 16
      for (int o = 0; o < kVectors; ++o) {
        const __m512i index = _mm512_load_si512(index_[o]);
        __m512i made = _mm512_setzero_si512();
#pragma GCC unroll 8
        for (int pair = 0; 2 * pair < kVectors; ++pair) {
          const __m512i second = held[HWY_MIN(2 * pair + 1, kVectors - 1)];
          made = _mm512_or_si512(made, Look::look(taken_[o][pair], held[2 * pair], index, second));
        }
        _mm512_storeu_si512(out(o, n), made);
      }
    }
  }

  void start(int vectors) {
    vectors_ = vectors;
    bytes_ = vectors * kVector;
  }
  static std::uint64_t below(std::int64_t lane) {
    return lane >= kLanes ? ~std::uint64_t{0} : (std::uint64_t{1} << lane) - 1;
  }

  // The index of a lane within a pair of vectors; the masks say from which pair it is taken.
  alignas(kVector) Lane index_[kMost][kLanes];
  Taken taken_[kMost][(kMost + 1) / 2];
  std::int64_t bytes_ = 0;
  int vectors_ = 0;
};

#endif

// Deals `parts` rows to one run that holds an element of each in turn, or the reverse, by lookups.
template <class T>
class DealtByLookups {
 public:
  static constexpr std::int64_t kSize = sizeof(T);

  // Whether this target has such lookups, and they are faster for `parts` rows of `along` elements.
  static bool pays([[maybe_unused]] std::int64_t parts, [[maybe_unused]] std::int64_t along,
                   [[maybe_unused]] Dealing way) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    return kSize >= kNarrowest && along >= kElements && dealt_by_lookups(parts, kSize, along, way);
#else
    return false;
#endif
  }

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  static constexpr std::int64_t kElements = kVector / kSize;  // of each row at a time

  // Calls use(lookups). They depend only on the number of rows, and are planned once in a process.
  // A thread does not wait for another that is planning them, since a fork may have lost that
  // thread: it plans its own.
  template <Dealing kWay, class Use>
  static HWY_INLINE void with(std::int64_t parts, const Use& use) {
    static_assert(std::is_trivially_destructible_v<DealtByLookups>);
    enum : int { kNotPlanned, kBeingPlanned, kPlanned };
    struct Place {
      std::atomic<int> state{kNotPlanned};
      alignas(DealtByLookups) std::byte room[sizeof(DealtByLookups)] = {};
    };
    static constinit Place places[kMostSplit];
    Place& place = places[parts];
    alignas(DealtByLookups) std::byte own[sizeof(DealtByLookups)];
    const DealtByLookups* lookups = std::launder(reinterpret_cast<DealtByLookups*>(place.room));
    int state = place.state.load(std::memory_order_acquire);
    if (state == kNotPlanned &&
        place.state.compare_exchange_strong(state, kBeingPlanned, std::memory_order_acquire)) {
      lookups = new (place.room) DealtByLookups(parts, kWay);
      place.state.store(kPlanned, std::memory_order_release);
    } else if (state != kPlanned) {
      lookups = new (own) DealtByLookups(parts, kWay);
    }
    use(*lookups);
  }

  DealtByLookups(std::int64_t parts, Dealing way) : parts_(parts) {
    if constexpr (kSize > sizeof(Lane)) {  // an element is two lanes
      lookups_.plan(parts * kVector, [parts, way](std::int64_t at) {
        const std::int64_t element = at / kSize, byte = at % kSize;
        return way == Dealing::kToRun
                   ? element % parts * kVector + element / parts * kSize + byte
                   : (element % kElements * parts + element / kElements) * kSize + byte;
      });
    } else if (way == Dealing::kToRun) {
      lookups_.plan_run_of(static_cast<int>(parts));
    } else {
      lookups_.plan_rows_of(static_cast<int>(parts));
    }
  }

  // `n` elements of each row, at least kElements.
  HWY_INLINE void to_run(const Byte* rows, std::int64_t step, Byte* run, std::int64_t n) const {
    deal(rows, {step, kVector}, run, {kVector, parts_ * kVector}, n);
  }
  HWY_INLINE void from_run(const Byte* run, Byte* rows, std::int64_t step, std::int64_t n) const {
    deal(run, {kVector, parts_ * kVector}, rows, {step, kVector}, n);
  }

 private:
  using Lane = std::conditional_t<(kSize >= 4), std::uint32_t,
                                  std::conditional_t<kSize >= kNarrowest, T, std::uint16_t>>;
  static constexpr int kMostLooked =
      HWY_MIN(static_cast<int>(kMostSplit) - 1, static_cast<int>(24 / kSize));
  using Looked = Lookups<Lane, kMostLooked>;

  // One side: the distance between the vectors that are turned together, and the distance from each
  // to its successor, kElements elements later.
  struct Side {
    std::int64_t vector, next;
  };

  // The last elements are dealt so that they end with the rows.
  HWY_INLINE void deal(const Byte* from, Side in, Byte* to, Side out, std::int64_t n) const {
    const auto turn = [&](std::int64_t times, std::int64_t first) HWY_ATTR {
      const Byte* read = from + first * (in.next / kElements);
      Byte* write = to + first * (out.next / kElements);
      lookups_.turn(
          times,
          [=](std::int64_t i, std::int64_t k)
              HWY_ATTR { return read + i * in.vector + k * in.next; },
          [=](std::int64_t o, std::int64_t k)
              HWY_ATTR { return write + o * out.vector + k * out.next; });
    };
    turn(n / kElements, 0);
    if (n % kElements != 0) turn(1, n - kElements);
  }

  std::int64_t parts_;
  Looked lookups_;
#endif
};

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
