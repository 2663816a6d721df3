#include "optimized/benchmark/peers.h"

namespace reshape::optimized {

// Where oneDNN is not installed, its column stays empty.
PeerRun onednn_run(const LoopNest&, const std::byte*, std::byte*, int) { return std::nullopt; }

}  // namespace reshape::optimized
