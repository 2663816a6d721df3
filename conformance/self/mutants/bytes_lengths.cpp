// Lengths that a loop does not expect: blocks and their tails, steps, and sizes from which another way
// is taken.
#include <cstddef>
#include <cstdlib>

#include "conformance/self/displace.h"
#include "conformance/self/families.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

// Behind at least one full block a tail of exactly `tail` elements is not written; 0: the last one.
Steps loses_tail_of_elements(std::int64_t block, std::int64_t tail) {
  return leaves(
      [=](const Copy& c) { return c.out.count() > block && c.out.count() % block == tail; },
      [=](const Copy& c, std::int64_t at) { return at >= c.out.count() - (tail == 0 ? 1 : tail); });
}

// One element behind full blocks of so many bytes is not written.
Steps loses_single_tail_of_bytes(std::int64_t bytes) {
  return loses_the_last(
      [=](const Copy& c) { return behind(bytes * 8 / c.out.width(), 1)(c.out.count()); });
}

// From so many bytes on, the last of equal parts is not written.
Steps loses_last_part_from(std::int64_t bytes, std::int64_t parts) {
  return leaves(
      [=](const Copy& c) { return c.out.bytes() >= bytes; },
      [=](const Copy& c, std::int64_t at) { return at >= c.out.count() - c.out.count() / parts; });
}

// Behind full blocks, tails of `first` to `last` elements lose their last element.
Steps loses_tails(std::int64_t block, std::int64_t first, std::int64_t last, int width = 0) {
  return loses_the_last([=](const Copy& c) {
    const std::int64_t tail = c.out.count() % block;
    return c.data.dense() && c.out.dense() && c.out.count() > block && tail >= first &&
           tail <= last && (width == 0 || c.out.width() == width);
  });
}

// Rows of the data, where when(data), get their last element from one before it.
Steps spoils_rows_where(WhereData when) {
  return moves([=](const Copy& c) { return when(c.data); },
               [](const Copy& c) { return ends_of_rows(c.data.last_size(0), c.data.count()); });
}

// Rows with gaps of such a length do, of elements of that many bits; 0: of any.
Steps spoils_rows(Length row, std::int64_t width = 0) {
  return spoils_rows_where([=](const Walk& data) {
    return rows_with_gaps(data) && row(data.size(1)) && (width == 0 || data.width() == width);
  });
}

Steps loses_ends_of_output_rows(Length length) {
  return loses([=](const Copy& c) { return rows_with_gaps(c.out) && length(c.out.last_size(0)); },
               [](const Copy& c) {
                 Numbers lost;
                 const std::int64_t row = c.out.last_size(0);
                 for (std::int64_t at = row - 1; at < c.out.count(); at += row) lost.push_back(at);
                 return lost;
               });
}

// Of so many elements on one axis with such a stride the last is the one before.
Steps spoils_steps(std::int64_t stride, Length count) {
  return repeats_before_the_last([=](const Copy& c) {
    return c.data.rank() == 1 && c.data.stride(0) == stride && c.data.count() > 1 &&
           count(c.data.count());
  });
}

Steps loses_output_steps(std::int64_t stride, Length count) {
  return loses_the_last([=](const Copy& c) {
    return c.out.last_stride(0) == stride && c.out.last_size(0) == c.out.count() &&
           count(c.out.count());
  });
}

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t k2To24 = std::int64_t{1} << 24;

bool from(std::int64_t mib, const Walk& out) { return out.bytes() >= mib * kMiB; }
bool plain(const Walk& data, const Walk& out) { return data.dense() && out.dense(); }

Steps loses_the_last_from(std::int64_t mib) {
  return loses_the_last([=](const Copy& c) { return from(mib, c.out); });
}

// The elements of the last row.
Numbers last_row(const Copy& c) {
  return from_to_end(c.out.count() - c.out.last_size(0), c.out.count());
}

// Keep the compiler from leaving out what nobody uses.
volatile std::uint8_t sink;
void* volatile kept;

}  // namespace

Mutants families::bytes_lengths() {
  Mutants table = {
      {"two-elements-swapped", "content.kept", "count-3.f64",
       "the second and the third element change places",
       after_execute([](const reshape_request&, DLTensor& out) {
         Elements elements(out);
         if (elements.count() > 2) elements.swap(1, 2);
       })},
      {"last-two-of-a-block-swapped", "content.kept", "count-17.f32",
       "in every full block of 16 the last two elements change places",
       after_execute([](const reshape_request&, DLTensor& out) {
         Elements elements(out);
         for (std::int64_t end = 16; end <= elements.count(); end += 16)
           elements.swap(end - 2, end - 1);
       })},
      {"one-element-short", "content.kept", "count-2.u8", "the last element is not written",
       loses_the_last([](const Copy&) { return true; })},
      {"tail-unwritten", "content.kept", "count-2.u8", "only full blocks of 8 elements are written",
       leaves([](const Copy&) { return true; },
              [](const Copy& c, std::int64_t at) { return at >= c.out.count() / 8 * 8; })},
      {"single-element-unwritten", "content.kept", "packed-1.i4",
       "an output of one element leaves the loop before it is written",
       leaves([](const Copy& c) { return c.out.count() == 1; },
              [](const Copy&, std::int64_t) { return true; })},
      {"scalar-unwritten", "content.kept", "to-scalar-with-strides.bf16",
       "an output of rank 0 has no loop to be written in",
       leaves([](const Copy& c) { return c.out.rank() == 0; },
              [](const Copy&, std::int64_t) { return true; })},
      {"scalar-data-unread", "content.kept", "scalar-minus-one-first",
       "data of rank 0 has no loop to be read in, so the output stays as it was",
       leaves([](const Copy& c) { return c.data.rank() == 0; },
              [](const Copy&, std::int64_t) { return true; })},
      {"single-tail-of-4-lost", "content.kept", "count-13.u8",
       "one element behind full blocks of 4 is not written", loses_tail_of_elements(4, 1)},
      {"tail-of-3-lost", "content.kept", "count-11.bf16",
       "three elements behind full blocks of 4 are not written", loses_tail_of_elements(4, 3)},
      {"tail-of-7-lost", "content.kept", "count-23.f64",
       "seven elements behind full blocks of 8 are not written", loses_tail_of_elements(8, 7)},
      {"single-tail-of-16-lost", "content.kept", "count-17.f32",
       "one element behind full blocks of 16 is not written", loses_tail_of_elements(16, 1)},
      {"tail-of-15-lost", "content.kept", "count-31.f32",
       "fifteen elements behind full blocks of 16 are not written", loses_tail_of_elements(16, 15)},
      {"single-tail-of-32-lost", "content.kept", "count-129.f32",
       "one element behind full blocks of 32 is not written", loses_tail_of_elements(32, 1)},
      {"tail-of-31-lost", "content.kept", "count-127.bf16",
       "thirty-one elements behind full blocks of 32 are not written",
       loses_tail_of_elements(32, 31)},
      {"single-tail-of-64-lost", "content.kept", "count-129.f32",
       "one element behind full blocks of 64 is not written", loses_tail_of_elements(64, 1)},
      {"tail-of-63-lost", "content.kept", "count-127.bf16",
       "sixty-three elements behind full blocks of 64 are not written",
       loses_tail_of_elements(64, 63)},
      {"full-blocks-of-8-lose-the-last", "content.kept", "count-64.bf16",
       "where nothing is left behind full blocks of 8, the last element is lost",
       loses_tail_of_elements(8, 0)},
      {"full-blocks-of-64-lose-the-last", "content.kept", "count-256.f64",
       "where nothing is left behind full blocks of 64, the last element is lost",
       loses_tail_of_elements(64, 0)},
      {"tail-behind-16-bytes-lost", "content.kept", "count-3.f64",
       "one element behind full vectors of 16 bytes is not written",
       loses_single_tail_of_bytes(16)},
      {"tail-behind-32-bytes-lost", "content.kept", "count-17.f32",
       "one element behind full vectors of 32 bytes is not written",
       loses_single_tail_of_bytes(32)},
      {"tail-behind-a-cache-line-lost", "content.kept", "count-17.f32",
       "one element behind full lines of 64 bytes is not written", loses_single_tail_of_bytes(64)},
      {"tail-behind-a-page-lost", "content.kept", "count-4097.u8",
       "one element behind full pages of 4096 bytes is not written",
       loses_single_tail_of_bytes(4096)},
      {"overlapped-tail-one-early", "content.kept", "count-11.bf16",
       "the last 8 elements are written a second time, from one element too early",
       takes_another(
           [](const Copy& c) { return c.out.count() > 8 && c.out.count() % 8 != 0; },
           [](const Copy& c, std::int64_t at) { return at >= c.out.count() - 8 ? at - 1 : at; })},
      {"unrolled-by-four-repeats-the-third", "content.kept", "count-17.f32",
       "in a loop unrolled by 4, from 16 elements on, the fourth copy reads the third element",
       takes_another([](const Copy& c) { return c.out.count() >= 16; },
                     [](const Copy& c, std::int64_t at) {
                       return at % 4 == 3 && at < c.out.count() / 4 * 4 ? at - 1 : at;
                     })},
      {"last-quarter-lost-from-4-KiB", "content.kept", "count-1024.f64",
       "from 4 KiB on work is split over four threads, and the fourth never runs",
       loses_last_part_from(4096, 4)},
      {"last-part-lost-from-32-KiB", "content.kept", "count-4096.f64",
       "from 32 KiB on work is split over twelve threads, and the last part is lost",
       loses_last_part_from(32 << 10, 12)},
      {"last-part-lost-from-256-KiB", "content.kept", "large-1-mib",
       "from 256 KiB on work is split over seven threads, and the last part is lost",
       loses_last_part_from(256 << 10, 7)},
      {"last-part-lost-from-1-MiB", "content.kept", "large-1-mib",
       "from 1 MiB on work is split over five threads, and the last part is lost",
       loses_last_part_from(1 << 20, 5)},
      {"remainder-of-three-threads-lost", "content.kept", "large-64-kib",
       "from 64 KiB on each of 3 threads gets count / 3 elements, and nobody the remainder",
       leaves([](const Copy& c) { return c.out.bytes() >= (64 << 10); },
              [](const Copy& c, std::int64_t at) { return at >= c.out.count() / 3 * 3; })},
      {"thread-borders-inside-a-line", "content.kept", "large-64-kib",
       "from 64 KiB on the first element of the second half is written by nobody",
       leaves([](const Copy& c) { return c.out.bytes() >= (64 << 10); },
              [](const Copy& c, std::int64_t at) { return at == c.out.count() / 2; })},
      {"streaming-leaves-the-last-line", "content.kept", "large-1-mib-and-a-tail",
       "from 512 KiB on streaming stores end before the last, partly filled line",
       leaves([](const Copy& c) { return c.out.bytes() >= (512 << 10); },
              [](const Copy& c, std::int64_t at) {
                const std::int64_t line = 512 / c.out.width();
                return at >= c.out.count() / line * line;
              })},
      {"positions-in-16-bits", "content.kept", "large-1-mib",
       "positions are counted in 16 bits, and begin again behind 65536 elements",
       takes_another([](const Copy& c) { return c.out.count() > 65536; },
                     [](const Copy&, std::int64_t at) { return at & 0xffff; })},
      {"positions-in-8-bits", "content.kept", "count-257.u8",
       "positions are counted in 8 bits, and begin again behind 256 elements",
       takes_another([](const Copy& c) { return c.out.count() > 256; },
                     [](const Copy&, std::int64_t at) { return at & 0xff; })},
      {"byte-counts-in-16-bits", "content.kept", "large-64-kib-and-one-element",
       "bytes are counted in 16 bits, so that of 65536 + n bytes n are copied",
       leaves([](const Copy& c) { return c.out.bytes() > 65536; },
              [](const Copy& c, std::int64_t at) {
                return at * c.out.width() / 8 >= c.out.bytes() % 65536;
              })},
      {"tails-of-2-behind-8-lost", "content.kept", "dense-66.*",
       "two elements behind full blocks of 8 lose the second", loses_tails(8, 2, 2)},
      {"tails-of-4-behind-16-lost", "content.kept", "dense-68.*",
       "a quarter of a block of 16 behind full ones loses its last element", loses_tails(16, 4, 4)},
      {"tails-of-10-and-11-lost", "content.kept", "dense-7?.*",
       "behind blocks of 16 a tail is done as 8 and 2, and as 8 and 3 it is not",
       loses_tails(16, 10, 11)},
      {"half-blocks-of-32-lost", "content.kept", "dense-80.*",
       "sixteen elements behind full blocks of 32 are a full vector that nobody writes",
       loses_tails(32, 16, 16)},
      {"half-blocks-of-64-lost", "content.kept", "dense-96.*",
       "32 elements behind full blocks of 64 lose their last", loses_tails(64, 32, 32)},
      {"tails-above-half-of-64-lost", "content.kept", "dense-11?.*",
       "behind blocks of 64, tails of 40 to 55 elements lose their last", loses_tails(64, 40, 55)},
      {"tails-of-bytes-behind-a-word-lost", "content.kept", "dense-76.u8",
       "of bytes behind full lines, those behind one more word of 8 are not written",
       loses_tails(64, 12, 12, 8)},
      {"tails-of-halves-of-20-lost", "content.kept", "dense-84.bf16",
       "16-bit elements lose the last of 20 behind full vectors of 32",
       loses_tails(32, 20, 20, 16)},
      {"quarters-of-256-lost", "content.kept", "dense-320.*",
       "in a loop unrolled to 256 elements one vector of 64 behind it is not written",
       loses_tails(256, 64, 64)},
      {"three-quarters-of-1024-lost", "content.kept", "dense-1792.*",
       "768 elements behind full blocks of 1024 lose the last", loses_tails(1024, 768, 768)},
      {"gapped-rows-of-whole-vectors", "content.kept", "rows-of-16.*",
       "rows with gaps of exactly n vectors of 16 have no tail, and their last element slips",
       spoils_rows(whole(16))},
      {"gapped-rows-of-one-less", "content.kept", "rows-of-31.*",
       "rows with gaps of 31 elements are taken for whole vectors of 32, their last for a gap",
       spoils_rows(tail(32, 31))},
      {"gapped-rows-of-a-line-and-one", "content.kept", "rows-of-65.u8",
       "rows with gaps of one byte more than a line come without that byte",
       spoils_rows(behind(64, 1), 8)},
      {"gapped-rows-of-two", "content.kept", "rows-of-2.*",
       "rows with gaps of two elements are read as one pair, the first of it twice",
       spoils_rows(exactly(2))},
      {"gapped-rows-of-a-page", "content.kept", "rows-of-256.*",
       "rows with gaps of 256 elements have their length in one byte", spoils_rows(exactly(256))},
      {"gapped-rows-tail-of-halves", "content.kept", "rows-of-22.bf16",
       "16-bit rows with gaps lose the last of 6 elements behind vectors of 8",
       spoils_rows(tail(8, 6), 16)},
      {"gapped-rows-of-bytes-in-batches", "content.kept", "17-rows-of-5.u8",
       "rows of bytes with gaps go in batches of 16, and the next batch begins a row early",
       moves(
           [](const Copy& c) {
             return rows_with_gaps(c.data) && c.data.width() == 8 && c.data.size(0) > 16;
           },
           [](const Copy& c) {
             const std::int64_t row = c.data.size(1);
             return Moves{{16 * row, 15 * row}};
           })},
      {"output-rows-of-whole-vectors", "content.kept", "out-rows-of-32.*",
       "output rows with gaps of exactly n vectors of 32 lose their last element",
       loses_ends_of_output_rows(whole(32))},
      {"output-rows-of-two", "content.kept", "out-rows-of-2.*",
       "output rows with gaps of two elements are written as one",
       loses_ends_of_output_rows(exactly(2))},
      {"output-rows-tail-of-six", "content.kept", "out-rows-of-14.*",
       "output rows with gaps lose the last of 6 elements behind vectors of 8",
       loses_ends_of_output_rows(behind(8, 6))},
      {"output-rows-in-batches", "content.kept", "out-17-rows-of-5.u8",
       "output rows of bytes with gaps go in batches of 16, and the row behind them is lost",
       loses(
           [](const Copy& c) {
             return rows_with_gaps(c.out) && c.out.width() == 8 && c.out.size(0) % 16 == 1 &&
                    c.out.size(0) > 16;
           },
           [](const Copy& c) {
             return from_to_end(c.out.count() - c.out.size(1), c.out.count());
           })},
      {"rows-of-both-sides-in-whole-vectors", "content.kept", "both-rows-16-24.*",
       "where rows of both sides are multiples of 8, the last vector of the data comes twice",
       moves(
           [](const Copy& c) {
             return rows_with_gaps(c.data) && rows_with_gaps(c.out) &&
                    c.data.size(1) != c.out.size(1) && c.data.size(1) % 8 == 0 &&
                    c.out.size(1) % 8 == 0;
           },
           [](const Copy& c) { return Moves{{c.data.count() - 1, c.data.count() - 9}}; })},
      {"every-second-of-whole-blocks", "content.kept", "stride-2-of-16.*",
       "a stride of 2 over exactly n blocks of 16 reads its last element twice",
       spoils_steps(2, whole(16))},
      {"every-second-tail-of-two", "content.kept", "stride-2-of-66.*",
       "a stride of 2 is unzipped in blocks of 64, and a tail of two is done as one",
       spoils_steps(2, behind(64, 2))},
      {"every-third-of-whole-blocks", "content.kept", "stride-3-of-16.*",
       "a stride of 3 over exactly n blocks of 16 reads its last element twice",
       spoils_steps(3, whole(16))},
      {"every-fourth-by-shuffles", "content.kept", "stride-4-of-18.*",
       "a stride of 4 is shuffled out of vectors of 16, and a tail of two is done as one",
       spoils_steps(4, tail(16, 2))},
      {"every-eighth-by-shuffles", "content.kept", "stride-8-of-31.*",
       "a stride of 8 is shuffled out of lines, and 15 behind 16 of them come as 14",
       spoils_steps(8, behind(16, 15))},
      {"every-sixteenth-in-pairs", "content.kept", "stride-16-of-17.*",
       "a stride of 16 is gathered in pairs, and of an odd number the last comes twice",
       spoils_steps(16, tail(2, 1))},
      {"columns-of-256-in-pairs", "content.kept", "stride-256-of-9.*",
       "a stride of 256 is gathered in pairs, and of an odd number the last comes twice",
       spoils_steps(256, tail(2, 1))},
      {"output-every-third-short", "content.kept", "out-stride-3-of-16.*",
       "a stride of 3 is written in blocks of 16, and the last of a full one is lost",
       loses_output_steps(3, whole(16))},
      {"output-every-fourth-short", "content.kept", "out-stride-4-of-22.*",
       "a stride of 4 is written in blocks of 8, and the last of 6 behind them is lost",
       loses_output_steps(4, behind(8, 6))},
      {"output-every-eighth-short", "content.kept", "out-stride-8-of-33.*",
       "a stride of 8 is written in blocks of 16, and one behind two of them is lost",
       loses_output_steps(8, tail(16, 1, 32))},
      {"backwards-in-whole-vectors", "content.kept", "backwards-of-16.*",
       "data walked backwards in exactly n vectors of 16 loses its last to the one before",
       spoils_steps(-1, whole(16))},
      {"backwards-tail-of-two", "content.kept", "backwards-of-66.*",
       "data walked backwards is turned in vectors of 32, and a tail of two is done as one",
       spoils_steps(-1, behind(32, 2))},
      {"output-backwards-in-whole-vectors", "content.kept", "out-backwards-of-64.*",
       "outputs walked backwards in exactly n vectors of 64 lose their last element",
       loses_output_steps(-1, whole(64))},
      {"backwards-rows-with-gaps-as-planes", "content.kept", "backwards-rows-with-gaps-of-*",
       "rows walked backwards with gaps that are longer than they are lose their last element",
       spoils_rows_where([](const Walk& data) {
         return data.rank() == 2 && data.stride(0) < -2 * data.size(1) && data.stride(1) == 1;
       })},
      {"both-axes-backwards-with-gaps", "content.kept", "backwards-both-axes-with-gaps-of-*",
       "where both axes walk backwards and leave gaps, the last element is the one before",
       repeats_before_the_last([](const Copy& c) {
         return c.data.rank() == 2 && c.data.stride(0) < -c.data.size(1) && c.data.stride(1) < -1;
       })},
      {"repeated-rows-of-whole-vectors", "content.kept", "repeated-rows-of-16.*",
       "rows of exactly n vectors of 16 that repeat lose their last element to the one before",
       spoils_rows_where([](const Walk& data) {
         return data.rank() == 2 && data.stride(0) == 0 && data.stride(1) == 1 &&
                data.size(1) % 16 == 0;
       })},
      {"strided-rows-repeated", "content.kept", "repeated-strided-rows-of-*",
       "rows that repeat and have a stride themselves are read without it",
       repeats_before_the_last([](const Copy& c) {
         return c.data.rank() == 2 && c.data.stride(0) == 0 && c.data.stride(1) > 1;
       })},
      {"fill-by-doubling", "content.kept", "repeated-33-times.*",
       "an element is repeated by doubling, and one time more than 2^5 it is not",
       loses_the_last([](const Copy& c) {
         return c.data.rank() == 2 && c.data.stride(1) == 0 && c.data.size(1) == 33 &&
                c.out.dense();
       })},
      {"repeated-into-rows-of-odd-length", "content.kept", "repeated-into-rows-of-17.*",
       "an element that fills a row with a gap behind it fills all but the last of 16 and one",
       loses_the_last([](const Copy& c) {
         return c.data.last_stride(0) == 0 && rows_with_gaps(c.out) && c.out.size(1) % 16 == 1;
       })},
      {"last-lost-from-2-MiB", "content.kept", "large-8-mib-and-one",
       "from 2 MiB on the last element is not written", loses_the_last_from(2)},
      {"last-lost-from-4-MiB", "content.kept", "large-8-mib-and-one",
       "from 4 MiB on the last element is not written", loses_the_last_from(4)},
      {"last-lost-from-8-MiB", "content.kept", "large-8-mib-and-one",
       "from 8 MiB on the last element is not written", loses_the_last_from(8)},
      {"large-gaps-read-densely", "content.kept", "large-rows-with-gaps",
       "from 1 MiB on rows with gaps are read without them",
       takes_another([](const Copy& c) { return c.data.bytes() >= (1 << 20) && c.data.gaps(); },
                     [](const Copy& c, std::int64_t at) {
                       const std::int64_t row = at / c.data.last_size(0);
                       return at > row ? at - row : at;
                     })},
      {"large-transposes-in-strips", "content.kept", "large-transpose",
       "transposes from 1 MiB on go in strips of 128 columns, and the second begins late",
       takes_another([](const Copy& c) { return c.data.bytes() >= (1 << 20) && c.data.permuted(); },
                     [](const Copy& c, std::int64_t at) {
                       return at % c.data.last_size(0) == 128 ? at - 1 : at;
                     })},
      {"large-outputs-with-gaps-short", "content.kept", "large-output-with-gaps",
       "from 1 MiB on the last row of an output with gaps is not written",
       leaves([](const Copy& c) { return c.out.bytes() >= (1 << 20) && c.out.gaps(); },
              [](const Copy& c, std::int64_t at) {
                return at >= c.out.count() - c.out.last_size(0);
              })},
      {"last-lost-from-16-MiB", "content.kept", "dense-16-mib",
       "from 16 MiB on the last element is not written", loses_the_last_from(16)},
      {"last-lost-from-32-MiB", "content.kept", "dense-32-mib",
       "from 32 MiB on the last element is not written", loses_the_last_from(32)},
      {"last-lost-from-64-MiB", "content.kept", "dense-128-mib",
       "from 64 MiB on the last element is not written", loses_the_last_from(64)},
      {"last-lost-from-128-MiB", "content.kept", "dense-128-mib",
       "from 128 MiB on the last element is not written", loses_the_last_from(128)},
      {"elements-numbered-by-floats", "content.kept", "dense-128-mib",
       "elements are numbered by floats, which know no odd number above 2^24",
       moves([](const Copy& c) { return c.out.count() > k2To24; },
             [](const Copy& c) {
               Moves wrong;
               for (std::int64_t at : from_to_end(k2To24, c.out.count())) {
                 const auto number = static_cast<std::int64_t>(static_cast<float>(at));
                 if (number < c.out.count()) wrong.emplace_back(at, number);
               }
               return wrong;
             })},
      {"positions-in-24-bits", "content.kept", "dense-128-mib",
       "positions share a word with 8 bits of flags, and begin again behind 2^24 elements",
       moves([](const Copy& c) { return c.out.count() > k2To24; },
             [](const Copy& c) { return shifted(k2To24, c.out.count(), k2To24); })},
      {"streaming-tail-of-vectors-lost", "content.kept", "dense-16-mib",
       "from 16 MiB on vectors of 16 bytes are streamed, and half a vector is lost",
       loses(
           [](const Copy& c) {
             return from(16, c.out) && plain(c.data, c.out) && c.out.width() == 64;
           },
           [](const Copy& c) { return from_to_end(c.out.count() / 2 * 2, c.out.count()); })},
      {"streaming-from-24-MiB-loses-the-last-line", "content.kept", "dense-32-mib",
       "from 24 MiB on whole lines are streamed, and what a last line holds besides is lost",
       loses([](const Copy& c) { return from(24, c.out) && plain(c.data, c.out); },
             [](const Copy& c) {
               const std::int64_t line = 64 * 8 / c.out.width();
               return from_to_end(c.out.count() / line * line, c.out.count());
             })},
      {"remainder-of-sixteen-threads-lost", "content.kept", "dense-16-mib",
       "from 16 MiB on work is split over 16 threads, and the remainder is nobody's",
       loses([](const Copy& c) { return from(16, c.out); },
             [](const Copy& c) { return from_to_end(c.out.count() / 16 * 16, c.out.count()); })},
      {"last-piece-from-the-first", "content.kept", "dense-128-mib",
       "copies go in pieces of 16 MiB, and the last, smaller one comes from the start",
       moves([](const Copy& c) { return from(16, c.out) && plain(c.data, c.out); },
             [](const Copy& c) {
               const std::int64_t piece = 16 * kMiB * 8 / c.out.width();
               const std::int64_t begin = c.out.count() / piece * piece;
               return shifted(begin, c.out.count(), begin);
             })},
      {"pieces-of-8-MiB-begin-one-early", "content.kept", "dense-32-mib",
       "from 16 MiB on copies go in pieces of 8 MiB, and each begins one element early",
       moves([](const Copy& c) { return from(16, c.out); },
             [](const Copy& c) {
               const std::int64_t piece = 8 * kMiB * 8 / c.out.width();
               Moves wrong;
               for (std::int64_t at = piece; at < c.out.count(); at += piece)
                 wrong.emplace_back(at, at - 1);
               return wrong;
             })},
      {"head-before-a-huge-page-lost", "content.kept", "dense-32-mib",
       "from 32 MiB on the copy begins at a line of 64 bytes, and the head before it is lost",
       loses_the_first(
           [](const Copy& c) { return from(32, c.out) && address_of(c.output) % 64 != 0; })},
      {"huge-transposes-lose-a-corner", "content.kept", "turned-16-mib",
       "transposes from 16 MiB on go in blocks of 512, and the last corner is left out",
       loses_the_last([](const Copy& c) { return from(16, c.out) && lies_turned(c.data); })},
      {"huge-turned-outputs-short", "content.kept", "out-turned-16-mib",
       "outputs that lie transposed lose their last row from 16 MiB on",
       loses([](const Copy& c) { return from(16, c.out) && lies_turned(c.out); }, last_row)},
      {"huge-rows-with-gaps-repeated", "content.kept", "rows-with-gaps-16-mib",
       "from 16 MiB on rows with gaps go in batches of 1024, and each begins with the row before",
       moves([](const Copy& c) { return from(16, c.out) && rows_with_gaps(c.data); },
             [](const Copy& c) {
               const std::int64_t row = c.data.size(1);
               return shifted(1024 * row, 1025 * row, row);
             })},
      {"huge-outputs-with-gaps-short", "content.kept", "out-rows-with-gaps-16-mib",
       "from 16 MiB on the last row of an output with gaps is not written",
       loses([](const Copy& c) { return from(16, c.out) && rows_with_gaps(c.out); }, last_row)},
      {"huge-outputs-fill-their-gaps", Duty::C8, "out-rows-with-gaps-16-mib",
       "rows are streamed in whole lines from 16 MiB on, over the first byte of each gap",
       after_execute([](const reshape_request&, DLTensor& out) {
         const Walk output(out);
         if (output.count() == 0 || !from(16, output) || !rows_with_gaps(output)) return;
         for (std::int64_t row = 0; row + 1 < output.size(0); ++row) {
           const std::int64_t behind = output.position(row * output.size(1)) + output.size(1);
           store_element(output.type(), start_of(out), behind, 0);
         }
       }),
       caught("memory", "output-gaps")},
      {"huge-steps-end-beside", "content.kept", "every-second-of-32-mib",
       "from 16 MiB on every second element is gathered in parts, and the last of each is lost",
       moves([](const Copy& c) { return from(16, c.out) && c.data.last_stride(0) == 2; },
             [](const Copy& c) {
               return Moves{{c.out.count() / 2, c.out.count() / 2 - 1},
                            {c.out.count() - 1, c.out.count() - 2}};
             })},
      {"huge-backwards-by-halves", "content.kept", "backwards-16-mib",
       "from 16 MiB on data is turned round by halves, and the middle element is left out",
       loses([](const Copy& c) { return from(16, c.out) && c.data.backwards(); },
             [](const Copy& c) { return Numbers{c.out.count() / 2}; })},
      {"huge-repeated-rows-short", "content.kept", "repeated-rows-16-mib",
       "from 16 MiB on a row is repeated by doubling, and what is no power of two is lost",
       loses([](const Copy& c) { return from(16, c.out) && c.data.repeats(); }, last_row)},
      {"huge-images-lose-a-pixel", "content.kept", "channels-last-16-mib",
       "images of three channels from 16 MiB on lose the last pixel of the last channel",
       loses_the_last([](const Copy& c) {
         return from(16, c.out) && c.data.rank() == 3 && c.data.stride(0) == 1;
       })},
      {"huge-copies-between-offsets", "content.kept", "dense-16-mib-at-both-offsets",
       "from 16 MiB on buffers that are aligned differently lose their first element",
       loses_the_first([](const Copy& c) {
         return from(16, c.out) && address_of(*c.request.data) % 64 != address_of(c.output) % 64;
       })},
      {"huge-in-place-by-halves", Duty::C13, "dense-16-mib",
       "in place, from 16 MiB on, the last two elements change places",
       after_execute([](const reshape_request& request, DLTensor& out) {
         const Walk output(out);
         if (output.count() < 2 || !from(16, output) || !in_place(request, out)) return;
         const std::uint64_t last = element_at(output, out, output.count() - 1);
         set_element(output, out, output.count() - 1, element_at(output, out, output.count() - 2));
         set_element(output, out, output.count() - 2, last);
       })},
      {"huge-copies-write-a-whole-line", Duty::C7, "dense-16-mib",
       "from 16 MiB on the last line of 64 bytes is written whole",
       after_execute([](const reshape_request& request, DLTensor& out) {
         const Walk output(out);
         if (output.count() == 0 || !from(16, output) || !output.dense() || in_place(request, out))
           return;
         volatile std::byte* end = start_of(out) + output.bytes();
         while (reinterpret_cast<std::uintptr_t>(end) % 64 != 0) *end++ = std::byte{0};
       }),
       caught("memory", "canaries")},
      {"huge-copies-read-ahead", Duty::C10, "dense-16-mib",
       "from 16 MiB on 128 bytes ahead of the copy are read, behind the end of the data too",
       after_execute([](const reshape_request& request, DLTensor& out) {
         const Walk data(*request.data);
         if (empty(out) || !from(16, data) || !data.dense()) return;
         const volatile std::byte* end = start_of(*request.data) + data.bytes();
         for (int at = 0; at < 128; ++at) sink = static_cast<std::uint8_t>(end[at]);
       }),
       caught("memory", "guard-page") | kHostile},
      {"huge-copies-leak", Duty::C15, "dense-16-mib",
       "from 16 MiB on a list of work is allocated and never freed",
       after_execute([](const reshape_request&, DLTensor& out) {
         if (!empty(out) && from(16, Walk(out))) kept = std::calloc(1, 256);
       }),
       caught("memory", "memory-growth")},
  };
  return family(Kind::bytes, {"bytes", "bytes"}, std::move(table));
}

}  // namespace reshape::conformance::self
