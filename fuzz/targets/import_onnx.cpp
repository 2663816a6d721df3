// ONNX models as anyone may write them.
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

void test(std::span<const std::uint8_t> bytes) {
  about_to_read("import_onnx");
  check({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace
}  // namespace reshape::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reshape::fuzz::run_input(data, size, reshape::fuzz::test);
}
