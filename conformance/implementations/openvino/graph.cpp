// Shape inference when a model is built: a Reshape of a Parameter by a Constant.
#include <openvino/op/constant.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/reshape.hpp>

#include "way.h"

namespace openvino_way {

const char* const kName = "openvino-graph";
const bool kHasRun = false;
const bool kStrided = false;
const bool kStartsThreads = false;
const int kMaxRank = 0;

ov::PartialShape infer(const Question& question) {
  const auto data = std::make_shared<ov::op::v0::Parameter>(question.data_type, question.data);
  const auto pattern = std::make_shared<ov::op::v0::Constant>(
      question.pattern_type, question.pattern_shape, question.pattern);
  return ov::op::v1::Reshape(data, pattern, question.special_zero).get_output_partial_shape(0);
}

void run(const Question&, const ov::Tensor&, const ov::Tensor&) {}

}  // namespace openvino_way
