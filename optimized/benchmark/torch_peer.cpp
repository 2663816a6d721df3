#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "optimized/benchmark/peer.h"

namespace reshape::optimized {

const char* const kPeerName = "libtorch";

// PyTorch's copy_ between two strided tensors.
PeerRun prepare_peer(const LoopNest& nest, const std::byte* read, std::byte* write, int threads) {
  const auto type = nest.bits == 8    ? at::kByte
                    : nest.bits == 16 ? at::kBFloat16
                    : nest.bits == 32 ? at::kFloat
                                      : at::ScalarType::Undefined;
  if (type == at::ScalarType::Undefined || nest.loops.empty()) return std::nullopt;
  // What a program would reach by permute, slice, expand or as_strided: the views differ in their
  // strides only, and copy_ orders and joins the axes of both by itself.
  std::vector<std::int64_t> sizes, from, to;
  for (const Loop& loop : nest.loops) {
    if (loop.source_stride < 0 || loop.destination_stride < 0) return std::nullopt;
    sizes.push_back(loop.count);
    from.push_back(loop.source_stride);
    to.push_back(loop.destination_stride);
  }
  try {
    const at::Tensor in = at::from_blob(const_cast<std::byte*>(read), sizes, from, type);
    const at::Tensor out = at::from_blob(write, sizes, to, type);
    return [=] {
      // Nobody asks for gradients here.
      const c10::InferenceMode plain;
      // Setting the number of threads again, even to the same value, would cost it a thread pool.
      if (at::get_num_threads() != threads) at::set_num_threads(threads);
      out.copy_(in);
    };
  } catch (const c10::Error&) {
    return std::nullopt;
  }
}

}  // namespace reshape::optimized
