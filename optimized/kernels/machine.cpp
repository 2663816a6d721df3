#include "optimized/kernels/machine.h"

#include <unistd.h>

#include "hwy/cache_control.h"

namespace reshape::optimized {

std::int64_t last_cache_bytes() {
  static const std::int64_t bytes = [] {
    const long told = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return told > 0 ? std::int64_t{told} : std::int64_t{32} << 20;
  }();
  return bytes;
}

void flush_streams() { hwy::FlushStream(); }

}  // namespace reshape::optimized
