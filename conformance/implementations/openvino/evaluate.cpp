// Node::evaluate: a Reshape that is built from the types of its inputs only, and evaluated on
// tensors.
#include <openvino/op/parameter.hpp>
#include <openvino/op/reshape.hpp>

#include "way.h"

namespace openvino_way {
namespace {

void evaluate(const Question& question, const ov::Tensor& data, ov::TensorVector& outputs) {
  const auto input =
      std::make_shared<ov::op::v0::Parameter>(question.data_type, ov::PartialShape::dynamic());
  const auto pattern =
      std::make_shared<ov::op::v0::Parameter>(question.pattern_type, ov::PartialShape::dynamic());
  const ov::op::v1::Reshape node(input, pattern, question.special_zero);
  const ov::Tensor values(question.pattern_type, question.pattern_shape, question.pattern);
  if (!node.evaluate(outputs, {data, values})) {
    OPENVINO_THROW("evaluate answered false, so this is not supported yet");
  }
}

// An allocator that allocates nothing. For data that is too large for memory, only the shape is
// inferred: the output gets its shape, but no memory.
struct NoMemory {
  void* allocate(std::size_t bytes, std::size_t = 0) {
    if (bytes > 0) throw std::bad_alloc();
    return this;  // only for the output before evaluation, which has no elements
  }
  void deallocate(void*, std::size_t, std::size_t = 0) noexcept {}
  bool is_equal(const NoMemory&) const { return true; }
};

ov::PartialShape infer_without_memory(const Question& question) {
  static std::uint64_t nothing = 0;
  ov::TensorVector outputs{ov::Tensor(question.data_type, ov::Shape{0}, ov::Allocator(NoMemory{}))};
  try {
    evaluate(question, ov::Tensor(question.data_type, question.data, &nothing), outputs);
  } catch (const std::exception& thrown) {
    if (!of_no_memory(thrown) || outputs[0].get_shape() == ov::Shape{0}) throw;
  }
  return outputs[0].get_shape();
}

}  // namespace

const char* const kName = NAME;
const bool kHasRun = true;
const bool kStrided = STRIDED;
const bool kStartsThreads = false;
const int kMaxRank = 0;

ov::PartialShape infer(const Question& question) {
  if (!worth_having(question.data_type, question.data)) return infer_without_memory(question);
  const ov::Tensor data = zeros(question.data_type, question.data);
  ov::TensorVector outputs{output_with_room(data, ov::Shape{0})};
  try {
    evaluate(question, data, outputs);
  } catch (const std::exception& thrown) {
    if (!of_no_memory(thrown)) throw;
    // Small data can give an output that is too large for memory: OpenVINO does not compare
    // volumes.
    return infer_without_memory(question);
  }
  return outputs[0].get_shape();
}

void run(const Question& question, const ov::Tensor& data, const ov::Tensor& output) {
  ov::TensorVector outputs{output};
  evaluate(question, data, outputs);
}

}  // namespace openvino_way
