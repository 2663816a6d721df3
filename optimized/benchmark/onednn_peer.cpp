#include <omp.h>

#include "oneapi/dnnl/dnnl.hpp"
#include "optimized/benchmark/peer.h"

namespace reshape::optimized {

const char* const kPeerName = "oneDNN";

// A reorder of oneDNN between two strided layouts.
PeerRun prepare_peer(const LoopNest& nest, const std::byte* read, std::byte* write, int threads) {
  using dnnl::memory;
  const auto type = nest.bits == 8    ? memory::data_type::u8
                    : nest.bits == 16 ? memory::data_type::bf16
                    : nest.bits == 32 ? memory::data_type::f32
                                      : memory::data_type::undef;
  if (type == memory::data_type::undef || nest.loops.empty() || nest.loops.size() > 6) {
    return std::nullopt;
  }
  memory::dims sizes, from, to;
  for (const Loop& loop : nest.loops) {
    if (loop.source_stride == 0) return std::nullopt;
    sizes.push_back(loop.count);
    from.push_back(loop.source_stride);
    to.push_back(loop.destination_stride);
  }
  try {
    // The primitive is made for as many threads as will run it.
    omp_set_num_threads(threads);
    dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    dnnl::stream stream(engine);
    memory in({sizes, type, from}, engine, const_cast<std::byte*>(read));
    memory out({sizes, type, to}, engine, write);
    dnnl::reorder reorder(in, out);
    return [=]() mutable {
      omp_set_num_threads(threads);
      reorder.execute(stream, in, out);
      stream.wait();
    };
  } catch (const dnnl::error&) {
    return std::nullopt;
  }
}

}  // namespace reshape::optimized
