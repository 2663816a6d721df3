#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/model/clause.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A case in the form of ONNX's own backend tests: a model of one Reshape, and sets of tensors, each of
// serialized TensorProtos.
struct OnnxTest {
  struct DataSet {
    std::vector<std::string> inputs;  // the data and, but in operator sets before 5, the pattern
    std::string output;
  };
  std::string model;
  std::vector<DataSet> sets;
};

// Why a case has no such form; nothing where it has one. The form knows dense tensors and answers.
std::optional<std::string_view> no_onnx_test(const Case& one);

// Bytes that the data of a case may take; more of them are no use as files.
inline constexpr std::int64_t kMostOnnxTestBytes = std::int64_t{1} << 20;

// The data is given twice where the case does not say it: elements that differ at every position, and the
// bit patterns that conversions spoil. `stamp` becomes the model's doc_string. An error is a build without
// protobuf. Precondition: no_onnx_test has nothing to say.
Result<OnnxTest> onnx_test(const Case& one, const std::string& stamp);

}  // namespace reshape::conformance
