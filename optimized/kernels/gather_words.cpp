// Short runs from anywhere, written one after the other: words of 4 bytes are read by the gather
// instruction, and what is needed of each is looked up. Unlike the lookups of gather.cpp these need
// not be near each other. Targets without such instructions copy run by run, from a list.
#include <algorithm>

#include "optimized/kernels/gather.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/gather_words.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/gather-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86

class WordTable {
 public:
  static constexpr bool kHalves = false;
  static constexpr std::int64_t kBytes = kWordBytes, kMostBytes = kMostOfWords;

  bool plan(const GatherBlock& block, std::int64_t run, std::span<const Step> loops, int) {
    if (block.first < INT32_MIN || block.last > INT32_MAX) return false;
    std::int64_t done = 0;
    for (count_ = 0; done < block.units; ++count_) {
      if (count_ == kMostGroups) return false;
      const WordGroup group = words_from(block, run, loops, done);
      std::copy_n(group.at, kWords, at_[count_]);
      std::copy_n(group.index, kBytes, index_[count_]);
      bytes_[count_] = static_cast<Byte>(group.bytes);
      done += group.bytes;
    }
    return true;
  }

  // The groups are written in order: what is behind one is overwritten, but for the end of a block.
  HWY_INLINE void make(std::int64_t n, const Byte* from, std::int64_t read, Byte* to,
                       std::int64_t write) const {
    for (std::int64_t i = 0; i < n; ++i, from += read, to += write) {
      Byte* out = to;
      for (int g = 0; g < count_; ++g) {
        const __m512i words = _mm512_i32gather_epi32(_mm512_load_si512(at_[g]), from, 1);
        const __m512i made = _mm512_permutexvar_epi8(_mm512_load_si512(index_[g]), words);
        const __mmask64 taken = ~std::uint64_t{0} >> (kBytes - bytes_[g]);
        _mm512_mask_storeu_epi8(out, taken, made);
        out += bytes_[g];
      }
    }
  }

 private:
  static constexpr int kMostGroups = 58;

  // Of each group of consecutive bytes of the output: where its words are read, which of their
  // bytes each is, and how many there are.
  alignas(64) std::int32_t at_[kMostGroups][kWords];
  alignas(64) Byte index_[kMostGroups][kBytes];
  Byte bytes_[kMostGroups];
  int count_;
};

#else

class WordTable {
 public:
  static constexpr bool kHalves = false;
  static constexpr std::int64_t kBytes = kWordBytes, kMostBytes = kMostOfWords;

  bool plan(const GatherBlock& block, std::int64_t run, std::span<const Step> loops, int) {
    count_ = block.units / run;
    run_ = run;
    if (count_ > kMost || block.first < INT32_MIN || block.last > INT32_MAX) return false;
    for (std::int64_t i = 0; i < count_; ++i) {
      at_[i] = static_cast<std::int32_t>(gathered_from(block, run, loops, i * run));
    }
    return true;
  }

  HWY_INLINE void make(std::int64_t n, const Byte* from, std::int64_t read, Byte* to,
                       std::int64_t write) const {
    switch (run_) {
      case 1: return make_of<1>(n, from, read, to, write);
      case 2: return make_of<2>(n, from, read, to, write);
      case 4: return make_of<4>(n, from, read, to, write);
      case 8: return make_of<8>(n, from, read, to, write);
      default: return make_of<0>(n, from, read, to, write);
    }
  }

 private:
  template <std::int64_t kRun>
  HWY_NOINLINE void make_of(std::int64_t n, const Byte* from, std::int64_t read, Byte* to,
                            std::int64_t write) const {
    const std::int64_t run = kRun == 0 ? run_ : kRun;
    for (std::int64_t i = 0; i < n; ++i, from += read, to += write) {
      Byte* out = to;
#pragma GCC unroll 4
      for (std::int64_t k = 0; k < count_; ++k, out += run) {
        if constexpr (kRun == 0) {
          CopyShort(from + at_[k], out, run);
        } else {
          std::memcpy(out, from + at_[k], kRun);
        }
      }
    }
  }

  static constexpr std::int64_t kMost = 1024;
  std::int64_t count_ = 0, run_ = 0;
  std::int32_t at_[kMost];
};

#endif

void GatherWords(const Work& work, const std::byte* read, std::byte* write) {
  GatherUnits<WordTable>(work, read, write);
}
const Tables* MakeGatherWords(const Work& work, TablesRoom& room) {
  return MakeTablesIn<GatherTables<WordTable>>(work, room);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(GatherWords);
HWY_EXPORT(MakeGatherWords);
const Run* gather_word_runs() { return HWY_DISPATCH_TABLE(GatherWords); }
const MakeTables* gather_word_tables() { return HWY_DISPATCH_TABLE(MakeGatherWords); }
}  // namespace reshape::optimized
#endif
