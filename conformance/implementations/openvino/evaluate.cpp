// Node::evaluate: a Reshape whose inputs are known by nothing but their types, asked with tensors.
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

}  // namespace

const char* const kName = "openvino-evaluate";
const char* const kPatternTypes = kWholeBytes;
const bool kHasRun = true;
const bool kStartsThreads = false;

ov::PartialShape infer(const Question& question) {
  ov::TensorVector outputs{ov::Tensor(question.data_type, ov::Shape{0})};
  evaluate(question, zeros(question.data_type, question.data), outputs);
  return outputs[0].get_shape();
}

void run(const Question& question, const ov::Tensor& data, const ov::Tensor& output) {
  ov::TensorVector outputs{output};
  evaluate(question, data, outputs);
}

}  // namespace openvino_way
