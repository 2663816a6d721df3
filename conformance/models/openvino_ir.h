#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/request.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A layer of a model: where a request comes from.
struct LayerPlace {
  std::string name;
  std::string id;
  std::string where;  // "model.xml:12"
};

// A Reshape layer that says all that a request needs.
struct ModelReshape {
  Request request;  // of the dialect openvino-reshape-1
  LayerPlace layer;
  std::optional<Shape> output;  // what the model's own output port says, where that is static
};

// Why a Reshape layer is no request: the model does not say it, and nothing is guessed.
enum class Unstated : std::uint8_t {
  other_operation,   // of another operator set than opset1
  dynamic_data,      // a -1 among the dimensions of its data
  unranked_data,     // no dimensions: a scalar only where its producer says so
  data_type,         // none, or one that no document names
  computed_pattern,  // the pattern comes from another layer than a Const
  pattern_type,      // a constant, and not of integers
  no_weights,        // a constant, and the .bin is not there
};
inline constexpr std::size_t kUnstatedKinds = 7;
std::string_view text(Unstated why);  // "its pattern is computed and no constant"

struct UnstatedReshape {
  Unstated why;
  LayerPlace layer;
};

struct OpenVinoModel {
  int version = 0;                     // of the IR
  std::vector<ModelReshape> reshapes;  // in the order of the file
  std::vector<UnstatedReshape> unstated;
};

// Longer patterns, more dimensions and more output ports of a layer are errors: no model needs them, and
// many layers that share a long one would take all memory or all day.
inline constexpr std::int64_t kMostPatternValues = 256;
inline constexpr std::int64_t kMostDimensions = 256;
inline constexpr std::int64_t kMostOutputPorts = 16384;

// Reads every Reshape of an OpenVINO IR of version 10 or 11, those in the bodies of If, Loop and
// TensorIterator too: data type and sizes from its first input port, the pattern from the Const layer
// that feeds the second one, special_zero from its attributes. A layer without special_zero is a request
// without it.
//
// The constants are in `weights`; without it, in the file beside the XML that ends in .bin, which may be
// absent. An error is a file that cannot be read, is no IR of these versions or contradicts itself (a
// constant outside of its file, a size that is no number, an edge from nowhere); its place is
// "path:line".
Result<OpenVinoModel> read_openvino_ir(const std::string& path,
                                       const std::optional<std::string>& weights = {});

}  // namespace reshape::conformance
