#pragma once

#include <cstdint>

namespace reshape::optimized {

// Bytes of the last-level cache that one caller can count on: what the system reports up to 64 MiB,
// 8 MiB of more, and 32 MiB where it reports nothing.
std::int64_t last_cache_bytes();
// Whether that is the smaller share of a whole package's cache. It is slow then, too.
bool shares_last_cache();

// Bytes of the L2 cache: what the system reports, or 1 MiB.
std::int64_t second_cache_bytes();

// From how many bytes, read and written, `threads` threads together write around the caches: a
// larger output would evict itself. Several threads write to a shared last cache faster than around
// it, so the limit is higher for them.
std::int64_t stream_from(int threads);

// Whether a lookup of 1- or 2-byte elements in two vectors takes three micro-operations on one
// port, as on Intel's processors, instead of one.
bool looks_up_small_slowly();

// From how many bytes on a row outside of the L1 cache is copied by string moves.
std::int64_t string_moves_from();

// Whether the hardware prefetcher follows dozens of rows that are read side by side, as Intel's
// does: prefetching in software then took 20 to 50 percent longer.
bool follows_many_rows();

// Whether short pieces of output rows are best gathered from 16 bytes of each input row and written
// by masked stores, as on an Emerald Rapids; on others this was measured only for some lengths.
bool masks_short_rows();

// Whether gathering 16 words takes the time of a few loads, as on Intel's processors from Sapphire
// Rapids on: those before are slowed down against leaks of what was gathered (Downfall).
bool gathers_words_fast();

// Makes what was written around the caches visible before whatever this thread writes next.
void flush_streams();

}  // namespace reshape::optimized
