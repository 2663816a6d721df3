#include "optimized/execute.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "optimized/half_bytes_cut.h"
#include "optimized/kernels/machine.h"
#include "optimized/kernels/share.h"
#include "optimized/seam_copy.h"
#include "optimized/small_copy.h"

namespace reshape::optimized {
namespace {

constexpr std::int64_t kLine = 64;

// A thread is worth waking for this many bytes read and written; fewer where single elements are
// copied, which takes longer per byte than whole cache lines.
constexpr std::int64_t kBytesPerThread = 512 << 10;
constexpr std::int64_t kBytesPerThreadInLines = 768 << 10;

// There are more pieces than threads, so that others can take over from a thread that is held up;
// but no piece is so small that fetching it takes as long as copying it.
constexpr std::int64_t kPiecesPerThread = 4;
constexpr std::int64_t kBytesPerPiece = 512 << 10;

// How many pieces each thread gets, of so many bytes read and written.
std::int64_t pieces_of_each(std::int64_t bytes, int threads) {
  return std::clamp<std::int64_t>(bytes / kBytesPerPiece / threads, 1, kPiecesPerThread);
}

// Which loop to cut, and into how many pieces.
struct Cut {
  bool is_outer = false;
  std::size_t loop = 0;
  std::int64_t granule = 1;
  std::int64_t granules = 0;
  double even = 0;  // 1: every thread has the same to do
};

// The loop that divides most evenly between the threads; of about equal ones the outermost.
Cut best_cut(const Arrangement& arrangement, int threads) {
  Cut best;
  const auto consider = [&](bool is_outer, std::size_t i, std::int64_t count,
                            std::int64_t granule) {
    const std::int64_t granules = (count + granule - 1) / granule;
    const std::int64_t most = (granules + threads - 1) / threads;
    const double even = static_cast<double>(granules) / static_cast<double>(most * threads);
    if (even > best.even + 0.04) best = {is_outer, i, granule, granules, even};
  };
  for (std::size_t i = 0; i < arrangement.outer.size(); ++i) {
    consider(true, i, arrangement.outer[i].count, 1);
  }
  if (arrangement.cut >= 0) {
    const auto i = static_cast<std::size_t>(arrangement.cut);
    consider(false, i, arrangement.inner[i].count, arrangement.granule);
  }
  return best;
}

// Runs a plan's copies, each made by `prepare` from its loops; `stream` as in copied_run_by_run.
template <class Prepare>
void run_prepared(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
                  ThreadPool* pool, const Target& target, std::optional<bool> stream,
                  Prepare prepare) {
  if (plan.seams.empty()) return prepare(plan.nest).run(read_base, write_base, pool);
  if (copied_run_by_run(plan, read_base, write_base, pool, target, stream)) return;
  // The runs of a seam have few different loops; each is prepared once. A run of half bytes that
  // starts inside a byte is copied differently, so the half that it starts with is part of the key.
  struct Known {
    Loop loop;
    std::int64_t read_half;
    std::int64_t write_half;
    PreparedCopy copy;
  };
  const std::int64_t half = plan.nest.bits < 8 ? 1 : 0;
  std::vector<Known> known;
  for (SeamWalk walk(plan.seams); walk.more(); walk.next()) {
    const SeamWalk::Run& run = walk.run();
    const std::int64_t read_half = run.read_offset & half;
    const std::int64_t write_half = run.write_offset & half;
    auto found = std::ranges::find_if(known, [&](const Known& k) {
      return k.loop == run.loop && k.read_half == read_half && k.write_half == write_half;
    });
    if (found == known.end()) {
      LoopNest nest = plan.nest;
      nest.read_offset += read_half;
      nest.write_offset += write_half;
      nest.loops.push_back(run.loop);
      constexpr std::size_t kMostKnown = 64;
      if (known.size() == kMostKnown) known.erase(known.begin());
      known.push_back({run.loop, read_half, write_half, prepare(nest)});
      found = known.end() - 1;
    }
    found->copy.run(read_base, run.read_offset - read_half, write_base,
                    run.write_offset - write_half, pool);
  }
}

}  // namespace

PreparedCopy::PreparedCopy(const LoopNest& nest, const Target& target, TablesRoom* room)
    : PreparedCopy(in_units(nest), nest.bits, target, room) {}

PreparedCopy::PreparedCopy(const UnitNest& nest, int element_bits, const Target& target,
                           TablesRoom* room)
    : nest_(nest), target_(target), element_bits_(element_bits) {
  if (nest_.run > 0) choice_ = choose(nest_, {target_, room != nullptr});
  if (choice_.kernel != nullptr && nest_.half_bytes) {
    as_bytes_ = choice_.kernel->name == "gather" ? HalfBytesAsBytes::of_gathered(nest_, target_)
                                                 : HalfBytesAsBytes::of(nest_, target_);
  }
  finish(room);
}

PreparedCopy::PreparedCopy(const UnitNest& nest, const Kernel& kernel, const Target& target,
                           TablesRoom* room)
    : nest_(nest), target_(target), element_bits_(nest.half_bytes ? 4 : 8) {
  if (nest_.run > 0) choice_ = {&kernel, *kernel.when(nest)};
  finish(room);
}

void PreparedCopy::finish(TablesRoom* room) {
  units_ = nest_.units();
  if (choice_.kernel != nullptr) run_ = choice_.kernel->run[target_.slot];
  streams_alone_ = streams(1);
  if (room == nullptr || choice_.kernel == nullptr || choice_.kernel->tables == nullptr) return;
  Share whole(choice_.arrangement, run_, target_.slot);
  if (nest_.half_bytes) whole.work.read_half = static_cast<int>(nest_.read_offset & 1);
  tables_ = choice_.kernel->tables[target_.slot](whole.work, *room);
}

bool PreparedCopy::streams(int threads) const {
  std::int64_t from = stream_from(threads);
  const std::int64_t wanted = choice_.arrangement.stream_from;
  if (wanted != 0) from = std::min(from, wanted);
  return 2 * units_ > from;
}

int PreparedCopy::threads_of(ThreadPool* pool, std::int64_t per_thread) const {
  if (pool == nullptr) return 1;
  const std::int64_t bytes = nest_.half_bytes ? units_ : 2 * units_;  // read and written
  const std::int64_t worth = forced_threads_.value_or(
      static_cast<int>(std::clamp<std::int64_t>(bytes / per_thread, 1, 1 << 20)));
  return static_cast<int>(std::clamp<std::int64_t>(worth, 1, pool->threads()));
}

bool PreparedCopy::shared_half_bytes(const std::byte* read, std::int64_t read_at, std::byte* write,
                                     std::int64_t write_at, ThreadPool* pool) const {
  const int threads = threads_of(pool, kBytesPerThread);
  if (threads == 1 || write_at % 2 != 0) return false;
  const HalfBytesCut cut = half_bytes_cut(nest_, threads, kPiecesPerThread);
  if (cut.granules < 2) return false;
  const Step& step = nest_.loops[cut.loop];
  const int pieces =
      static_cast<int>(std::min(cut.granules, threads * pieces_of_each(units_, threads)));
  const auto steps_of = [&](int piece) {
    return cut.border(piece + 1, pieces, step.count) - cut.border(piece, pieces, step.count);
  };
  // Pieces with equally many steps share one prepared copy: choosing a kernel takes as long as
  // copying a short piece.
  std::vector<std::pair<std::int64_t, PreparedCopy>> alike;
  const auto prepared = [&](std::int64_t steps) {
    return std::ranges::find(alike, steps, [](const auto& known) { return known.first; });
  };
  for (int piece = 0; piece < pieces; ++piece) {
    const std::int64_t steps = steps_of(piece);
    if (prepared(steps) != alike.end()) continue;
    UnitNest part = nest_;
    part.loops[cut.loop].count = steps;
    if (steps == 1) {
      part.loops.erase(part.loops.begin() + static_cast<std::ptrdiff_t>(cut.loop));
    }
    alike.emplace_back(steps, PreparedCopy(part, element_bits_, target_));
    alike.back().second.force_streaming(
        forced_stream_.value_or(units_ > choice_.arrangement.stream_from));
  }
  pool->run(pieces, [&](int piece) {
    const std::int64_t begin = cut.border(piece, pieces, step.count);
    prepared(steps_of(piece))
        ->second.run_half_bytes(read, read_at + begin * step.read, write,
                                write_at + begin * step.write, nullptr);
  });
  return true;
}

void PreparedCopy::run_half_bytes(const std::byte* read, std::int64_t read_at, std::byte* write,
                                  std::int64_t write_at, ThreadPool* pool) const {
  if (shared_half_bytes(read, read_at, write, write_at, pool)) return;
  if (as_bytes_ && as_bytes_->fits(read_at, write_at)) {
    return as_bytes_->run(read, read_at, write, write_at);
  }
  Share share(choice_.arrangement, run_, target_.slot);
  share.work.read_half = static_cast<int>(read_at & 1);
  share.work.write_half = static_cast<int>(write_at & 1);
  share.work.tables = tables_;
  share.work.stream = forced_stream_.value_or(units_ > choice_.arrangement.stream_from);
  share.walk(read + (read_at >> 1), write + (write_at >> 1));
  if (share.work.stream) flush_streams();
}

void PreparedCopy::run(const std::byte* read_base, std::int64_t read_offset, std::byte* write_base,
                       std::int64_t write_offset, ThreadPool* pool) const {
  if (run_ == nullptr) return;
  if (nest_.half_bytes) {
    return run_half_bytes(read_base, nest_.read_offset + read_offset, write_base,
                          nest_.write_offset + write_offset, pool);
  }
  const std::byte* read = read_base + nest_.read_offset + read_offset * element_bits_ / 8;
  std::byte* write = write_base + nest_.write_offset + write_offset * element_bits_ / 8;
  if (pool == nullptr) return run_alone(read, write);
  run_shared(read, write, pool);
}

void PreparedCopy::run_alone(const std::byte* read, std::byte* write) const {
  Share whole(choice_.arrangement, run_, target_.slot);
  whole.work.whole = 2 * units_;
  whole.work.stream = forced_stream_.value_or(streams_alone_);
  whole.work.tables = tables_;
  whole.walk(read, write);
  if (whole.work.stream) flush_streams();
}

void PreparedCopy::run_shared(const std::byte* read, std::byte* write, ThreadPool* pool) const {
  const Arrangement& arrangement = choice_.arrangement;
  const int threads =
      threads_of(pool, nest_.run >= kLine ? kBytesPerThreadInLines : kBytesPerThread);
  if (threads == 1) return run_alone(read, write);
  const Cut cut = best_cut(arrangement, threads);
  if (cut.granules < 2) return run_alone(read, write);
  Share whole(arrangement, run_, target_.slot);
  whole.work.whole = 2 * units_ / threads;
  whole.work.stream = forced_stream_.value_or(streams(threads));

  const std::int64_t pieces = std::min(cut.granules, threads * pieces_of_each(2 * units_, threads));
  const Step step = cut.is_outer ? arrangement.outer[cut.loop] : arrangement.inner[cut.loop];
  const auto border = [&](std::int64_t piece) {
    if (piece == 0) return std::int64_t{0};
    if (piece == pieces) return step.count;
    std::int64_t at = std::min(step.count, cut.granules * piece / pieces * cut.granule);
    // Where the loop writes consecutive bytes, a piece begins at a cache line of the output.
    if (step.write > 0 && kLine % step.write == 0) {
      const auto place = reinterpret_cast<std::uintptr_t>(write + at * step.write);
      at = std::max<std::int64_t>(0, at - static_cast<std::int64_t>(place % kLine) / step.write);
    }
    return at;
  };
  pool->run(static_cast<int>(pieces), [&](int piece) {
    const std::int64_t begin = border(piece), end = border(piece + 1);
    if (begin >= end) return;
    Steps loops = cut.is_outer ? arrangement.outer : arrangement.inner;
    loops[cut.loop].count = end - begin;
    Share share = whole;
    (cut.is_outer ? share.outer : share.work.loops) = loops;
    share.walk(read + begin * step.read, write + begin * step.write);
    if (share.work.stream) flush_streams();
  });
}

std::string PreparedCopy::text() const {
  if (choice_.kernel == nullptr) return "nothing to copy";
  const auto& [kernel, arrangement] = choice();
  std::string text(as_bytes_ ? as_bytes_->words() : "");
  text += std::string(kernel->name) + " of " + std::to_string(arrangement.run) +
          (nest_.half_bytes && !as_bytes_ ? " half bytes, " : " bytes, ") +
          std::string(target_.name) + ":";
  const auto add = [&text](const Step& loop) {
    text += ' ' + std::to_string(loop.count) + '(' + std::to_string(loop.read) + "->" +
            std::to_string(loop.write) + ')';
  };
  for (const Step& loop : arrangement.outer) add(loop);
  text += " [";
  for (std::size_t i = arrangement.inner.size(); i-- > 0;) add(arrangement.inner[i]);
  return text + " ]";
}

void run_copy(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
              ThreadPool* pool) {
  if (plan.seams.empty() && copied_small(plan.nest, read_base, write_base)) return;
  const Target& target = run_target();
  run_prepared(plan, read_base, write_base, pool, target, std::nullopt,
               [&target](const LoopNest& nest) { return PreparedCopy(nest, target); });
}

bool needs_no_kernel(const CopyPlan& plan) { return plan.seams.empty() && is_small(plan.nest); }

const Target& run_target() {
  static const Target target = [] {
    const char* asked = std::getenv("RESHAPE_TARGET");
    if (asked == nullptr || *asked == '\0') return runnable_targets().front();
    const Result<Target> named = target_named(asked);
    return named ? *named : runnable_targets().back();
  }();
  return target;
}

std::string explanation(const CopyPlan& plan) {
  if (!plan.seams.empty()) {
    return std::to_string(plan.seams.size()) + " seam(s): " + std::string(way_of_seams(plan)) +
           ", since no common loops walk both sides";
  }
  if (needs_no_kernel(plan)) {
    const std::string way = is_short_run(plan.nest) ? "memcpy" : "element by element";
    return way + ", since choosing a kernel would take longer";
  }
  const PreparedCopy copy(plan.nest, run_target());
  if (copy.choice().kernel == nullptr) return copy.text();
  return copy.text() + "; for " + std::string(what_for(*copy.choice().kernel));
}

void run_copy(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
              ThreadPool* pool, const Forced& forced) {
  run_prepared(plan, read_base, write_base, pool, forced.target, forced.stream,
               [&forced](const LoopNest& nest) {
                 PreparedCopy copy(nest, forced.target);
                 copy.force_streaming(forced.stream);
                 copy.force_threads(forced.threads);
                 return copy;
               });
}

}  // namespace reshape::optimized
