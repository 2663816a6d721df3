#include "optimized/benchmark/rounds.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <numeric>
#include <random>

#include "optimized/benchmark/copies.h"
#include "optimized/benchmark/peers.h"
#include "optimized/execute.h"
#include "optimized/naive_walk.h"

namespace reshape::optimized {
namespace {

// One thread is timed by what it spends on the processor, so that others on the machine cost it as
// little as can be; several are timed by the wall.
double now(bool wall) {
  timespec time;
  clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Bytes that begin a huge page, on huge pages where the system gives them: the time to map small
// pages would drown what is measured.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_((bytes + 2 * kPage) / kPage * kPage) {
    all_ =
        mmap(nullptr, bytes_ + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all_ == MAP_FAILED) return;
    const auto at = reinterpret_cast<std::uintptr_t>(all_);
    data_ = static_cast<std::byte*>(all_) + (kPage - at % kPage) % kPage;
    madvise(data_, bytes_, MADV_HUGEPAGE);
  }
  ~Buffer() {
    if (all_ != MAP_FAILED) munmap(all_, bytes_ + kPage);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::byte* data() const { return data_; }

 private:
  static constexpr std::size_t kPage = 2 << 20;
  std::size_t bytes_;
  void* all_ = MAP_FAILED;
  std::byte* data_ = nullptr;
};

double memory_of_machine() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

constexpr double kCached = 64 << 20;
constexpr int kFirstRepeats = 16;

struct Candidate {
  std::string name;
  std::function<void()> run;
  int repeats = 1;
  std::vector<double> seconds = {};
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

Standing stand(const Workload& workload, int bits, int threads, const Effort& effort) {
  Standing standing;
  standing.workload = workload.name;
  standing.bits = bits;
  standing.threads = threads;
  const LoopNest nest = tidied(nest_of(workload, bits));
  const auto width = static_cast<std::size_t>(bits / 8);
  const std::size_t read_bytes = static_cast<std::size_t>(elements_read(nest)) * width;
  const std::size_t write_bytes = static_cast<std::size_t>(elements_written(nest)) * width;
  const std::size_t moved = static_cast<std::size_t>(elements_moved(nest)) * width;
  standing.moved_bytes = 2.0 * static_cast<double>(moved);
  if (effort.most_bytes > 0 && standing.moved_bytes > effort.most_bytes) {
    standing.refused = "larger than the most asked for";
    return standing;
  }
  // The plain copies need as many bytes to read as they write, broadcasts read fewer.
  const std::size_t room = std::max({read_bytes, write_bytes, moved});
  constexpr std::size_t kGuard = 64;
  if (3 * static_cast<double>(room) > memory_of_machine() / 2) {
    standing.refused = "needs more than half of this machine's memory";
    return standing;
  }
  const Buffer read(room + kGuard), write(room + kGuard), expected(room + kGuard);
  if (!read.data() || !write.data() || !expected.data()) {
    standing.refused = "no memory";
    return standing;
  }
  std::mt19937_64 random(17);
  for (std::size_t i = 0; i + 8 <= room; i += 8) {
    const std::uint64_t bytes = random();
    std::memcpy(read.data() + i, &bytes, 8);
  }
  std::memset(expected.data(), 0xA5, write_bytes + kGuard);
  const bool wall = threads > 1;
  const double begin = now(wall);
  naive_walk(nest, read.data(), expected.data());
  standing.seconds["reference"] = now(wall) - begin;

  const std::unique_ptr<ThreadPool> pool = make_thread_pool(threads);
  const Result<Target>& target = chosen_target();
  if (!target) {
    standing.refused = target.error().text();
    return standing;
  }
  const PreparedCopy ours(nest, *target);
  standing.kernel = ours.text();
  std::vector<Candidate> candidates;
  const auto add_if_right = [&](const std::string& name, const std::function<void()>& run) {
    std::memset(write.data(), 0xA5, write_bytes + kGuard);
    run();
    const bool right = std::memcmp(write.data(), expected.data(), write_bytes + kGuard) == 0;
    if (right) candidates.push_back({name, run, 1, {}});
    return right;
  };
  if (!add_if_right("ours", [&] { ours.run(read.data(), write.data(), pool.get()); })) {
    standing.refused = "ours is wrong";
    return standing;
  }
  for (const PeerLibrary& peer : peer_libraries()) {
    if (peer.prepare == nullptr) continue;
    const PeerRun run = peer.prepare(nest, read.data(), write.data(), threads);
    if (run && !add_if_right(peer.name, *run)) standing.wrong.emplace_back(peer.name);
  }
  const std::size_t first_copy = candidates.size();
  for (const PlainCopy& copy : plain_copies()) {
    candidates.push_back({copy.name,
                          [&, copy] { run_shared(copy, read.data(), write.data(), moved, *pool); },
                          1,
                          {}});
    // To wake another thread can take longer than to copy what fits the caches.
    if (threads > 1 && standing.moved_bytes < kCached) {
      candidates.push_back(
          {copy.name + " alone", [&, copy] { copy.run(read.data(), write.data(), moved); }, 1, {}});
    }
  }

  const int repeats = std::max(1, static_cast<int>(effort.least_bytes / standing.moved_bytes));
  // What fits the caches is found there as the one before left it, and streams leave nothing: such
  // candidates run once before they are timed.
  const bool warm = standing.moved_bytes < kCached;
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int round = -1; round < effort.rounds; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t turn : order) {
      Candidate& candidate = candidates[turn];
      if (warm) candidate.run();
      // The first round warms caches, pages and threads, and tells how often a candidate can repeat
      // in a turn.
      const int times = round < 0 ? std::min(repeats, kFirstRepeats) : candidate.repeats;
      const double start = now(wall);
      for (int i = 0; i < times; ++i) candidate.run();
      const double each = (now(wall) - start) / times;
      if (round >= 0) {
        candidate.seconds.push_back(each);
      } else {
        candidate.repeats = static_cast<int>(
            std::clamp(effort.turn_seconds / each, 1.0, static_cast<double>(repeats)));
      }
    }
  }

  const Candidate* best = &candidates[first_copy];
  for (const Candidate& candidate : candidates) {
    standing.seconds[candidate.name] = median(candidate.seconds);
    const bool plain = &candidate >= &candidates[first_copy];
    if (plain && median(candidate.seconds) < median(best->seconds)) best = &candidate;
  }
  standing.best_copy = best->name;
  for (const Candidate& candidate : candidates) {
    std::vector<double> fractions;
    for (std::size_t i = 0; i < candidate.seconds.size(); ++i) {
      fractions.push_back(best->seconds[i] / candidate.seconds[i]);
    }
    standing.fraction[candidate.name] = median(fractions);
  }
  return standing;
}

}  // namespace reshape::optimized
