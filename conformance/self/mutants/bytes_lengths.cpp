// Mistakes at certain lengths: blocks and their tails, steps, and sizes from which another code
// path is taken.
#include <cstddef>
#include <cstdlib>

#include "conformance/self/displace.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

constexpr std::int64_t k2To24 = std::int64_t{1} << 24;

When elements(const Length& count) { return of_output(count_is(count)); }
When dense(const Trait& trait) { return of_both(kDense) && of_output(trait); }
When from(std::int64_t kib) { return of_output(from_kib(kib)); }
When rows(const Length& length) { return of_data(kRowsWithGaps && size_is(1, length)); }
When output_rows(const Length& length) { return of_output(kRowsWithGaps && size_is(1, length)); }
When steps(std::int64_t stride, const Length& count) {
  return of_data(rank_is(1) && stride_is(0, stride) && unsaid(count_is(above(1))) &&
                 count_is(count));
}
When output_steps(std::int64_t stride, const Length& count) {
  return of_output(kOneRow && last_stride_is(stride) && count_is(count));
}
const Trait kHugeOne = from_kib(16 * kMiB);
const When kHuge = of_output(kHugeOne);

// As many elements as fill so many bytes.
std::int64_t elements_of(const Copy& c, std::int64_t bytes) { return bytes * 8 / c.out.width(); }

// One element more than full vectors of `bytes` bytes.
When one_behind(std::int64_t bytes) {
  return {said("an output of one element more than full vectors of ", bytes, " bytes"),
          [=](const Copy& c) { return behind(elements_of(c, bytes), 1)(c.out.count()); }};
}

Effect last_part_lost(std::int64_t threads) {
  return worded(said("the last of the parts that ", threads, " threads get is not written"),
                loses_from([=](const Copy& c) { return c.out.count() - c.out.count() / threads; }));
}

const Effect kBehindLinesLost = worded(
    "what is behind the last full line of 64 bytes is not written", loses_from([](const Copy& c) {
      return c.out.count() / elements_of(c, 64) * elements_of(c, 64);
    }));

// Counts positions in `bits` bits.
Effect begins_again(int bits) {
  return worded(said("positions are counted in ", bits, " bits, and begin again"),
                takes_another([=](const Copy&, std::int64_t at) {
                  return at & ((std::int64_t{1} << bits) - 1);
                }));
}

// Keep the compiler from removing unused reads and allocations.
volatile std::uint8_t sink;
void* volatile kept;

}  // namespace

Mutants families::bytes_lengths() {
  Table table(Kind::bytes, {"bytes", "bytes"});
  table["content.kept"] = {
      // Blocks and tails.
      {"two-elements-swapped", "count-3.f64", "the second and the third element change places",
       spoils_elements([](Elements& all) { all.swap(1, 2); }), elements(above(2))},
      {"last-two-of-a-block-swapped", "count-17.f32",
       "in every full block of 16 the last two elements change places",
       spoils_elements([](Elements& all) {
         for (std::int64_t end = 16; end <= all.count(); end += 16) all.swap(end - 2, end - 1);
       })},
      {"one-element-short", "count-2.u8", kLastLost},
      {"tail-unwritten", "count-2.u8", tail_lost(8)},
      {"single-element-unwritten", "packed-1.i4", kFirstLost, elements(1)},
      {"scalar-unwritten", "to-scalar-with-strides.bf16", kFirstLost, of_output(rank_is(0))},
      {"scalar-data-unread", "scalar-minus-one-first", kFirstLost, of_data(rank_is(0))},
      {"single-tail-of-4-lost", "count-13.u8", tail_lost(4), elements(behind(4, 1))},
      {"tail-of-3-lost", "count-11.bf16", tail_lost(4), elements(behind(4, 3))},
      {"tail-of-7-lost", "count-23.f64", tail_lost(8), elements(behind(8, 7))},
      {"single-tail-of-16-lost", "count-17.f32", tail_lost(16), elements(behind(16, 1))},
      {"tail-of-15-lost", "count-31.f32", tail_lost(16), elements(behind(16, 15))},
      {"single-tail-of-32-lost", "count-129.f32", tail_lost(32), elements(behind(32, 1))},
      {"tail-of-31-lost", "count-127.bf16", tail_lost(32), elements(behind(32, 31))},
      {"single-tail-of-64-lost", "count-129.f32", tail_lost(64), elements(behind(64, 1))},
      {"tail-of-63-lost", "count-127.bf16", tail_lost(64), elements(behind(64, 63))},
      {"full-blocks-of-8-lose-the-last", "count-64.bf16", kLastLost, elements(behind(8, 0))},
      {"full-blocks-of-64-lose-the-last", "count-256.f64", kLastLost, elements(behind(64, 0))},
      {"tail-behind-16-bytes-lost", "count-3.f64", kLastLost, one_behind(16)},
      {"tail-behind-32-bytes-lost", "count-17.f32", kLastLost, one_behind(32)},
      {"tail-behind-a-cache-line-lost", "count-17.f32", kLastLost, one_behind(64)},
      {"tail-behind-a-page-lost", "count-4097.u8", kLastLost, one_behind(4096)},
      {"overlapped-tail-one-early", "count-11.bf16",
       "the last 8 elements are written a second time, from one element too early",
       moves([](const Copy& c) { return shifted(c.out.count() - 8, c.out.count(), 1); }),
       elements(above(8)) && !elements(whole(8))},
      {"unrolled-by-four-repeats-the-third", "count-17.f32",
       "in a loop unrolled by 4, from 16 elements on, the fourth copy reads the third element",
       takes_another([](const Copy&, std::int64_t at) { return at % 4 == 3 ? at - 1 : at; }),
       elements(at_least(16))},
      {"tails-of-2-behind-8-lost", "dense-66.*", kLastLost, dense(count_is(behind(8, 2)))},
      {"tails-of-4-behind-16-lost", "dense-68.*", kLastLost, dense(count_is(behind(16, 4)))},
      {"tails-of-10-and-11-lost", "dense-7?.*", kLastLost, dense(count_is(tails(16, 10, 11)))},
      {"half-blocks-of-32-lost", "dense-80.*", kLastLost, dense(count_is(behind(32, 16)))},
      {"half-blocks-of-64-lost", "dense-96.*", kLastLost, dense(count_is(behind(64, 32)))},
      {"tails-above-half-of-64-lost", "dense-11?.*", kLastLost, dense(count_is(tails(64, 40, 55)))},
      {"tails-of-bytes-behind-a-word-lost", "dense-76.u8", kLastLost,
       dense(count_is(behind(64, 12)) && width_is(8))},
      {"tails-of-halves-of-20-lost", "dense-84.bf16", kLastLost,
       dense(count_is(behind(32, 20)) && width_is(16))},
      {"quarters-of-256-lost", "dense-320.*", kLastLost, dense(count_is(behind(256, 64)))},
      {"three-quarters-of-1024-lost", "dense-1792.*", kLastLost,
       dense(count_is(behind(1024, 768)))},
      {"positions-in-8-bits", "count-257.u8", begins_again(8), elements(above(256))},
      {"positions-in-16-bits", "large-1-mib", begins_again(16), elements(above(65536))},
      {"positions-in-24-bits", "dense-128-mib",
       "positions share a word with 8 bits of flags, and begin again behind 2^24 elements",
       moves([](const Copy& c) { return shifted(k2To24, c.out.count(), k2To24); }),
       elements(above(k2To24))},
      {"elements-numbered-by-floats", "dense-128-mib",
       "elements are numbered by floats, which know no odd number above 2^24",
       moves([](const Copy& c) {
         Moves wrong;
         for (std::int64_t at : from_to_end(k2To24, c.out.count())) {
           const auto number = static_cast<std::int64_t>(static_cast<float>(at));
           if (number < c.out.count()) wrong.emplace_back(at, number);
         }
         return wrong;
       }),
       elements(above(k2To24))},
      {"byte-counts-in-16-bits", "large-64-kib-and-one-element",
       "bytes are counted in 16 bits, so that of 65536 + n bytes n are copied",
       loses_from([](const Copy& c) { return elements_of(c, c.out.bytes() % 65536); }),
       of_output(bytes_are(above(65536)))},

      // Rows and steps.
      {"gapped-rows-of-whole-vectors", "rows-of-16.*", kEndsOfRowsRepeatOthers, rows(whole(16))},
      {"gapped-rows-of-one-less", "rows-of-31.*", kEndsOfRowsRepeatOthers, rows(tail(32, 31))},
      {"gapped-rows-of-a-line-and-one", "rows-of-65.u8", kEndsOfRowsRepeatOthers,
       of_data(kRowsWithGaps && size_is(1, behind(64, 1)) && width_is(8))},
      {"gapped-rows-of-two", "rows-of-2.*", kEndsOfRowsRepeatOthers, rows(2)},
      {"gapped-rows-of-a-page", "rows-of-256.*", kEndsOfRowsRepeatOthers, rows(256)},
      {"gapped-rows-tail-of-halves", "rows-of-22.bf16", kEndsOfRowsRepeatOthers,
       of_data(kRowsWithGaps && size_is(1, tail(8, 6)) && width_is(16))},
      {"gapped-rows-of-bytes-in-batches", "17-rows-of-5.u8",
       "rows of bytes with gaps go in batches of 16, and the next batch begins a row early",
       moves([](const Copy& c) {
         const std::int64_t row = c.data.size(1);
         return Moves{{16 * row, 15 * row}};
       }),
       of_data(kRowsWithGaps && width_is(8) && size_is(0, above(16)))},
      {"output-rows-of-whole-vectors", "out-rows-of-32.*", kEndsOfRowsLost, output_rows(whole(32))},
      {"output-rows-of-two", "out-rows-of-2.*", kEndsOfRowsLost, output_rows(2)},
      {"output-rows-tail-of-six", "out-rows-of-14.*", kEndsOfRowsLost, output_rows(behind(8, 6))},
      {"output-rows-in-batches", "out-17-rows-of-5.u8", kLastRowLost,
       of_output(kRowsWithGaps && width_is(8) && size_is(0, behind(16, 1)))},
      {"rows-of-both-sides-in-whole-vectors", "both-rows-16-24.*",
       "where rows of both sides are multiples of 8, the last vector of the data comes twice",
       moves([](const Copy& c) { return Moves{{c.data.count() - 1, c.data.count() - 9}}; }),
       of_both(kRowsWithGaps && size_is(1, whole(8))) &&
           [](const Copy& c) { return c.data.size(1) != c.out.size(1); }},
      {"every-second-of-whole-blocks", "stride-2-of-16.*", kLastRepeats, steps(2, whole(16))},
      {"every-second-tail-of-two", "stride-2-of-66.*", kLastRepeats, steps(2, behind(64, 2))},
      {"every-third-of-whole-blocks", "stride-3-of-16.*", kLastRepeats, steps(3, whole(16))},
      {"every-fourth-by-shuffles", "stride-4-of-18.*", kLastRepeats, steps(4, tail(16, 2))},
      {"every-fourth-byte-of-whole-vectors", "step-4-of-128.u8", kLastLost,
       of_data(rank_is(2) && stride_is(0, 4) && size_is(1, 1) && width_is(8) &&
               count_is(whole(64)))},
      {"every-eighth-by-shuffles", "stride-8-of-31.*", kLastRepeats, steps(8, behind(16, 15))},
      {"every-sixteenth-in-pairs", "stride-16-of-17.*", kLastRepeats, steps(16, tail(2, 1))},
      {"columns-of-256-in-pairs", "stride-256-of-9.*", kLastRepeats, steps(256, tail(2, 1))},
      {"output-every-third-short", "out-stride-3-of-16.*", kLastLost, output_steps(3, whole(16))},
      {"output-every-fourth-short", "out-stride-4-of-22.*", kLastLost,
       output_steps(4, behind(8, 6))},
      {"output-every-eighth-short", "out-stride-8-of-33.*", kLastLost,
       output_steps(8, tail(16, 1, 32))},
      {"backwards-in-whole-vectors", "backwards-of-16.*", kLastRepeats, steps(-1, whole(16))},
      {"backwards-tail-of-two", "backwards-of-66.*", kLastRepeats, steps(-1, behind(32, 2))},
      {"output-backwards-in-whole-vectors", "out-backwards-of-64.*", kLastLost,
       output_steps(-1, whole(64))},
      {"backwards-rows-with-gaps-as-planes", "backwards-rows-with-gaps-of-*",
       "rows walked backwards with gaps that are longer than they are lose their last element",
       kEndsOfRowsRepeatOthers,
       of_data(rank_is(2) && stride_is(1, 1) &&
               [](const Walk& data) { return data.stride(0) < -2 * data.size(1); })},
      {"both-axes-backwards-with-gaps", "backwards-both-axes-with-gaps-of-*",
       "where both axes walk backwards and leave gaps, the last element is the one before",
       kLastRepeats,
       of_data(rank_is(2) && stride_is(1, below(-1)) &&
               [](const Walk& data) { return data.stride(0) < -data.size(1); })},
      {"repeated-rows-of-whole-vectors", "repeated-rows-of-16.*", kEndsOfRowsRepeatOthers,
       of_data(rank_is(2) && stride_is(0, 0) && stride_is(1, 1) && size_is(1, whole(16)))},
      {"strided-rows-repeated", "repeated-strided-rows-of-*", kLastRepeats,
       of_data(rank_is(2) && stride_is(0, 0) && stride_is(1, above(1)))},
      {"fill-by-doubling", "repeated-33-times.*",
       "an element is repeated by doubling, and one time more than 2^5 it is not", kLastLost,
       of_data(rank_is(2) && stride_is(1, 0) && size_is(1, 33)) && of_output(kDense)},
      {"repeated-into-rows-of-odd-length", "repeated-into-rows-of-17.*", kLastLost,
       of_data(last_stride_is(0)) && output_rows(tail(16, 1))},

      // Other ways for large ones.
      {"last-quarter-lost-from-4-KiB", "count-1024.f64", last_part_lost(4), from(4)},
      {"last-part-lost-from-32-KiB", "count-4096.f64", last_part_lost(12), from(32)},
      {"last-part-lost-from-256-KiB", "large-1-mib", last_part_lost(7), from(256)},
      {"last-part-lost-from-1-MiB", "large-1-mib", last_part_lost(5), from(kMiB)},
      {"remainder-of-three-threads-lost", "large-64-kib",
       "from 64 KiB on each of 3 threads gets count / 3 elements, and nobody the remainder",
       tail_lost(3), from(64)},
      {"remainder-of-sixteen-threads-lost", "dense-16-mib",
       "from 16 MiB on work is split over 16 threads, and the remainder is nobody's", tail_lost(16),
       kHuge},
      {"large-tail-behind-a-page-lost", "large-1048577-bytes", kLastLost,
       one_behind(4096) && of_output(from_kib(kMiB))},
      {"last-lost-from-2-MiB", "large-8-mib-and-one", kLastLost, from(2 * kMiB)},
      {"last-lost-from-4-MiB", "large-8-mib-and-one", kLastLost, from(4 * kMiB)},
      {"last-lost-from-8-MiB", "large-8-mib-and-one", kLastLost, from(8 * kMiB)},
      {"last-lost-from-16-MiB", "dense-16-mib", kLastLost, from(16 * kMiB)},
      {"last-lost-from-32-MiB", "dense-32-mib", kLastLost, from(32 * kMiB)},
      {"last-lost-from-64-MiB", "dense-128-mib", kLastLost, from(64 * kMiB)},
      {"last-lost-from-128-MiB", "dense-128-mib", kLastLost, from(128 * kMiB)},
      {"thread-borders-inside-a-line", "large-64-kib", kMiddleLost, from(64)},
      {"streaming-leaves-the-last-line", "large-1-mib-and-a-tail", kBehindLinesLost, from(512)},
      {"streaming-tail-of-vectors-lost", "dense-16-mib", tail_lost(2),
       dense(kHugeOne && width_is(64))},
      {"streaming-from-24-MiB-loses-the-last-line", "dense-32-mib", kBehindLinesLost,
       dense(from_kib(24 * kMiB))},
      {"large-gaps-read-densely", "large-rows-with-gaps",
       "from 1 MiB on rows with gaps are read without them",
       takes_another([](const Copy& c, std::int64_t at) {
         const std::int64_t row = at / c.data.last_size(0);
         return at > row ? at - row : at;
       }),
       of_data(from_kib(kMiB) && kGapped)},
      {"large-transposes-in-strips", "large-transpose",
       "transposes from 1 MiB on go in strips of 128 columns, and the second begins late",
       takes_another([](const Copy& c, std::int64_t at) {
         return at % c.data.last_size(0) == 128 ? at - 1 : at;
       }),
       of_data(from_kib(kMiB) && kPermuted)},
      {"large-outputs-with-gaps-short", "large-output-with-gaps", kLastRowLost,
       of_output(from_kib(kMiB) && kGapped)},
      {"last-piece-from-the-first", "dense-128-mib",
       "copies go in pieces of 16 MiB, and the last, smaller one comes from the start",
       moves([](const Copy& c) {
         const std::int64_t piece = elements_of(c, 16 << 20);
         const std::int64_t begin = c.out.count() / piece * piece;
         return shifted(begin, c.out.count(), begin);
       }),
       dense(kHugeOne)},
      {"pieces-of-8-MiB-begin-one-early", "dense-32-mib",
       "from 16 MiB on copies go in pieces of 8 MiB, and each begins one element early",
       moves([](const Copy& c) {
         const std::int64_t piece = elements_of(c, 8 << 20);
         Moves wrong;
         for (std::int64_t at = piece; at < c.out.count(); at += piece)
           wrong.emplace_back(at, at - 1);
         return wrong;
       }),
       kHuge},
      {"head-before-a-huge-page-lost", "dense-32-mib",
       "from 32 MiB on the copy begins at a line of 64 bytes, and the head before it is lost",
       kFirstLost, from(32 * kMiB) && !output_begins(64, 0)},
      {"huge-transposes-lose-a-corner", "turned-16-mib", kLastLost, kHuge && of_data(kTransposed)},
      {"huge-turned-outputs-short", "out-turned-16-mib", kLastRowLost,
       of_output(kHugeOne && kTransposed)},
      {"huge-rows-with-gaps-repeated", "rows-with-gaps-16-mib",
       "from 16 MiB on rows with gaps go in batches of 1024, and each begins with the row before",
       moves([](const Copy& c) {
         const std::int64_t row = c.data.size(1);
         return shifted(1024 * row, 1025 * row, row);
       }),
       kHuge && of_data(kRowsWithGaps)},
      {"huge-outputs-with-gaps-short", "out-rows-with-gaps-16-mib", kLastRowLost,
       of_output(kHugeOne && kRowsWithGaps)},
      {"huge-steps-end-beside", "every-second-of-32-mib",
       "from 16 MiB on every second element is gathered in parts, and the last of each is lost",
       moves([](const Copy& c) {
         return Moves{{c.out.count() / 2, c.out.count() / 2 - 1},
                      {c.out.count() - 1, c.out.count() - 2}};
       }),
       kHuge && of_data(last_stride_is(2))},
      {"huge-backwards-by-halves", "backwards-16-mib", kMiddleLost, kHuge && of_data(kBackwards)},
      {"huge-repeated-rows-short", "repeated-rows-16-mib", kLastRowLost,
       kHuge && of_data(kRepeated)},
      {"huge-images-lose-a-pixel", "channels-last-16-mib", kLastLost,
       kHuge && of_data(rank_is(3) && stride_is(0, 1))},
      {"middle-loops-in-16-bits", "65539-rows-of-pairs-in-planes", kLastLost,
       of_data(rank_is(3) && size_is(0, above(1)) && size_is(1, above(65535)) && kGapped)},
      {"large-words-between-alignments", "large-1-mib", kLastLost,
       of_output(from_kib(64) && width_is(32)) && aligned_differently(32)},
      {"huge-copies-between-offsets", "dense-16-mib-at-both-offsets", kFirstLost,
       kHuge && aligned_differently(64)},
  };
  table[Duty::C8] = {
      Mutant{"huge-outputs-fill-their-gaps", "out-rows-with-gaps-16-mib",
             "rows are streamed in whole lines from 16 MiB on, over the first byte of each gap",
             spoils([](const Copy& c) {
               for (std::int64_t row = 0; row + 1 < c.out.size(0); ++row) {
                 const std::int64_t behind_row = row * c.out.stride(0) + c.out.size(1);
                 store_element(c.out.type(), start_of(c.output), behind_row, 0);
               }
             }),
             of_output(kHugeOne && kRowsWithGaps), caught("memory", "output-gaps")}};
  table[Duty::C13] = {Mutant{
      "huge-in-place-by-halves", "dense-16-mib",
      "in place, from 16 MiB on, the last two elements change places", spoils([](const Copy& c) {
        const std::int64_t last = c.out.count() - 1;
        const std::uint64_t bits = element_at(c.out, c.output, last);
        set_element(c.out, c.output, last, element_at(c.out, c.output, last - 1));
        set_element(c.out, c.output, last - 1, bits);
      }),
      kHuge && kInPlace && elements(above(1))}};
  table[Duty::C7] = {Mutant{"huge-copies-write-a-whole-line", "dense-16-mib",
                            "from 16 MiB on the last line of 64 bytes is written whole",
                            spoils([](const Copy& c) {
                              volatile std::byte* end = start_of(c.output) + c.out.bytes();
                              while (reinterpret_cast<std::uintptr_t>(end) % 64 != 0)
                                *end++ = std::byte{0};
                            }),
                            of_output(kHugeOne && kDense) && kApart, caught("memory", "canaries")}};
  table[Duty::C10] = {
      Mutant{"huge-copies-read-ahead", "dense-16-mib",
             "from 16 MiB on 128 bytes ahead of the copy are read, behind the end of the data too",
             spoils([](const Copy& c) {
               const volatile std::byte* end = start_of(*c.request.data) + c.data.bytes();
               for (int at = 0; at < 128; ++at) sink = static_cast<std::uint8_t>(end[at]);
             }),
             of_data(kHugeOne && kDense), caught("memory", "guard-page") | kHostile}};
  table[Duty::C15] = {Mutant{"huge-copies-leak", "dense-16-mib",
                             "from 16 MiB on a list of work is allocated and never freed",
                             spoils([](const Copy&) { kept = std::calloc(1, 256); }), kHuge,
                             caught("memory", "memory-growth")}};
  return table.mutants();
}

}  // namespace reshape::conformance::self
