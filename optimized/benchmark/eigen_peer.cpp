#define EIGEN_USE_THREADS
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

#include "optimized/benchmark/peer.h"
#include "unsupported/Eigen/CXX11/Tensor"

namespace reshape::optimized {
namespace {

template <class T, int kRank>
std::function<void()> shuffle(const LoopNest& nest, const std::byte* read, std::byte* write,
                              const std::shared_ptr<Eigen::ThreadPoolDevice>& device) {
  // The reader's axes are the loops by falling read step; the output's i-th axis is the reader's
  // order[i]-th.
  std::array<std::size_t, kRank> by_read;
  std::iota(by_read.begin(), by_read.end(), std::size_t{0});
  std::sort(by_read.begin(), by_read.end(), [&](std::size_t a, std::size_t b) {
    return nest.loops[a].source_stride > nest.loops[b].source_stride;
  });
  std::array<Eigen::Index, kRank> in, out;
  std::array<int, kRank> order;
  for (std::size_t i = 0; i < kRank; ++i) {
    in[i] = nest.loops[by_read[i]].count;
    out[i] = nest.loops[i].count;
    order[by_read[i]] = static_cast<int>(i);
  }
  using Map = Eigen::TensorMap<Eigen::Tensor<T, kRank, Eigen::RowMajor>>;
  using ConstMap = Eigen::TensorMap<const Eigen::Tensor<T, kRank, Eigen::RowMajor>>;
  return [=] {
    const ConstMap from(reinterpret_cast<const T*>(read), in);
    Map to(reinterpret_cast<T*>(write), out);
    to.device(*device) = from.shuffle(order);
  };
}

template <class T>
PeerRun by_rank(const LoopNest& nest, const std::byte* read, std::byte* write,
                const std::shared_ptr<Eigen::ThreadPoolDevice>& device) {
  switch (nest.loops.size()) {
    case 2: return shuffle<T, 2>(nest, read, write, device);
    case 3: return shuffle<T, 3>(nest, read, write, device);
    case 4: return shuffle<T, 4>(nest, read, write, device);
    case 5: return shuffle<T, 5>(nest, read, write, device);
    default: return std::nullopt;
  }
}

bool dense(const LoopNest& nest, std::int64_t Loop::* step) {
  Loops loops = nest.loops;
  std::sort(loops.begin(), loops.end(),
            [step](const Loop& a, const Loop& b) { return a.*step < b.*step; });
  std::int64_t next = 1;
  for (const Loop& loop : loops) {
    if (loop.*step != next) return false;
    next *= loop.count;
  }
  return true;
}

}  // namespace

const char* const kPeerName = "Eigen";

// A shuffle of Eigen's tensors. Dense on both sides, two to five loops.
PeerRun prepare_peer(const LoopNest& nest, const std::byte* read, std::byte* write, int threads) {
  if (!dense(nest, &Loop::source_stride) || !dense(nest, &Loop::destination_stride))
    return std::nullopt;
  // A pool of exactly as many threads as are asked for, owned by the returned function. Declared
  // before the device, which uses it.
  struct Pooled {
    explicit Pooled(int count) : pool(count), device(&pool, count) {}
    Eigen::ThreadPool pool;
    Eigen::ThreadPoolDevice device;
  };
  const auto pooled = std::make_shared<Pooled>(threads);
  const std::shared_ptr<Eigen::ThreadPoolDevice> device(pooled, &pooled->device);
  switch (nest.bits) {
    case 8: return by_rank<std::uint8_t>(nest, read, write, device);
    case 16: return by_rank<std::uint16_t>(nest, read, write, device);
    case 32: return by_rank<float>(nest, read, write, device);
    default: return std::nullopt;
  }
}

}  // namespace reshape::optimized
