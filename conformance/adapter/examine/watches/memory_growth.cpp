#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/memory/guarded_buffer.h"
#include "conformance/adapter/memory/sanitizers.h"

#ifdef RESHAPE_ADDRESS_SANITIZER
extern "C" std::size_t __sanitizer_get_current_allocated_bytes(void);

// AddressSanitizer keeps up to 256 MiB of freed memory mapped, which reads as growth. Of 1 MiB the few calls
// of a watch see the end. The sanitizer's own library looks for this function, so it is not hidden.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "quarantine_size_mb=1:thread_local_quarantine_size_kb=64";
}
#endif

namespace reshape::conformance {

std::int64_t memory_in_use() {
#if defined(RESHAPE_ADDRESS_SANITIZER)
  return static_cast<std::int64_t>(__sanitizer_get_current_allocated_bytes());
#elif defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 now = mallinfo2();
  return static_cast<std::int64_t>(now.uordblks + now.hblkhd);
#else
  return 0;
#endif
}

std::int64_t memory_mapped() {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[64] = {};
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  return size > 0 ? std::strtoll(text, nullptr, 10) * page_size() : 0;
}

// Duty C15. What the first call keeps (a cache, a table) is no leak: only a streak of turns that all
// grow is suspected of one. See GrowthSuspicions for what becomes of it.
void MemoryGrowth::before(const CallSite&) {
  in_use_ = memory_in_use();
  mapped_ = memory_mapped();
}

void MemoryGrowth::after(const CallSite&, Status, std::vector<Observation>& seen) {
  const std::int64_t in_use = memory_in_use();
  const std::int64_t mapped = memory_mapped();
  if (in_use <= in_use_ && mapped <= mapped_) {
    grown_ = 0;
    return;
  }
  if (grown_++ == 0) {
    first_in_use_ = in_use_;
    first_mapped_ = mapped_;
  }
  if (grown_ != kGrowingTurns) return;
  const std::int64_t bytes = std::max(in_use - first_in_use_, mapped - first_mapped_);
  seen.push_back({CaughtBy::memory_growth, Plane::memory, Duty::C15,
                  "each of " + std::to_string(kGrowingTurns) +
                      " rounds of equal calls left more memory in use, " +
                      std::to_string(bytes / (kGrowingTurns * calls_)) + " bytes a call"});
}

}  // namespace reshape::conformance
