// output.device(...) = data.reshape(...) of one element type (SCALAR), for every pair of ranks.
#include "copy.h"

#include <thread>

namespace {

auto& device() {
#if THREADS
  // Both are never destroyed: there is no call at whose end their threads could be joined.
  static auto& pool = *new Eigen::ThreadPool(2);
  static auto& threads = *new Eigen::ThreadPoolDevice(&pool, 2);
  return threads;
#else
  static Eigen::DefaultDevice caller;
  return caller;
#endif
}

template <int from, int to>
void copy(void* data, const Sizes& sizes, const Sizes& dimensions, void* output, const Sizes& out) {
  using Eigen::RowMajor, Eigen::Tensor, Eigen::TensorMap;
  const TensorMap<const Tensor<SCALAR, from, RowMajor>> source(static_cast<const SCALAR*>(data),
                                                               sizes_of<from>(sizes));
  TensorMap<Tensor<SCALAR, to, RowMajor>> target(static_cast<SCALAR*>(output), sizes_of<to>(out));
  target.device(device()) = source.reshape(sizes_of<to>(dimensions));
}

}  // namespace

extern const Copies COPY;
const Copies COPY = for_each_rank<std::array<Copy, kMaxRank + 1>>([]<int from>() {
  return for_each_rank<Copy>([]<int to>() -> Copy { return copy<from, to>; });
});
