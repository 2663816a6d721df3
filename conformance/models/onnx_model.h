#pragma once

#include <string>

#include "conformance/models/model.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// More Reshapes than any model has, and as many as memory is sure to hold, however long their patterns.
inline constexpr std::size_t kMostOnnxReshapes = 65536;

// Reads every Reshape of an ONNX model, those in the graphs of If, Loop and Scan and in local functions
// too. The operator set that the model imports says the document: the last Reshape that is not newer. The
// pattern is the attribute `shape` of Reshape-1, and of later ones an initializer or a Constant, in the
// model or in a file of its folder; the data's type and sizes come from the graph's inputs, its
// value_info or a constant. Nothing is inferred here: what onnx.shape_inference writes into a model is read.
// A Reshape without allowzero is a request without it.
//
// An error is a file that cannot be read, is no ONNX model or contradicts itself; its place is
// "path" or "path, node 7 (name)". Where the build has no protobuf, every model is an error that says so.
Result<Model> read_onnx(const std::string& path);

}  // namespace reshape::conformance
