#pragma once

#include <string>

#include "conformance/models/model.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A limit that no real model reaches, and that fits in memory even with the longest patterns.
inline constexpr std::size_t kMostOnnxReshapes = 65536;

// Reads every Reshape of an ONNX model, including those in the graphs of If, Loop and Scan, of
// training and in local functions. The document is the latest Reshape that is not newer than the imported operator
// set. The pattern is the attribute `shape` of Reshape-1; of later ones an initializer or a
// Constant, in the model or in a file of its folder. Type and sizes of the data come from the
// graph's inputs, its value_info or a constant. No shapes are inferred here, but those that
// onnx.shape_inference wrote into the model are read. A Reshape without allowzero gives a request
// without the flag.
//
// An error is a file that cannot be read, is no ONNX model or contradicts itself; its place is
// "path" or "path, node 7 (name)". Where the build has no protobuf, every model is an error that
// says so.
Result<Model> read_onnx(const std::string& path);

}  // namespace reshape::conformance
