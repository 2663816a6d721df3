#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/property/bounded_exhaustive.h"
#include "reference/tensor/dialect.h"

// Internals of bounded_exhaustive.h: the shared memory of the jobs, and what each job does.
namespace reshape::conformance {

// Dialects whose rules agree on all requests within the bound, so that one ruling serves all of
// them.
struct Group {
  const Dialect* rules = nullptr;
  std::vector<std::string> names;
  std::unique_ptr<BoundedRequests> bounded;
};

struct Place {
  std::uint32_t group = 0;
  std::uint32_t dialect = 0;  // in the group
  std::uint64_t number = 0;
};

// Which request a job is at: written by the job, read by the runner after it died.
struct Slot {
  std::atomic<std::uint32_t> group{0};
  std::atomic<std::uint32_t> dialect{0};
  std::atomic<std::uint64_t> number{0};
  std::atomic<std::uint64_t> end{0};  // of its chunk; number == end: between chunks
  std::atomic<std::uint64_t> beats{0};
  std::atomic<bool> calling{false};
};

inline constexpr std::uint32_t kMostKept = 64;
inline constexpr int kMostJobs = 64;

struct Shared {
  std::atomic<std::uint64_t> next{0};  // chunk, counted over all groups
  std::atomic<std::uint64_t> wrong{0};
  std::atomic<std::uint32_t> kept{0};
  Place places[kMostKept];
  Slot slots[kMostJobs];

  void note(const Place& place) {
    ++wrong;
    const std::uint32_t at = kept++;
    if (at < kMostKept) places[at] = place;
  }
};

// Calls the library's infer_shape, request by request, until no chunk is left; first finishes the
// chunk of a job that died in `slot`. `shared` and `slot` lie in memory that outlives the process.
void walk(const reshape_plugin& table, const std::vector<Group>& groups, Shared& shared,
          Slot& slot);

}  // namespace reshape::conformance
