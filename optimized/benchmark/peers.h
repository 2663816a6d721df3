#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "optimized/loop_nest.h"

namespace reshape::optimized {

// Somebody else's way to run a nest between two buffers, ready to be called many times; nothing
// where that library cannot do it. `nest` is tidied and its offsets are 0.
using PeerRun = std::optional<std::function<void()>>;
using PreparePeer = PeerRun (*)(const LoopNest& nest, const std::byte* read, std::byte* write,
                                int threads);

// A library that is measured beside ours, where this program was built with it.
struct PeerLibrary {
  const char* name;
  const char* package;  // of Debian, that has it
  PreparePeer prepare;  // null where it was not there
};

// All of them. One more is a file here, a call in CMakeLists.txt and a row in peers.cpp.
std::span<const PeerLibrary> peer_libraries();

}  // namespace reshape::optimized
