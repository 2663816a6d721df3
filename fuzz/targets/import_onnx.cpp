// The reader of ONNX models, with any bytes.
#include <cstdint>
#include <span>
#include <string_view>

#include "conformance/models/onnx_model.h"
#include "fuzz/targets/model_check.h"

namespace reshape::fuzz {
namespace {

void check(std::string_view input) {
  static MemoryFile file("onnx");
  if (!file.hold(input)) return;
  check_model("import_onnx", conformance::read_onnx(file.path()));
}

}  // namespace

void test(std::span<const std::uint8_t> bytes) {
  about_to_read("import_onnx");
  check(as_text(bytes));
}

}  // namespace reshape::fuzz
