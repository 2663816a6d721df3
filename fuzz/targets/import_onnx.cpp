// The reader of ONNX models, with any bytes.
#include <cstdint>
#include <span>

#include "conformance/models/onnx_model.h"
#include "fuzz/targets/model_check.h"

namespace reshape::fuzz {

void test(std::span<const std::uint8_t> bytes) {
  static MemoryFile file("onnx");
  about_to_read("import_onnx");
  if (file.hold(as_text(bytes))) check_model("import_onnx", conformance::read_onnx(file.path()));
}

}  // namespace reshape::fuzz
