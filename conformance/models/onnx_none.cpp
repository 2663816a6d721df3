#include "conformance/models/onnx_case.h"
#include "conformance/models/onnx_model.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {

Result<Model> read_onnx(const std::string& path) {
  return Error{
      "ONNX models are not read by this build, which was made without protobuf and the schema of "
      "ONNX",
      printable(path)};
}

Result<OnnxTest> onnx_test(const Case&, const std::string&) {
  return Error{
      "ONNX models are not written by this build, which was made without protobuf and the schema "
      "of ONNX"};
}

}  // namespace reshape::conformance
