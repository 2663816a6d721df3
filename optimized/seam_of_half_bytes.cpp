#include "optimized/seam_of_half_bytes.h"

#include <algorithm>

#include "optimized/kernels/half_bytes.h"
#include "optimized/kernels/work.h"
#include "optimized/row_mover.h"

namespace reshape::optimized {
namespace {

Work work_on(std::int64_t run, const Step& rows) {
  Work work;
  work.run = run;
  work.loops = {&rows, 1};
  return work;
}

// Rows of half bytes that are whole bytes, as rows of bytes.
bool are_whole_bytes(const Rows& rows) { return ((rows.length | rows.step) & 1) == 0; }
Rows as_bytes(const Rows& rows) {
  return {std::max<std::int64_t>(rows.length / 2, 1), rows.step / 2};
}
// Whether no kernel is worth choosing for these rows.
bool go_one_by_one(const SeamOfRows& seam, const Rows& rows) {
  constexpr std::int64_t kFew = 200;
  return !are_whole_bytes(rows) || seam.length / rows.length * seam.times <= kFew;
}

// Short rows are unpacked to a stage of one byte for each element, and packed from there; rows that
// are whole bytes all at once, between which and the stage they move as bytes.
class SeamOfHalves {
 public:
  SeamOfHalves(const SeamOfRows& seam, const Target& target)
      : seam_(seam),
        slot_(target.slot),
        gathers_(as_bytes(seam.read), RowMover::Way::gathers, kPacked,
                 go_one_by_one(seam, seam.read), false, target),
        deals_(as_bytes(seam.write), RowMover::Way::deals, kPacked, go_one_by_one(seam, seam.write),
               false, target) {}

  void copy(const std::byte* read, std::byte* write) const {
    const std::int64_t runs = seam_.length / seam_.read.length + seam_.length / seam_.write.length;
    for (std::int64_t time = 0; time < seam_.times; ++time) {
      auto [from, to] = seam_.offsets_at(time);
      from += seam_.read_offset;
      to += seam_.write_offset;
      if (seam_.length / runs >= kLongRun) {
        by_runs(read, from, write, to);
      } else {
        by_stage(read, from, write, to);
      }
    }
  }

 private:
  static constexpr std::int64_t kStage = 4 << 10, kSlack = 64, kPacked = kStage / 2;
  static constexpr std::int64_t kLongRun = 256;  // from which unpacking costs more than it saves

  // Both sides begin with half byte `from` or `to` of their memory.
  void by_runs(const std::byte* read, std::int64_t from, std::byte* write, std::int64_t to) const {
    const Run move = half_byte_runs()[slot_];
    over_runs(seam_.read, seam_.write, 0, seam_.length,
              [&](std::int64_t here, std::int64_t there, std::int64_t count) {
                here += from;
                there += to;
                Work work;
                work.run = count;
                work.read_half = static_cast<int>(here & 1);
                work.write_half = static_cast<int>(there & 1);
                move(work, read + (here >> 1), write + (there >> 1));
              });
  }

  void by_stage(const std::byte* read, std::int64_t from, std::byte* write, std::int64_t to) const {
    alignas(64) std::byte room[kSlack + kStage + kSlack], packed[kPacked + kSlack];
    std::byte* const stage = room + kSlack;
    const bool reads_bytes = are_whole_bytes(seam_.read) && from % 2 == 0;
    const bool writes_bytes = are_whole_bytes(seam_.write) && to % 2 == 0;
    for (std::int64_t begin = 0, end = 0; begin < seam_.length; begin = end) {
      end = std::min(begin + kStage, seam_.length);
      const Step all{1, end - begin, end - begin};
      if (reads_bytes) {
        gathers_.move(begin / 2, end / 2, read + (from >> 1), packed);
        unpack_runs()[slot_](work_on(end - begin, all), packed, stage);
      } else {
        unpack_rows(begin, end, read, from, stage);
      }
      if (writes_bytes) {
        pack_runs()[slot_](work_on(end - begin, all), stage, packed);
        deals_.move(begin / 2, end / 2, packed, write + (to >> 1));
      } else {
        pack_rows(begin, end, stage, write, to);
      }
    }
  }

  void unpack_rows(std::int64_t begin, std::int64_t end, const std::byte* read, std::int64_t from,
                   std::byte* stage) const {
    over_rows(seam_.read, begin, end,
              [&](std::int64_t place, std::int64_t at, std::int64_t run, std::int64_t count) {
                const Step rows{count, seam_.read.step, run};
                Work work = work_on(run, rows);
                place += from;
                work.read_half = static_cast<int>(place & 1);
                unpack_runs()[slot_](work, read + (place >> 1), stage + at);
              });
  }

  void pack_rows(std::int64_t begin, std::int64_t end, const std::byte* stage, std::byte* write,
                 std::int64_t to) const {
    over_rows(seam_.write, begin, end,
              [&](std::int64_t place, std::int64_t at, std::int64_t run, std::int64_t count) {
                const Step rows{count, run, seam_.write.step};
                Work work = work_on(run, rows);
                place += to;
                work.write_half = static_cast<int>(place & 1);
                pack_runs()[slot_](work, stage + at, write + (place >> 1));
              });
  }

  const SeamOfRows& seam_;
  int slot_;
  RowMover gathers_, deals_;  // of rows that are whole bytes
};

}  // namespace

void copy_half_bytes(const SeamOfRows& seam, const std::byte* read, std::byte* write,
                     const Target& target) {
  SeamOfHalves(seam, target).copy(read, write);
}

}  // namespace reshape::optimized
