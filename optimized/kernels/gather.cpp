// Short runs from anywhere, written one after the other. Each vector of the output is looked up in
// windows (vectors) of the input, by tables that are computed once for a block and used for all
// equal blocks.
#include "optimized/kernels/gather.h"

#include <algorithm>
#include <numeric>

#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/gather.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// How a vector of the output is looked up: `Vector` holds what all its windows share, and `Window`
// what is taken from one. take() notes that a unit of the output comes from a unit of a window;
// make() computes the vector.

#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
struct WideBytes64 {
  static constexpr std::int64_t kBytes = 64;
  static constexpr bool kHalves = false;
  struct alignas(64) Vector {
    Byte index[64];
  };
  struct Window {
    std::int64_t at;
    __mmask64 taken;
  };

  static void take(Vector& vector, Window& window, std::int64_t unit, std::int64_t from) {
    vector.index[unit] = static_cast<Byte>(from);
    window.taken |= std::uint64_t{1} << unit;
  }
  static HWY_INLINE void make(const Vector& vector, const Window* window, int windows,
                              const Byte* from, Byte* to) {
    const __m512i index = _mm512_load_si512(vector.index);
    __m512i made = _mm512_setzero_si512();
    for (int w = 0; w < windows; ++w, ++window) {
      made = _mm512_mask_permutexvar_epi8(made, window->taken, index,
                                          _mm512_loadu_si512(from + window->at));
    }
    _mm512_storeu_si512(to, made);
  }
};

struct WideHalves64 {
  static constexpr std::int64_t kBytes = 64;
  static constexpr bool kHalves = true;
  struct alignas(64) Vector {
    Byte low[64], high[64];
  };
  struct Window {
    std::int64_t at;
    __mmask64 low, high;
  };

  // The lower halves of a window's bytes come first, and then the upper ones.
  static void take(Vector& vector, Window& window, std::int64_t unit, std::int64_t from) {
    const auto index = static_cast<Byte>(from % 2 * kBytes + from / 2);
    const std::uint64_t bit = std::uint64_t{1} << (unit / 2);
    if (unit % 2 == 0) {
      vector.low[unit / 2] = index;
      window.low |= bit;
    } else {
      vector.high[unit / 2] = index;
      window.high |= bit;
    }
  }
  static HWY_INLINE void make(const Vector& vector, const Window* window, int windows,
                              const Byte* from, Byte* to) {
    const __m512i of_low = _mm512_load_si512(vector.low), of_high = _mm512_load_si512(vector.high);
    const __m512i four = _mm512_set1_epi8(15);
    __m512i low = _mm512_setzero_si512(), high = low;
    for (int w = 0; w < windows; ++w, ++window) {
      const __m512i read = _mm512_loadu_si512(from + window->at);
      const __m512i upper = _mm512_srli_epi16(read, 4);
      low = _mm512_or_si512(low, _mm512_maskz_permutex2var_epi8(window->low, read, of_low, upper));
      high =
          _mm512_or_si512(high, _mm512_maskz_permutex2var_epi8(window->high, read, of_high, upper));
    }
    // (low & 15) | (high << 4): the other bits of either are those of a neighbour.
    const __m512i shifted = _mm512_slli_epi16(high, 4);
    _mm512_storeu_si512(to, _mm512_ternarylogic_epi32(four, low, shifted, 0xCA));
  }
};
#endif

struct Bytes16 {
  static constexpr std::int64_t kBytes = 16;
  static constexpr bool kHalves = false;
  struct Vector {};
  struct Window {
    std::int64_t at;
    alignas(16) Byte index[16];  // 0x80 gives 0
  };

  static void take(Vector&, Window& window, std::int64_t unit, std::int64_t from) {
    window.index[unit] = static_cast<Byte>(from);
  }
  static HWY_INLINE void make(const Vector&, const Window* window, int windows, const Byte* from,
                              Byte* to) {
    const hn::Full128<Byte> d;
    auto made = hn::Zero(d);
    for (int w = 0; w < windows; ++w, ++window) {
      made = hn::Or(made, hn::TableLookupBytesOr0(hn::LoadU(d, from + window->at),
                                                  hn::Load(d, window->index)));
    }
    hn::StoreU(made, d, to);
  }
};

struct Halves16 {
  static constexpr std::int64_t kBytes = 16;
  static constexpr bool kHalves = true;
  struct Vector {};
  struct Window {
    std::int64_t at;
    // x_of_y: for each output byte whose x half comes from a y half, the index of that input byte.
    alignas(16) Byte low_of_low[16], low_of_high[16], high_of_low[16], high_of_high[16];
  };

  static void take(Vector&, Window& window, std::int64_t unit, std::int64_t from) {
    Byte* index = unit % 2 == 0 ? (from % 2 == 0 ? window.low_of_low : window.low_of_high)
                                : (from % 2 == 0 ? window.high_of_low : window.high_of_high);
    index[unit / 2] = static_cast<Byte>(from / 2);
  }
  static HWY_INLINE void make(const Vector&, const Window* window, int windows, const Byte* from,
                              Byte* to) {
    const hn::Full128<Byte> d;
    const hn::Repartition<std::uint16_t, decltype(d)> pairs;
    const auto four = hn::Set(d, Byte{15});
    auto low = hn::Zero(d), high = hn::Zero(d);
    for (int w = 0; w < windows; ++w, ++window) {
      const auto read = hn::LoadU(d, from + window->at);
      const auto lower = hn::And(read, four);
      const auto upper = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(pairs, read))), four);
      const auto look = [&](auto halves, const Byte* index) HWY_ATTR {
        return hn::TableLookupBytesOr0(halves, hn::Load(d, index));
      };
      low = hn::Or(low, hn::Or(look(lower, window->low_of_low), look(upper, window->low_of_high)));
      high =
          hn::Or(high, hn::Or(look(lower, window->high_of_low), look(upper, window->high_of_high)));
    }
    const auto shifted = hn::BitCast(d, hn::ShiftLeft<4>(hn::BitCast(pairs, high)));
    hn::StoreU(hn::Or(low, shifted), d, to);
  }
};

// The lookups of a block.
template <class Lookup>
class GatherTable {
 public:
  static constexpr bool kHalves = Lookup::kHalves;
  static constexpr std::int64_t kBytes = Lookup::kBytes;
  static constexpr std::int64_t kMostBytes = kGatheredVectors * kBytes;

  // `half`: 1 if the block's input begins with the upper half of a byte. False if there are too
  // many windows.
  bool plan(const GatherBlock& block, std::int64_t run, std::span<const Step> loops, int half) {
    constexpr std::int64_t kInByte = Lookup::kHalves ? 2 : 1, kUnits = kBytes * kInByte;
    const std::int64_t bytes = block.units / kInByte;
    vectors_ = static_cast<int>((bytes + kBytes - 1) / kBytes);
    int windows = 0;
    for (int v = 0; v < vectors_; ++v) {
      begin_[v] = HWY_MIN(v * kBytes, bytes - kBytes);
      std::int64_t places[kUnits], halves[kUnits], windows_begin[kUnits];
      for (std::int64_t i = 0; i < kUnits; ++i) {
        const std::int64_t from =
            gathered_from(block, run, loops, begin_[v] * kInByte + i) + (kInByte - 1) * half;
        places[i] = from >> (kInByte - 1);
        halves[i] = from & (kInByte - 1);
      }
      const int more =
          windows_of(places, kBytes, block.first_byte(Lookup::kHalves, half),
                     block.last_byte(Lookup::kHalves, half), kMostWindows - windows, windows_begin);
      if (windows + more > kMostWindows) return false;
      for (int w = 0; w < more; ++w) {
        window_[windows + w] = nothing();
        window_[windows + w].at = windows_begin[w];
      }
      for (std::int64_t i = 0; i < kUnits; ++i) {
        int w = 0;
        while (places[i] >= windows_begin[w] + kBytes) ++w;
        Lookup::take(vector_[v], window_[windows + w], i,
                     (places[i] - windows_begin[w]) * kInByte + halves[i]);
      }
      windows += more;
      windows_[v] = more;
    }
    even_out();
    return true;
  }

  // Copies `n` blocks, `read` and `write` bytes apart on the two sides.
  HWY_INLINE void make(std::int64_t n, const Byte* from, std::int64_t read, Byte* to,
                       std::int64_t write) const {
    switch (each_) {
      case 1: return make_of<1>(n, from, read, to, write);
      case 2: return make_of<2>(n, from, read, to, write);
      case 3: return make_of<3>(n, from, read, to, write);
      case 4: return make_of<4>(n, from, read, to, write);
      default: break;
    }
    for (std::int64_t i = 0; i < n; ++i, from += read, to += write) {
      const typename Lookup::Window* window = window_;
      for (int v = 0; v < vectors_; ++v) {
        Lookup::make(vector_[v], window, windows_[v], from, to + begin_[v]);
        window += windows_[v];
      }
    }
  }

 private:
  // For blocks of one vector the tables are held in registers.
  template <int kEach>
  HWY_NOINLINE void make_of(std::int64_t n, const Byte* from, std::int64_t read, Byte* to,
                            std::int64_t write) const {
    if (vectors_ == 1) {
      const typename Lookup::Vector vector = vector_[0];
      typename Lookup::Window window[kEach];
      for (int w = 0; w < kEach; ++w) window[w] = window_[w];
#pragma GCC unroll 2
      for (std::int64_t i = 0; i < n; ++i, from += read, to += write) {
        Lookup::make(vector, window, kEach, from, to);
      }
      return;
    }
    for (std::int64_t i = 0; i < n; ++i, from += read, to += write) {
      for (int v = 0; v < vectors_; ++v) {
        Lookup::make(vector_[v], window_ + v * kEach, kEach, from, to + begin_[v]);
      }
    }
  }

  // If every vector has few windows, all are padded to the same number with windows that contribute
  // nothing, so that make_of() can be unrolled.
  void even_out() {
    constexpr int kFew = 4;
    const int most = *std::max_element(windows_, windows_ + vectors_);
    each_ = 0;
    if (most > kFew) return;
    int end = std::accumulate(windows_, windows_ + vectors_, 0);
    for (int v = vectors_; v-- > 0;) {
      const std::int64_t any = window_[end - 1].at;
      for (int w = most; w-- > windows_[v];) {
        window_[v * most + w] = nothing();
        window_[v * most + w].at = any;
      }
      for (int w = windows_[v]; w-- > 0;) window_[v * most + w] = window_[--end];
    }
    each_ = most;
  }
  static typename Lookup::Window nothing() {
    typename Lookup::Window window{};
    if constexpr (kBytes == 16) std::memset(&window, 0x80, sizeof(window));
    return window;
  }

  // Two tables of this size fit into a TablesRoom. More windows for each vector would not pay.
  static constexpr int kMostWindows = kBytes == 16 ? 48 : 96;

  typename Lookup::Vector vector_[kGatheredVectors];
  typename Lookup::Window window_[kMostWindows];
  int windows_[kGatheredVectors];         // of each vector
  std::int64_t begin_[kGatheredVectors];  // of its bytes of the output
  int vectors_ = 0;
  int each_ = 0;  // windows of every vector, where these are few
};

#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
using OfBytes = GatherTable<WideBytes64>;
using OfHalves = GatherTable<WideHalves64>;
#else
using OfBytes = GatherTable<Bytes16>;
using OfHalves = GatherTable<Halves16>;
#endif

void Gather(const Work& work, const std::byte* read, std::byte* write) {
  GatherUnits<OfBytes>(work, read, write);
}
void GatherHalves(const Work& work, const std::byte* read, std::byte* write) {
  GatherUnits<OfHalves>(work, read, write);
}
const Tables* MakeGather(const Work& work, TablesRoom& room) {
  return MakeTablesIn<GatherTables<OfBytes>>(work, room);
}
const Tables* MakeGatherHalves(const Work& work, TablesRoom& room) {
  return MakeTablesIn<GatherTables<OfHalves>>(work, room);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Gather);
HWY_EXPORT(GatherHalves);
HWY_EXPORT(MakeGather);
HWY_EXPORT(MakeGatherHalves);
const Run* gather_runs() { return HWY_DISPATCH_TABLE(Gather); }
const Run* gather_half_runs() { return HWY_DISPATCH_TABLE(GatherHalves); }
const MakeTables* gather_tables() { return HWY_DISPATCH_TABLE(MakeGather); }
const MakeTables* gather_half_tables() { return HWY_DISPATCH_TABLE(MakeGatherHalves); }
}  // namespace reshape::optimized
#endif
