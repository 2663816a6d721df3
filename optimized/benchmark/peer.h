#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "optimized/loop_nest.h"

namespace reshape::optimized {

// Somebody else's way to run a nest between two buffers, ready to be called many times; nothing where
// that library cannot do it.
using PeerRun = std::optional<std::function<void()>>;

// What a peer's file has: its name, and a preparation for so many threads. `nest` is normalized and its
// offsets are 0.
extern const char* const kPeerName;
PeerRun prepare_peer(const LoopNest& nest, const std::byte* read, std::byte* write, int threads);

}  // namespace reshape::optimized
