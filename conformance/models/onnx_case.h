#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/model/clause.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A case in the form of ONNX's backend tests: a model with one Reshape, and sets of tensors, all as
// serialized protobuf messages.
struct OnnxTest {
  struct DataSet {
    std::vector<std::string> inputs;  // the data and, since operator set 5, the pattern
    std::string output;
  };
  std::string model;
  std::vector<DataSet> sets;
};

// Why a case has no such form, or nothing. The form can only express dense tensors, and no refusal.
std::optional<std::string_view> no_onnx_test(const Case& one);

// Limit in bytes for the data of an exported case.
inline constexpr std::int64_t kMostOnnxTestBytes = std::int64_t{1} << 20;

// Exports a case. If it does not give the elements, there are two sets of data: elements that
// differ at every position, and bit patterns that a conversion would change. `stamp` becomes the
// model's doc_string. An error in a build without protobuf. Precondition: no_onnx_test returns
// nothing.
Result<OnnxTest> onnx_test(const Case& one, const std::string& stamp);

}  // namespace reshape::conformance
