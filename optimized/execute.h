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
  // Precondition: no two steps of the nest write one place. Where there is room for them, which has to live as
  // long, tables are made for all the runs; else each makes its own, if one is worth it.
  PreparedCopy(const LoopNest& nest, const Target& target, TablesRoom* room = nullptr);
  PreparedCopy(const UnitNest& nest, int element_bits, const Target& target,
               TablesRoom* room = nullptr);
  // By one kernel of the table, which must apply to the nest.
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

  // Writes around the caches, or through them, whatever the size. For tests and measurements.
  void force_streaming(bool stream) { forced_stream_ = stream; }
  // Shares the copy as if it were worth so many threads of its pool, however small it is. For tests.
  void force_threads(int threads) { forced_threads_ = threads; }

  const Choice& choice() const { return choice_; }
  // "transpose of 4 bytes, avx512: 2 loops around 64x16"
  std::string text() const;

 private:
  void finish(TablesRoom* room);
  // Whether the copy writes around the caches where so many threads share it.
  bool streams(int threads) const;
  void run_alone(const std::byte* read, std::byte* write) const;
  void run_shared(const std::byte* read, std::byte* write, ThreadPool* pool) const;
  // How many of the pool's threads share it, when a thread is worth waking for `per_thread` bytes.
  int threads_of(ThreadPool* pool, std::int64_t per_thread) const;
  void run_half_bytes(const std::byte* read, std::int64_t read_at, std::byte* write,
                      std::int64_t write_at, ThreadPool* pool) const;
  // The same by several threads; false, and nothing is done, where two could meet in a byte.
  bool shared_half_bytes(const std::byte* read, std::int64_t read_at, std::byte* write,
                         std::int64_t write_at, ThreadPool* pool) const;

  UnitNest nest_;
  Choice choice_;
  Target target_;
  std::optional<HalfBytesAsBytes> as_bytes_;
  Run run_ = nullptr;
  const Tables* tables_ = nullptr;  // of all the work by one thread; null: each call makes them
  std::int64_t units_ = 0;          // copied in all
  bool streams_alone_ = false;      // writes around the caches where one thread does it all
  int element_bits_ = 8;
  std::optional<bool> forced_stream_;
  std::optional<int> forced_threads_;
};

// Runs a copy, seams and all, on the chosen target, or on the scalar one where RESHAPE_TARGET asks
// for one that cannot be had (whoever loads the program is to refuse that first). `pool` may be null.
void run_copy(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
              ThreadPool* pool);

// True where run_copy() moves so few elements that it chooses no kernel.
bool needs_no_kernel(const CopyPlan& plan);

// The target that copies run on.
const Target& run_target();

// How a plan is copied and why so, in a line: "permute of 4 bytes, avx512: ...; a side goes along several
// loops".
std::string explanation(const CopyPlan& plan);

// Runs a plan with nothing left to choose: the target, through or around the caches, and for how many
// threads of the pool. For tests.
struct Forced {
  Target target;
  bool stream = false;
  int threads = 1;
};
void run_copy(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base,
              ThreadPool* pool, const Forced& forced);

}  // namespace reshape::optimized
