#pragma once

#include <cstdint>

namespace reshape::optimized {

// Bytes of the last cache, as the system tells; 32 MiB where it does not.
std::int64_t last_cache_bytes();

// Makes what was written around the caches visible before whatever this thread writes next.
void flush_streams();

}  // namespace reshape::optimized
