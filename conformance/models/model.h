#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/request.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// A layer of a model, or node as ONNX calls it: where a request comes from.
struct LayerPlace {
  std::string name;
  std::string id;     // of an ONNX node its number, "7", or within a body "7/then_branch/2"
  std::string where;  // "model.xml:12"
};

// A Reshape that says all that a request needs.
struct ModelReshape {
  Request request;
  LayerPlace layer;
  std::optional<Shape> output;  // what the model itself says of its output, where that is static
};

// Why a Reshape is no request: the model does not say it, and nothing is guessed.
enum class Unstated : std::uint8_t {
  other_operation,   // of an operator set that no document describes
  dynamic_data,      // an unknown size among the dimensions of its data
  unranked_data,     // no dimensions
  untyped_data,      // neither type nor dimensions: nobody has inferred them
  data_type,         // none, or one that no document names
  no_pattern,        // the attribute that holds it is missing
  computed_pattern,  // the pattern is an input of the model, or computed
  pattern_type,      // a constant, and not of integers
  no_constants,      // a constant, and the file that holds it is not there
};
inline constexpr std::size_t kUnstatedKinds = 9;
std::string_view text(Unstated why);  // "a pattern that is computed and no constant"

struct UnstatedReshape {
  Unstated why;
  LayerPlace layer;
};

// What a reader of any format makes of a model.
struct Model {
  std::string form;                    // "an OpenVINO IR of version 11"
  std::string word = "layer";          // what the format calls an operation
  std::vector<std::string> files;      // that were read
  std::vector<ModelReshape> reshapes;  // in the order of the file
  std::vector<UnstatedReshape> unstated;
};

// Longer patterns and more dimensions are errors: no model needs them, and many layers that share a long
// one would take all memory or all day.
inline constexpr std::int64_t kMostPatternValues = 256;
inline constexpr std::int64_t kMostDimensions = 256;

// The shape of data, or why it is none: -1 is an unknown size.
std::optional<Shape> static_shape(std::vector<std::int64_t> sizes);

// The value of an integer at a position of little-endian bytes; of 4-bit integers the earlier one is the
// low half of its byte. Precondition: it lies in the bytes.
PatternValue integer_at(std::string_view bytes, ElementType type, std::size_t index);

}  // namespace reshape::conformance
