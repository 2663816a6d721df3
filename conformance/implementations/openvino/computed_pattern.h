#pragma once

#include <cstdint>
#include <openvino/openvino.hpp>
#include <vector>

#include "way.h"

// A pattern that the model computes when it runs from the sizes of its inputs, as exported models
// do: ShapeOf, Gather and Concat. The request alone decides where each value comes from:
//  - a value that is a size of the data: from the data's shape, at the same axis if that has this
//    size, otherwise at the first axis that has it;
//  - another value that a size can have: from the shape of a second input, whose sizes are a 0, so
//    that it has no elements, and then these values in their order;
//  - a value that no size can have, such as -1: a constant.
namespace openvino_way {

struct Source {
  enum From : std::uint8_t { kData, kSecond, kConstant } from;
  std::int64_t number;  // the axis, or the constant

  bool operator==(const Source&) const = default;
};

// One for each value. None where nothing is computed: in a pattern without values, of another rank
// than 1, or of a type that is no integer or has 4 bits.
std::vector<Source> sources_of(const Question& question);

// The shape of the second input.
ov::Shape second_of(const Question& question, const std::vector<Source>& sources);

// The node that computes the pattern.
ov::Output<ov::Node> computed(const std::vector<Source>& sources, const ov::element::Type& type,
                              const ov::Output<ov::Node>& data, const ov::Output<ov::Node>& second);

}  // namespace openvino_way
