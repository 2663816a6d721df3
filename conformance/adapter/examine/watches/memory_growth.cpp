#include <malloc.h>

#include <charconv>
#include <string>
#include <string_view>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/memory/guarded_buffer.h"
#include "conformance/adapter/memory/sanitizers.h"

#if defined(RESHAPE_ADDRESS_SANITIZER) || defined(RESHAPE_THREAD_SANITIZER)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes(void);
#endif

#ifdef RESHAPE_ADDRESS_SANITIZER
// AddressSanitizer keeps up to 256 MiB of freed memory mapped, which looks like growth. A
// quarantine of 1 MiB is full after the few calls of a watch. The sanitizer looks this function up,
// so it must be visible.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "quarantine_size_mb=1:thread_local_quarantine_size_kb=64";
}
#endif

namespace reshape::conformance {

std::int64_t memory_in_use() {
#if defined(RESHAPE_ADDRESS_SANITIZER) || defined(RESHAPE_THREAD_SANITIZER)
  return static_cast<std::int64_t>(__sanitizer_get_current_allocated_bytes());
#elif defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 now = mallinfo2();
  return static_cast<std::int64_t>(now.uordblks + now.hblkhd);
#else
  return 0;
#endif
}

MemoryUse MemoryMeter::now() {
  const std::int64_t in_use = memory_in_use();
  std::int64_t pages = 0;
  const std::string_view text = statm_.read();
  std::from_chars(text.data(), text.data() + text.size(), pages);
  return {in_use, pages * page_size()};
}

// Duty C15. What the first call keeps (a cache, a table) is no leak: only a streak of turns that
// all grow is suspicious. GrowthSuspicions checks the suspicion.
void MemoryGrowth::after(std::vector<Observation>& seen) {
  const MemoryUse now = meter_.now();
  if (!now.grown_since(before_)) {
    grown_ = 0;
    return;
  }
  if (grown_++ == 0) first_ = before_;
  if (grown_ != kGrowingTurns) return;
  seen.push_back({CaughtBy::memory_growth, Plane::memory, Duty::C15,
                  "each of " + std::to_string(kGrowingTurns) +
                      " rounds of equal calls left more memory in use, " +
                      std::to_string(now.more_than(first_) / (kGrowingTurns * calls_)) +
                      " bytes a call"});
}

}  // namespace reshape::conformance
