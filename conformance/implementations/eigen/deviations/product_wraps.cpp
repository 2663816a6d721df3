// 90 elements become [41084062524965594, 449]: the product of the new dimensions wraps in 64 bits.
// Clause volume.kept: the product of the new dimensions equals the number of elements of the input.

#include <cstdio>
#include <stdexcept>

// What Eigen checks it checks by its assertion.
#define eigen_assert(condition) \
  if (!(condition)) throw std::logic_error(#condition)
#include <unsupported/Eigen/CXX11/Tensor>

int main() {
  Eigen::Tensor<char, 1, Eigen::RowMajor> data(90);
  data.setZero();
  const Eigen::DSizes<Eigen::DenseIndex, 2> dimensions(41084062524965594, 449);
  bool refused = false;
  try {
    const auto reshaped = data.reshape(dimensions);
    const Eigen::TensorEvaluator<decltype(reshaped), Eigen::DefaultDevice> evaluator(reshaped, {});
    static_cast<void>(evaluator);
  } catch (const std::logic_error&) {
    refused = true;
  }
  std::printf("90 elements to [41084062524965594, 449]: came %s - the document says a refusal\n",
              refused ? "a refusal" : "a tensor of these sizes");
  return refused ? 1 : 0;
}
