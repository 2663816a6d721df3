#include "computed_pattern.h"

#include <algorithm>
#include <openvino/op/concat.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/convert.hpp>
#include <openvino/op/gather.hpp>
#include <openvino/op/shape_of.hpp>

namespace openvino_way {
namespace {

using ov::op::v0::Constant;

std::vector<std::int64_t> values_of(const Question& question) {
  return Constant(question.pattern_type, question.pattern_shape, question.pattern)
      .cast_vector<std::int64_t>();
}

// ShapeOf gives i64 or i32; what has another type is converted.
ov::Output<ov::Node> size_of(const ov::Output<ov::Node>& input, std::int64_t axis,
                             const ov::element::Type& type) {
  const bool own = type == ov::element::i64 || type == ov::element::i32;
  const auto shape = std::make_shared<ov::op::v3::ShapeOf>(input, own ? type : ov::element::i64);
  const auto size =
      std::make_shared<ov::op::v8::Gather>(shape, Constant::create(ov::element::i64, {1}, {axis}),
                                           Constant::create(ov::element::i64, {}, {0}));
  if (own) return size;
  return std::make_shared<ov::op::v0::Convert>(size, type);
}

}  // namespace

std::vector<Source> sources_of(const Question& question) {
  const ov::element::Type& type = question.pattern_type;
  if (question.pattern_shape.size() != 1 || !type.is_integral_number() || type.bitwidth() < 8) {
    return {};
  }
  std::vector<Source> sources;
  std::int64_t taken = 0;
  for (const std::int64_t value : values_of(question)) {
    const ov::Shape& sizes = question.data;
    const std::size_t same = sources.size();
    const auto size = static_cast<std::size_t>(value);
    const auto first = std::find(sizes.begin(), sizes.end(), size);
    if (value < 0) {
      sources.push_back({Source::kConstant, value});
    } else if (same < sizes.size() && sizes[same] == size) {
      sources.push_back({Source::kData, static_cast<std::int64_t>(same)});
    } else if (first != sizes.end()) {
      sources.push_back({Source::kData, first - sizes.begin()});
    } else {
      sources.push_back({Source::kSecond, ++taken});
    }
  }
  return sources;
}

ov::Shape second_of(const Question& question, const std::vector<Source>& sources) {
  const std::vector<std::int64_t> values = values_of(question);
  ov::Shape shape{0};
  for (std::size_t at = 0; at < sources.size(); ++at) {
    if (sources[at].from != Source::kSecond) continue;
    shape.push_back(static_cast<std::size_t>(values[at]));
  }
  return shape;
}

ov::Output<ov::Node> computed(const std::vector<Source>& sources, const ov::element::Type& type,
                              const ov::Output<ov::Node>& data,
                              const ov::Output<ov::Node>& second) {
  ov::OutputVector values;
  for (const Source& source : sources) {
    switch (source.from) {
      case Source::kData: values.push_back(size_of(data, source.number, type)); break;
      case Source::kSecond: values.push_back(size_of(second, source.number, type)); break;
      case Source::kConstant: values.push_back(Constant::create(type, {1}, {source.number})); break;
    }
  }
  return std::make_shared<ov::op::v0::Concat>(values, 0);
}

}  // namespace openvino_way
