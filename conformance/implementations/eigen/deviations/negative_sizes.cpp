// Six elements become [-2, -3]: only the product of the new dimensions is looked at.
// Clause pattern.values: a new dimension is a size, and no negative one counts elements.

#include <cstdio>
#include <stdexcept>

// What Eigen checks it checks by its assertion.
#define eigen_assert(condition) \
  if (!(condition)) throw std::logic_error(#condition)
#include <unsupported/Eigen/CXX11/Tensor>

int main() {
  Eigen::Tensor<float, 2, Eigen::RowMajor> data(2, 3);
  data.setZero();
  const Eigen::DSizes<Eigen::DenseIndex, 2> dimensions(-2, -3);
  bool refused = false;
  try {
    const auto reshaped = data.reshape(dimensions);
    const Eigen::TensorEvaluator<decltype(reshaped), Eigen::DefaultDevice> evaluator(reshaped, {});
    refused = evaluator.dimensions()[0] != -2;
  } catch (const std::logic_error&) {
    refused = true;
  }
  std::printf("6 elements to [-2, -3]: came %s - the document says a refusal\n",
              refused ? "a refusal" : "an expression of these sizes");
  return refused ? 1 : 0;
}
