#pragma once

#include <cstdint>

namespace reshape::optimized {

// Bytes of the last cache that one caller can count on: what the system tells, and no more than 64 MiB; 32 MiB
// where it tells nothing.
std::int64_t last_cache_bytes();

// Of how many bytes, read and written, so many threads together write around the caches: past this the output
// would push itself out of them. Threads that share the last cache write to it faster together than around it,
// so they may fill it further.
std::int64_t stream_from(int threads);

// Whether lookups of elements of 1 and 2 bytes in two vectors take the processor three steps on one port, as
// Intel's do, and not one.
bool looks_up_small_slowly();

// Whether the processor sees where dozens of rows go on that are read side by side, as Intel's do: to ask for what
// the caches bring by themselves took a fifth longer, up to half.
bool follows_many_rows();

// Makes what was written around the caches visible before whatever this thread writes next.
void flush_streams();

}  // namespace reshape::optimized
