// A few rows dealt into one: pixel planes to pixels, short columns to rows. The output is one run,
// written vector after vector.
#include "optimized/kernels/limits.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/interleave.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/lookups-inl.h"
#include "optimized/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE const T* As(const Byte* at) {
  return reinterpret_cast<const T*>(at);
}

// One vector from each of kParts rows, `step` bytes apart, dealt to `to`.
template <int kParts, class D, class T>
HWY_INLINE void DealVectors(D d, const Byte* from, std::int64_t step, T* to) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  if constexpr (kParts == 3 && sizeof(T) == 4 && hn::MaxLanes(D()) == 16) {
    // Lanes 0-15 name the first table, 16-31 the second.
    const __m512i a = _mm512_loadu_si512(from), b = _mm512_loadu_si512(from + step),
                  c = _mm512_loadu_si512(from + 2 * step);
    const __m512i ab0 = _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    const __m512i ab1 = _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    const __m512i ab2 = _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    const __m512i c0 = _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    const __m512i c1 = _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
    const __m512i c2 = _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
    const __m512i out0 = _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, ab0, b), c0, c);
    const __m512i out1 = _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, ab1, b), c1, c);
    const __m512i out2 = _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, ab2, b), c2, c);
    _mm512_storeu_si512(to, out0);
    _mm512_storeu_si512(to + 16, out1);
    _mm512_storeu_si512(to + 32, out2);
    return;
  }
#endif
  const auto a = hn::LoadU(d, As<T>(from)), b = hn::LoadU(d, As<T>(from + step));
  if constexpr (kParts == 2) {
    hn::StoreInterleaved2(a, b, d, to);
  } else if constexpr (kParts == 3) {
    hn::StoreInterleaved3(a, b, hn::LoadU(d, As<T>(from + 2 * step)), d, to);
  } else {
    hn::StoreInterleaved4(a, b, hn::LoadU(d, As<T>(from + 2 * step)),
                          hn::LoadU(d, As<T>(from + 3 * step)), d, to);
  }
}

// Deals `n` elements of each row by whole vectors, of which the last begins early enough to end
// with the rows; false, and nothing is done, where the rows are shorter than a vector.
template <int kParts, class T, class D>
HWY_INLINE bool DealWhole(D d, const Byte* from, std::int64_t step, Byte* to, std::int64_t n) {
  constexpr std::int64_t size = sizeof(T);
  constexpr std::int64_t lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  if (n < lanes) return false;
  for (std::int64_t i = 0; i < n; i += lanes) {
    const std::int64_t at = HWY_MIN(i, n - lanes);
    DealVectors<kParts>(d, from + at * size, step, reinterpret_cast<T*>(to + at * kParts * size));
  }
  return true;
}

// Deals `n` elements of each of two, three or four rows to one run at `to`, any alignment.
template <int kParts, class T>
HWY_INLINE void DealFew(const Byte* from, std::int64_t step, Byte* to, std::int64_t n) {
  constexpr std::int64_t size = sizeof(T);
  if (DealWhole<kParts, T>(hn::ScalableTag<T>(), from, step, to, n)) return;
  if (DealWhole<kParts, T>(hn::Full128<T>(), from, step, to, n)) return;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t part = 0; part < kParts; ++part) {
      CopyExactly<sizeof(T)>(from + part * step + i * size, to + (i * kParts + part) * size);
    }
  }
}

// The same for any number of rows.
template <class T>
HWY_NOINLINE void DealAny(const Byte* from, std::int64_t step, std::int64_t parts, Byte* to,
                          std::int64_t n, bool masked = false) {
  switch (parts) {
    case 2: return DealFew<2, T>(from, step, to, n);
    case 3: return DealFew<3, T>(from, step, to, n);
    case 4: return DealFew<4, T>(from, step, to, n);
    default:
      TurnPiece<T>(from, step, to, parts * static_cast<std::int64_t>(sizeof(T)), parts, n, masked);
  }
}

// Hardware prefetchers of most processors follow no more rows than this.
inline constexpr std::int64_t kFollowed = 16;

// Whether so many rows are left to a hardware prefetcher that follows more than most processors' do.
HWY_INLINE bool AreManyFollowed(std::int64_t parts) { return parts > 8 && follows_many_rows(); }

// Whether rows that the prefetcher does not follow are read a few lines of each at a time, and the
// lines after them prefetched into the L1 cache: on a Zen 5 that took .4 to .9 of the time of a KiB
// of each at a time. Rows whose lines share a set of that cache would evict each other.
HWY_INLINE bool ByLines(std::int64_t parts, std::int64_t step) {
  return parts > kFollowed && !follows_many_rows() && step % kSameSet != 0;
}

// How `parts` rows, `step` bytes apart, are dealt.
template <class T>
struct ByTiles {
  std::int64_t parts, step;
  bool by_lines, masked;
  HWY_INLINE void operator()(const Byte* from, Byte* to, std::int64_t n) const {
    DealAny<T>(from, step, parts, to, n, masked);
  }
  // How many of `n` elements of each row are best dealt at a time.
  HWY_INLINE std::int64_t at_once(std::int64_t n) const {
    if (by_lines) return HWY_MIN(n, kLine / static_cast<std::int64_t>(sizeof(T)));
    if (parts > kFollowed) return HWY_MIN(n, 512 / static_cast<std::int64_t>(sizeof(T)));
    return parts > 8 ? HWY_MIN(n, sizeof(T) < 4 ? 64 : kLine / static_cast<std::int64_t>(sizeof(T)))
                     : n;
  }
};

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
template <class T>
struct ByLookups {
  std::int64_t parts, step;
  bool by_lines;
  const DealtByLookups<T>& lookups;
  HWY_INLINE void operator()(const Byte* from, Byte* to, std::int64_t n) const {
    if (n < DealtByLookups<T>::kElements) return DealAny<T>(from, step, parts, to, n);
    lookups.to_run(from, step, to, n);
  }
  HWY_INLINE std::int64_t at_once(std::int64_t n) const { return n; }
};
#endif

// How many bytes are dealt at a time: whole lines of each row, and no more than stays in the L1
// cache. Of more rows than the prefetcher follows, a page of the output, or two where it goes
// through the caches; or a KiB of each row, and no more than stays in the L2 cache.
inline constexpr std::int64_t kDealt = 16 << 10, kDealtFromMany = 128 << 10;
static_assert(kDealt >= kMostDealt * kLine && kDealtFromMany >= kMostDealtAround * kLine);

template <class T>
HWY_INLINE std::int64_t ChunkOf(std::int64_t parts, bool by_lines, bool far, bool stream) {
  constexpr std::int64_t size = sizeof(T), line = kLine / size, kPage = 4 << 10;
  if (far && by_lines) {
    return HWY_MAX(1, (stream ? kPage : 2 * kPage) / (parts * kLine)) * line;
  }
  const bool many = far && parts > kFollowed;
  const std::int64_t fitting = (many ? kDealtFromMany : kDealt) / 2 / (parts * size);
  return HWY_MAX(line, HWY_MIN(fitting - fitting % line, (many ? 1024 : 256) / size));
}

// How many bytes of each row further what is prefetched lies: the next chunk or two, and no more
// than stays in the L1 cache until it is read.
HWY_INLINE std::int64_t Ahead(std::int64_t parts, bool by_lines, std::int64_t chunk) {
  constexpr std::int64_t kFew = 2 * kLine, kMost = 6 * kLine, kInL1 = 24 << 10;
  if (!by_lines) return parts > 8 ? chunk : 1024;
  return HWY_MAX(kFew, HWY_MIN(kMost, kInL1 / parts / kLine * kLine));
}

// Deals a chunk line by line, and in between prefetches, a few rows at a time, what is needed a
// little later.
template <class T, class How>
HWY_INLINE void DealAsking(const How& deal, const Byte* from, Byte* to, std::int64_t n) {
  constexpr std::int64_t size = sizeof(T);
  const bool to_l2 = deal.parts > kFollowed && !deal.by_lines;
  const std::int64_t ahead = Ahead(deal.parts, deal.by_lines, n * size);
  const std::int64_t at_once = deal.at_once(n), times = n / at_once;
  std::int64_t asked = 0;
  for (std::int64_t k = 0; k < times; ++k) {
    for (; asked * times < (k + 1) * deal.parts; ++asked) {
      const Byte* soon = from + asked * deal.step + ahead;
      if (to_l2) {
        PrefetchRun<2>(soon, n * size);
      } else {
        PrefetchRun<3>(soon, n * size);
      }
    }
    const std::int64_t at = k * at_once;
    deal(from + at * size, to + at * deal.parts * size, k + 1 < times ? at_once : n - at);
  }
}

// Through the caches.
template <class T, class How>
HWY_INLINE void DealThrough(const How& deal, const Byte* from, Byte* to, std::int64_t n) {
  constexpr std::int64_t size = sizeof(T);
  const bool followed = deal.parts <= 8 || follows_many_rows();
  // What is read by lines is prefetched from the last cache as well.
  constexpr std::int64_t kInL2 = 2 << 20;
  const std::int64_t near_bytes = deal.by_lines ? kInL2 : nearby_bytes();
  const bool far = !followed && n * deal.parts * size > near_bytes;
  const std::int64_t chunk = ChunkOf<T>(deal.parts, deal.by_lines, far, false);
  for (std::int64_t i = 0; i < n;) {
    // A last chunk that is too short for tiles goes with the one before it.
    const std::int64_t count = n - i < 2 * chunk ? n - i : chunk;
    if (far) {
      DealAsking<T>(deal, from + i * size, to + i * deal.parts * size, count);
    } else {
      deal(from + i * size, to + i * deal.parts * size, count);
    }
    i += count;
  }
}

// Around the caches: dealt into a stage first, from which whole lines are sent. Where many rows are
// followed, a stage that stays in the L1 cache and no prefetching took .6 to .9 of the time.
template <class T, class How>
HWY_INLINE void DealStream(const How& deal, const Byte* from, Byte* to, std::int64_t n) {
  constexpr std::int64_t size = sizeof(T), whole = kLine / size;
  const bool followed = AreManyFollowed(deal.parts);
  const std::int64_t chunk =
      HWY_MIN(ChunkOf<T>(deal.parts, deal.by_lines, !followed, true), n - n % whole);
  const std::int64_t bytes = chunk * deal.parts * size;
  alignas(64) Byte stage[kLine + kDealtFromMany];
  // The bytes in front of the stage are the previous chunk's part of this chunk's first line.
  const std::int64_t past = PastLine(to);
  Byte* lines = to - past;
  std::int64_t i = 0;
  for (; i + chunk <= n; i += chunk) {
    if (followed) {
      deal(from + i * size, stage + kLine, chunk);
    } else {
      DealAsking<T>(deal, from + i * size, stage + kLine, chunk);
    }
    const Byte* out = stage + kLine - past;
    std::int64_t line = 0;
    if (i == 0 && past != 0) {  // the first line begins before the output
      CopyShort(out + past, lines + past, kLine - past);
      line = kLine;
    }
    for (; line < bytes; line += kLine) CopyLine<true>(out + line, lines + line);
    lines += bytes;
    if (past != 0) CopyLine<false>(stage + bytes, stage);
  }
  if (i > 0) CopyShort(stage + kLine - past, lines, past);
  DealThrough<T>(deal, from + i * size, lines + past, n - i);
}

// Prefetches the rows of the next block or call: the hardware cannot foresee where those begin.
// Processors that follow many rows find them soon enough: there it took up to 1.4 times as long.
HWY_INLINE void AskFor(const Byte* from, std::int64_t step, std::int64_t parts,
                       std::int64_t bytes) {
  for (std::int64_t part = 0; part < parts; ++part, from += step) PrefetchRun<2>(from, bytes);
}

template <class T, class How>
HWY_INLINE void DealAll(const How& deal, const Work& work, const std::byte* read,
                        std::byte* write) {
  constexpr std::int64_t kWorthStreaming = 4 << 10, kLongRow = 3 * kLine, kSmallBlock = 64 << 10,
                         size = sizeof(T);
  const std::int64_t n = work.loops[1].count;
  const Step outer = work.loops.size() > 2 ? work.loops[2] : Step{};
  const std::int64_t bytes = n * deal.parts * size;
  const bool stream = work.stream && n * size >= kLine && bytes >= kWorthStreaming;
  const bool gains = !follows_many_rows();
  const bool ask =
      gains && n * size >= kLongRow && bytes <= kSmallBlock && bytes * outer.count > nearby_bytes();
  const bool ask_next =
      gains && work.stream && work.next_read != 0 && bytes * outer.count <= kSmallBlock;
  for (std::int64_t k = 0; k < outer.count; ++k) {
    const Byte* from = reinterpret_cast<const Byte*>(read + k * outer.read);
    Byte* to = reinterpret_cast<Byte*>(write + k * outer.write);
    if (ask && k + 1 < outer.count) AskFor(from + outer.read, deal.step, deal.parts, n * size);
    if (ask_next) AskFor(from + work.next_read, deal.step, deal.parts, n * size);
    if (stream) {
      DealStream<T>(deal, from, to, n);
    } else {
      DealThrough<T>(deal, from, to, n);
    }
  }
}

template <class T>
HWY_INLINE void Interleave(const Work& work, const std::byte* read, std::byte* write) {
  const Step part = work.loops[0];
  const bool by_lines = ByLines(part.count, part.read);
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  using Dealt = DealtByLookups<T>;
  if (Dealt::pays(part.count, work.loops[1].count, Dealing::kToRun)) {
    return Dealt::template with<Dealing::kToRun>(part.count, [&](const Dealt& lookups) HWY_ATTR {
      DealAll<T>(ByLookups<T>{part.count, part.read, by_lines, lookups}, work, read, write);
    });
  }
#endif
  // Tiles and strips write a line in several parts: fast only where it is in the L1 cache.
  constexpr std::int64_t kInL1 = 48 << 10;
  const bool masked = masks_short_rows() && work.whole > kInL1 && !work.stream;
  DealAll<T>(ByTiles<T>{part.count, part.read, by_lines, masked}, work, read, write);
}

void Interleave1(const Work& w, const std::byte* r, std::byte* o) {
  Interleave<std::uint8_t>(w, r, o);
}
void Interleave2(const Work& w, const std::byte* r, std::byte* o) {
  Interleave<std::uint16_t>(w, r, o);
}
void Interleave4(const Work& w, const std::byte* r, std::byte* o) {
  Interleave<std::uint32_t>(w, r, o);
}
void Interleave8(const Work& w, const std::byte* r, std::byte* o) {
  Interleave<std::uint64_t>(w, r, o);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Interleave1);
HWY_EXPORT(Interleave2);
HWY_EXPORT(Interleave4);
HWY_EXPORT(Interleave8);
const Run* interleave_runs(std::int64_t bytes) {
  switch (bytes) {
    case 1: return HWY_DISPATCH_TABLE(Interleave1);
    case 2: return HWY_DISPATCH_TABLE(Interleave2);
    case 4: return HWY_DISPATCH_TABLE(Interleave4);
    default: return HWY_DISPATCH_TABLE(Interleave8);
  }
}
}  // namespace reshape::optimized
#endif
