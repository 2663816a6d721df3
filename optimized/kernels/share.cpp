#include "optimized/kernels/share.h"

#include <algorithm>
#include <cstdint>

#include "optimized/inline_vector.h"
#include "optimized/kernels/machine.h"

namespace reshape::optimized {
namespace {

// The stage's size in bytes: it stays in the L2 cache. Short rows that lie far apart are worth a
// large one.
constexpr std::int64_t kStage = 32 << 10, kLargeStage = 128 << 10;
// Shorter blocks are joined up to about this.
constexpr std::int64_t kJoined = 8 << 10;
// Blocks shorter than this would write more lines in parts than whole.
constexpr std::int64_t kShortest = 512;
constexpr std::int64_t kLine = 64;

void sort_by_write(Steps& loops) {
  sort_few(loops, [](const Step& a, const Step& b) { return a.write < b.write; });
}

// Whether the loops, innermost first, write `run` and what follows without a gap, at most `most`
// bytes.
bool write_one_run(const Steps& loops, std::int64_t run, std::int64_t most) {
  for (const Step& loop : loops) {
    if (loop.write != run || loop.count > most / run) return false;
    run *= loop.count;
  }
  return true;
}

// Whether the hardware prefetcher follows what a block reads, in `loops`: of rows a few places whose
// next lines are read in turn, or many rows of one place after the other; of single elements, which
// a kernel reads from all its rows in turn, one place. A Zen 5's follows four.
bool is_followed(std::int64_t run, Steps loops) {
  constexpr std::int64_t kFollowed = 4, kLongestElement = 8, kLongPiece = 4 * kLine, kManyRows = 8;
  if (follows_many_rows()) return true;
  sort_few(loops, [](const Step& a, const Step& b) { return std::abs(a.read) < std::abs(b.read); });
  std::int64_t piece = run, places = 1;
  for (const Step& loop : loops) {
    if (run > kLongestElement && loop.read == piece) {
      piece *= loop.count;
    } else if (std::abs(loop.read) > kLine) {
      places *= loop.count;
    }
  }
  if (run <= kLongestElement) return places == 1;
  return places <= kFollowed || piece >= std::max(kLongPiece, kManyRows * run);
}

}  // namespace

// A block that writes steps * bytes consecutive bytes: the outer loops from `depth` on, and `steps`
// steps of the one before them.
struct Share::Block {
  std::size_t depth = 0;  // 0: there is none
  bool staged = true;     // or written where it belongs, by each call
  std::int64_t steps = 1;
  std::int64_t bytes = 0;
  std::int64_t calls = 1;  // of the kernel, at each step
  // Where it reads: runs of so many bytes, at these offsets. There are none where they would be too
  // many, or their lines far more than the block writes.
  std::int64_t run = 0;
  InlineVector<std::int64_t, 512> runs;

  void list_runs(std::int64_t bytes_at_once, Steps loops);
  Soon soon(const std::byte* read) const { return {read, {runs.data(), runs.size()}, run}; }
  // Whether what is read soon is prefetched between the calls, and not while the stage is sent: on
  // a Zen 5 the former took a fifth less time with many runs and calls, the latter with few.
  bool asks_at_calls() const { return runs.size() > 1 && calls * steps > 8; }
};

void Share::Block::list_runs(std::int64_t bytes_at_once, Steps loops) {
  constexpr std::int64_t kMostRuns = 512, kMostOfBlock = 4;
  std::int64_t first = 0, count = 1;
  for (Step& loop : loops) {
    if (loop.read < 0) first += loop.read * (loop.count - 1);
    loop.read = std::abs(loop.read);
  }
  sort_few(loops, [](const Step& a, const Step& b) { return a.read < b.read; });
  // No line lies in a gap that is shorter than one.
  run = bytes_at_once;
  std::size_t apart = 0;
  for (; apart < loops.size() && loops[apart].read <= run + kLine; ++apart) {
    run += loops[apart].read * (loops[apart].count - 1);
  }
  for (std::size_t i = apart; i < loops.size(); ++i) {
    if (loops[i].count > kMostRuns / count) return;
    count *= loops[i].count;
  }
  if (count * (run + kLine) > kMostOfBlock * steps * bytes) return;
  runs.push_back(first);
  for (; apart < loops.size(); ++apart) {
    const std::size_t listed = runs.size();
    for (std::int64_t step = 1; step < loops[apart].count; ++step) {
      for (std::size_t i = 0; i < listed; ++i) runs.push_back(runs[i] + step * loops[apart].read);
    }
  }
}

Share::Block Share::block() const {
  // A kernel's loops come in any order, and a thread's share of one may be a single step.
  Steps inside;
  for (const Step& loop : work.loops) {
    if (loop.count > 1) inside.push_back(loop);
  }
  sort_by_write(inside);
  std::int64_t row = work.run;
  for (const Step& loop : inside) {
    if (loop.write == row) row *= loop.count;
  }
  const bool short_rows = row < kShortest && row % kLine != 0;

  // The most outer loops that together with the kernel's write one run.
  Block block;
  Steps loops;
  for (std::size_t depth = outer.size(); depth > 0; --depth) {
    Steps all = inside;
    for (const Step& loop : outer.subspan(depth)) {
      if (loop.count > 1) all.push_back(loop);
    }
    sort_by_write(all);
    const std::int64_t most = block.depth == 0 && short_rows ? kLargeStage : kStage;
    if (!write_one_run(all, work.run, most)) continue;
    block.depth = depth;
    loops = all;
  }
  if (block.depth == 0) return {};

  block.bytes = work.run;
  for (const Step& loop : loops) block.bytes *= loop.count;
  for (const Step& loop : outer.subspan(block.depth)) block.calls *= loop.count;
  const Step& around = outer[block.depth - 1];
  if (around.write == block.bytes) {
    // As many as read a line, if the stage has room for them.
    const std::int64_t step = std::max<std::int64_t>(std::abs(around.read), 1);
    const std::int64_t of_a_line = std::min((kLine + step - 1) / step, kStage / block.bytes);
    block.steps =
        std::clamp<std::int64_t>(std::max(kJoined / block.bytes, of_a_line), 1, around.count);
  }
  if (block.steps * block.bytes < kShortest) return {};
  const bool followed = is_followed(work.run, loops);
  loops.push_back({block.steps, around.read, around.write});
  block.list_runs(work.run, loops);
  if (block.runs.size() > 1 && followed) block.runs.clear();
  return block;
}

// Prefetches runs, an equal share of them at each of `calls` calls.
class Share::Asker {
 public:
  Asker(const Soon& soon, std::int64_t calls)
      : soon_(soon),
        parts_((soon.bytes + kPart - 1) / kPart * static_cast<std::int64_t>(soon.offsets.size())),
        calls_(calls) {}

  void ask() {
    ++called_;
    for (; asked_ * calls_ < called_ * parts_; ++asked_) {
      const std::byte* from = soon_.base + soon_.offsets[at_run_];
      const std::int64_t end = std::min(at_ + kPart, soon_.bytes);
#pragma GCC unroll 1
      for (; at_ < end; at_ += kLine) __builtin_prefetch(from + at_);
      if (at_ < soon_.bytes) continue;
      // A run may begin within a line, so that its end lies in one more.
      __builtin_prefetch(from + soon_.bytes - 1);
      at_ = 0;
      ++at_run_;
    }
  }

 private:
  static constexpr std::int64_t kPart = 8 * kLine;
  const Soon soon_;
  std::int64_t parts_, calls_, called_ = 0, asked_ = 0, at_ = 0;
  std::size_t at_run_ = 0;
};

void Share::walk_asking(std::size_t depth, const std::byte* read, std::byte* write,
                        Asker& asker) const {
  if (depth == outer.size()) {
    asker.ask();
    return run(work, read, write);
  }
  const Step& loop = outer[depth];
  for (std::int64_t i = 0; i < loop.count; ++i) {
    walk_asking(depth + 1, read + i * loop.read, write + i * loop.write, asker);
  }
}

void Share::walk_in_blocks(const std::byte* read, std::byte* write) const {
  Block found = block();
  found.staged = work.stream;
  // Without a stage only the prefetching is gained, and too few calls would each wait for it.
  constexpr std::int64_t kFewCalls = 4;
  const bool gains = found.staged ? found.depth > 0
                                  : found.runs.size() > 1 && found.calls * found.steps >= kFewCalls;
  if (!gains) return walk(0, read, write);
  Share through = *this;
  through.work.stream = false;
  through.work.staged = found.staged;
  through.walk_blocks(found, 0, read, write, read);
}

void Share::walk_blocks(const Block& block, std::size_t depth, const std::byte* read,
                        std::byte* write, const std::byte* then) const {
  const Step& loop = outer[depth];
  if (depth + 1 < block.depth) {
    for (std::int64_t i = 0; i < loop.count; ++i, read += loop.read, write += loop.write) {
      walk_blocks(block, depth + 1, read, write, i + 1 < loop.count ? read + loop.read : then);
    }
    return;
  }
  alignas(64) std::byte stage[kLargeStage];
  const bool asks_at_calls = !block.staged || block.asks_at_calls();
  for (std::int64_t i = 0; i < loop.count; i += block.steps) {
    const std::int64_t steps = std::min(block.steps, loop.count - i);
    const Soon soon = block.soon(i + steps < loop.count ? read + (i + steps) * loop.read : then);
    Asker asker(soon, steps * block.calls);
    for (std::int64_t k = 0; k < steps; ++k) {
      const std::byte* from = read + (i + k) * loop.read;
      std::byte* to = block.staged ? stage + k * block.bytes : write + (i + k) * loop.write;
      if (asks_at_calls) {
        walk_asking(block.depth, from, to, asker);
      } else {
        walk(block.depth, from, to);
      }
    }
    if (!block.staged) continue;
    stage_sends()[slot](stage, write + i * loop.write, steps * block.bytes,
                        asks_at_calls ? Soon{} : soon);
  }
}

}  // namespace reshape::optimized
