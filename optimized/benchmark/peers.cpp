#include "optimized/benchmark/peers.h"

namespace reshape::optimized {

// A shuffle of Eigen's tensors. Dense on both sides, two to five loops.
PeerRun eigen_run(const LoopNest& nest, const std::byte* read, std::byte* write, int threads);

// A reorder of oneDNN between two strided layouts.
PeerRun onednn_run(const LoopNest& nest, const std::byte* read, std::byte* write, int threads);

// PyTorch's copy_ between two strided tensors.
PeerRun torch_run(const LoopNest& nest, const std::byte* read, std::byte* write, int threads);

std::span<const PeerLibrary> peer_libraries() {
  // CMake says by RESHAPE_PEER_... which were found: the function above, or nullptr.
  static constexpr PeerLibrary kLibraries[] = {
      {"Eigen", "libeigen3-dev", RESHAPE_PEER_EIGEN},
      {"oneDNN", "libdnnl-dev", RESHAPE_PEER_ONEDNN},
      {"libtorch", "libtorch-dev", RESHAPE_PEER_TORCH},
  };
  return kLibraries;
}

}  // namespace reshape::optimized
