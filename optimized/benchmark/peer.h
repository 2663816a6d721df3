#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "optimized/loop_nest.h"

namespace reshape::optimized {

// Another library's copy of a nest between two buffers, ready to be called many times; nothing
// where that library cannot do it.
using PeerRun = std::optional<std::function<void()>>;

// Each *_peer.cpp defines these: its name, and how it prepares a nest for `threads` threads. `nest`
// is normalized and its offsets are 0.
extern const char* const kPeerName;
PeerRun prepare_peer(const LoopNest& nest, const std::byte* read, std::byte* write, int threads);

}  // namespace reshape::optimized
