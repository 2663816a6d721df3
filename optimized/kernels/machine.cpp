#include "optimized/kernels/machine.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "hwy/cache_control.h"

namespace reshape::optimized {
namespace {

// A small virtual machine is told the size of the whole package's last cache, which others use as
// well: of 480 MiB (Granite Rapids) one caller effectively had 64, and copies beyond that took
// twice as long through the caches as around them.
constexpr std::int64_t kMostCounted = std::int64_t{64} << 20;

bool is_of_intel() {
#if HWY_ARCH_X86
  return __builtin_cpu_is("intel") != 0;
#else
  return false;
#endif
}

}  // namespace

std::int64_t last_cache_bytes() {
  static const std::int64_t bytes = [] {
    // Prefers what the kernel says: the C library multiplies by the cores of the whole package,
    // even in a virtual machine that has two of them.
    long long kib = 0;
    for (const char* level : {"3", "2"}) {
      const std::string path =
          std::string("/sys/devices/system/cpu/cpu0/cache/index") + level + "/size";
      std::ifstream file(path);
      if (kib == 0 && file) file >> kib;
    }
    if (kib > 0) return std::min(std::int64_t{kib} << 10, kMostCounted);
    const long told = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return told > 0 ? std::min(std::int64_t{told}, kMostCounted) : std::int64_t{32} << 20;
  }();
  return bytes;
}

std::int64_t stream_from(int threads) {
  const std::int64_t cache = last_cache_bytes();
  return threads > 1 ? cache + cache / 2 : cache + cache / 8;
}

bool looks_up_small_slowly() { return is_of_intel(); }

std::int64_t string_moves_from() { return is_of_intel() ? 8 << 10 : 4 << 10; }

bool follows_many_rows() { return is_of_intel(); }

void flush_streams() { hwy::FlushStream(); }

}  // namespace reshape::optimized
