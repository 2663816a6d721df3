#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "optimized/half_bytes_as_bytes.h"
#include "optimized/kernels/table.h"
#include "optimized/plan.h"
#include "optimized/target.h"
#include "optimized/thread_pool.h"

namespace reshape::optimized {

// One loop nest, ready to run any number of times: its kernel, its walk and the target to run on.
// A value; running it changes nothing in it.
class PreparedCopy {
 public:
  // Precondition: no two iterations write the same element. With `room`, which must outlive the
  // copy, lookup tables are built once for all runs; without, each run builds its own where that
  // pays.
  PreparedCopy(const LoopNest& nest, const Target& target, TablesRoom* room = nullptr);
  PreparedCopy(const UnitNest& nest, int element_bits, const Target& target,
               TablesRoom* room = nullptr);
  // With the given kernel, which must apply to the nest.
  PreparedCopy(const UnitNest& nest, const Kernel& kernel, const Target& target,
               TablesRoom* room = nullptr);

  // Copies between buffers that do not overlap. Positions count from the bases; `pool` may be null.
  // Small copies stay on the calling thread. `read_offset` and `write_offset`, in elements, are
  // added to the nest's.
  void run(const std::byte* read_base, std::byte* write_base, ThreadPool* pool) const {
    run(read_base, 0, write_base, 0, pool);
  }
  void run(const std::byte* read_base, std::int64_t read_offset, std::byte* write_base,
           std::int64_t write_offset, ThreadPool* pool) const;

  // Writes around the caches (non-temporal stores) or through them, whatever the size. For tests
  // and measurements.
  void force_streaming(bool stream) { forced_stream_ = stream; }
  // Shares the copy between this many threads of the pool, however small it is. For tests.
  void force_threads(int threads) { forced_threads_ = threads; }

  // The kernel that runs: of half bytes that are unpacked to bytes the one that copies those.
  const Choice& choice() const { return as_bytes_ ? as_bytes_->choice() : choice_; }
  // "transpose of 4 bytes, avx512: 2 loops around 64x16"
  std::string text() const;

 private:
  void finish(TablesRoom* room);
  // Whether the copy writes around the caches when `threads` threads share it.
  bool streams(int threads) const;
  void run_alone(const std::byte* read, std::byte* write) const;
  void run_shared(const std::byte* read, std::byte* write, ThreadPool* pool) const;
  // How many of the pool's threads share the copy; waking one pays from `per_thread` bytes on.
  int threads_of(ThreadPool* pool, std::int64_t per_thread) const;
  void run_half_bytes(const std::byte* read, std::int64_t read_at, std::byte* write,
                      std::int64_t write_at, ThreadPool* pool) const;
  // The same by several threads; false, with nothing done, where two could write the same byte.
  bool shared_half_bytes(const std::byte* read, std::int64_t read_at, std::byte* write,
                         std::int64_t write_at, ThreadPool* pool) const;

  UnitNest nest_;
  Choice choice_;
  Target target_;
  std::optional<HalfBytesAsBytes> as_bytes_;
  Run run_ = nullptr;
  const Tables* tables_ = nullptr;  // for a run by one thread; null: each run builds them
  std::int64_t units_ = 0;          // copied in all
  bool streams_alone_ = false;      // writes around the caches where one thread does it all
  int element_bits_ = 8;
  std::optional<bool> forced_stream_;
  std::optional<int> forced_threads_;
};

// Runs a copy, seams included, on run_target(). `pool` may be null.
void run_copy(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
              ThreadPool* pool);

// True where run_copy() moves so few elements that it chooses no kernel.
bool needs_no_kernel(const CopyPlan& plan);

// The target that copies run on: what RESHAPE_TARGET asks for, the best runnable one where it is
// unset or empty, or the scalar one where it names one that cannot be used (setting() reports that
// fault). The variable is read once.
const Target& run_target();

// How a plan is copied and why, in one line: "permute of 4 bytes, avx512: ...; for ...".
std::string explanation(const CopyPlan& plan);

// What run_copy() otherwise chooses: the target, whether to write around the caches, and how many
// threads of the pool share the copy. For tests.
struct Forced {
  Target target;
  bool stream = false;
  int threads = 1;
};
void run_copy(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
              ThreadPool* pool, const Forced& forced);

}  // namespace reshape::optimized
