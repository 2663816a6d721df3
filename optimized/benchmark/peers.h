#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "optimized/loop_nest.h"

namespace reshape::optimized {

// Somebody else's way to run a nest between two buffers, ready to be called many times; nothing
// where that library cannot do it, or is not there. `nest` is tidied and its offsets are 0.
using PeerRun = std::optional<std::function<void()>>;

// A shuffle of Eigen's tensors. Dense on both sides, two to five loops.
PeerRun eigen_run(const LoopNest& nest, const std::byte* read, std::byte* write, int threads);

// A reorder of oneDNN between two strided layouts.
PeerRun onednn_run(const LoopNest& nest, const std::byte* read, std::byte* write, int threads);

}  // namespace reshape::optimized
