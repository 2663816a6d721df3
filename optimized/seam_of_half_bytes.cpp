#include "optimized/seam_of_half_bytes.h"

#include "optimized/kernels/half_bytes.h"
#include "optimized/kernels/work.h"

namespace reshape::optimized {
namespace {

Work work_on(std::int64_t run, const Step& rows) {
  Work work;
  work.run = run;
  work.loops = {&rows, 1};
  return work;
}

// Short rows are unpacked to a stage of one byte for each element, and packed from there.
class SeamOfHalves {
 public:
  SeamOfHalves(const SeamOfRows& seam, const Target& target) : seam_(seam), slot_(target.slot) {}

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
  static constexpr std::int64_t kStage = 4 << 10, kSlack = 64;
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
    const Run unpack = unpack_runs()[slot_], pack = pack_runs()[slot_];
    alignas(64) std::byte room[kSlack + kStage + kSlack];
    std::byte* const stage = room + kSlack;
    for (std::int64_t begin = 0, end = 0; begin < seam_.length; begin = end) {
      end = std::min(begin + kStage, seam_.length);
      over_rows(seam_.read, begin, end,
                [&](std::int64_t place, std::int64_t at, std::int64_t run, std::int64_t count) {
                  const Step rows{count, seam_.read.step, run};
                  Work work = work_on(run, rows);
                  place += from;
                  work.read_half = static_cast<int>(place & 1);
                  unpack(work, read + (place >> 1), stage + at);
                });
      over_rows(seam_.write, begin, end,
                [&](std::int64_t place, std::int64_t at, std::int64_t run, std::int64_t count) {
                  const Step rows{count, run, seam_.write.step};
                  Work work = work_on(run, rows);
                  place += to;
                  work.write_half = static_cast<int>(place & 1);
                  pack(work, stage + at, write + (place >> 1));
                });
    }
  }

  const SeamOfRows& seam_;
  int slot_;
};

}  // namespace

void copy_half_bytes(const SeamOfRows& seam, const std::byte* read, std::byte* write,
                     const Target& target) {
  SeamOfHalves(seam, target).copy(read, write);
}

}  // namespace reshape::optimized
