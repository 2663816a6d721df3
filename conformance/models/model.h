#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/request.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// The layer of a model (in ONNX: the node) that a request comes from.
struct LayerPlace {
  std::string name;
  std::string id;     // for ONNX the node's number, "7", or within a body "7/then_branch/2"
  std::string where;  // "model.xml:12"
};

// A Reshape for which the model states everything that a request needs.
struct ModelReshape {
  Request request;
  LayerPlace layer;
  std::optional<Shape> output;  // the output shape that the model states, if it is static
};

// What the model does not state about a Reshape, so that it is no request: nothing is guessed.
enum class Unstated : std::uint8_t {
  other_operation,   // of an operator set that no document describes
  dynamic_data,      // an unknown size among the dimensions of its data
  unranked_data,     // no dimensions
  untyped_data,      // neither type nor dimensions: no shape inference was run
  data_type,         // none, or one that is not known here
  no_pattern,        // the attribute that holds it is missing
  computed_pattern,  // the pattern is an input of the model, or computed
  pattern_type,      // a constant, and not of integers
  long_pattern,      // of more than kMostPatternValues
  no_constants,      // a constant, and the file that holds it is not there
};
inline constexpr std::size_t kUnstatedKinds = 10;
std::string_view text(Unstated why);  // "a pattern that is computed and no constant"

struct UnstatedReshape {
  Unstated why;
  LayerPlace layer;
};

// The Reshapes of a model, as any of the readers returns them.
struct Model {
  std::string form;                    // "an OpenVINO IR of version 11"
  std::string word = "layer";          // what the format calls an operation
  std::vector<std::string> files;      // that were read
  std::vector<ModelReshape> reshapes;  // in the order of the file
  std::vector<UnstatedReshape> unstated;
};

// Limits. No model needs more, and many layers that share one long pattern would take too much
// memory and time. More dimensions are an error.
inline constexpr std::int64_t kMostPatternValues = 256;
inline constexpr std::int64_t kMostDimensions = 256;

// The shape with these sizes; nothing where one of them is unknown (-1).
std::optional<Shape> static_shape(std::vector<std::int64_t> sizes);

// The pattern of this shape whose values are the integers of a little-endian array; of two 4-bit
// integers in a byte the earlier is the low half. Precondition: all lie within `bytes`.
ShapePattern pattern_of(ElementType type, const Shape& shape, std::string_view bytes);

// A name from the model in quotes, fit for a sentence.
std::string in_quotes(std::string_view text);

}  // namespace reshape::conformance
