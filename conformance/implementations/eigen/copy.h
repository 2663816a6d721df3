#pragma once

#include <stdexcept>

// Eigen checks with assertions that a reshape keeps the number of elements and that an output has
// the right shape. Users may redefine its assertion macro; here it throws this, which becomes an
// answer.
struct Asserted : std::logic_error {
  using std::logic_error::logic_error;
};
#define eigen_assert(condition)                   \
  do {                                            \
    if (!(condition)) throw Asserted(#condition); \
  } while (false)

#include <array>
#include <cstdint>
#include <unsupported/Eigen/CXX11/Tensor>
#include <utility>

// The rank is a template parameter of Eigen's tensors, so every pair of ranks is compiled. Most
// cases of the suite have lower ranks than this.
inline constexpr int kMaxRank = 5;
using Sizes = std::array<Eigen::DenseIndex, kMaxRank>;

template <int rank>
Eigen::DSizes<Eigen::DenseIndex, rank> sizes_of(const Sizes& sizes) {
  Eigen::DSizes<Eigen::DenseIndex, rank> first;
  for (int axis = 0; axis < rank; ++axis) first[axis] = sizes[static_cast<std::size_t>(axis)];
  return first;
}

// Copies contiguous row-major data of one rank into an output of another. `to` are the dimensions
// of the reshape, `out` the sizes of the output: whether they agree is left to Eigen. Throws
// Asserted.
using Copy = void (*)(void* data, const Sizes& from, const Sizes& to, void* output,
                      const Sizes& out);

// Indexed by the ranks of data and output.
using Copies = std::array<std::array<Copy, kMaxRank + 1>, kMaxRank + 1>;

// Calls make.operator()<rank>() for each rank from 0.
template <typename Made, typename Make>
std::array<Made, kMaxRank + 1> for_each_rank(Make make) {
  return [&]<int... rank>(std::integer_sequence<int, rank...>) {
    return std::array<Made, kMaxRank + 1> { make.template operator()<rank>()... };
  }(std::make_integer_sequence<int, kMaxRank + 1>());
}
