#include "optimized/kernels/machine.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include "hwy/cache_control.h"
#include "hwy/detect_targets.h"

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace reshape::optimized {
namespace {

// A small virtual machine is told the size of the whole package's last cache, which others use as
// well (480 MiB on Granite Rapids, 300 on Emerald Rapids). What one caller has of it varies with
// their load; copies of more took up to ten times as long through the caches as around them, and
// those of less that go around them lose little.
constexpr std::int64_t kOfPackage = std::int64_t{64} << 20;
constexpr std::int64_t kShare = std::int64_t{8} << 20;

// What the kernel says of a cache in KiB; 0: nothing.
std::int64_t told_kib(const char* index) {
  long long kib = 0;
  const std::string path =
      std::string("/sys/devices/system/cpu/cpu0/cache/index") + index + "/size";
  std::ifstream file(path);
  if (file) file >> kib;
  return kib;
}

// Of the last cache.
std::int64_t told_bytes() {
  static const std::int64_t bytes = [] {
    // Prefers what the kernel says: the C library multiplies by the cores of the whole package,
    // even in a virtual machine that has two of them.
    for (const char* index : {"3", "2"}) {
      if (const std::int64_t kib = told_kib(index); kib > 0) return kib << 10;
    }
    const long told = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return told > 0 ? std::int64_t{told} : std::int64_t{32} << 20;
  }();
  return bytes;
}

bool is_of_intel() {
#if HWY_ARCH_X86
  return __builtin_cpu_is("intel") != 0;
#else
  return false;
#endif
}

}  // namespace

bool shares_last_cache() { return told_bytes() > kOfPackage; }

std::int64_t last_cache_bytes() { return shares_last_cache() ? kShare : told_bytes(); }

std::int64_t second_cache_bytes() {
  static const std::int64_t bytes = [] {
    const std::int64_t kib = told_kib("2");
    return kib > 0 ? kib << 10 : std::int64_t{1} << 20;
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

bool masks_short_rows() { return is_of_intel(); }

bool gathers_words_fast() {
#if HWY_ARCH_X86
  // They are the first with arithmetic in half precision: bit 23 of edx of leaf 7.
  static const bool fast = [] {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return is_of_intel() && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 &&
           (edx >> 23 & 1) != 0;
  }();
  return fast;
#else
  return false;
#endif
}

void flush_streams() { hwy::FlushStream(); }

}  // namespace reshape::optimized
