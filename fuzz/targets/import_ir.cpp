// The reader of OpenVINO IR. An input is the XML, and after a line "#: bin" the bytes of constants.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "conformance/models/openvino_ir.h"
#include "fuzz/targets/model_check.h"

namespace reshape::fuzz {

void test(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kMark = "\n#: bin\n";
  static MemoryFile xml("xml");
  static MemoryFile bin("bin");
  about_to_read("import_ir");
  const std::string_view input = as_text(bytes);
  const std::size_t mark = input.find(kMark);
  if (!xml.hold(input.substr(0, mark))) return;
  std::optional<std::string> weights;
  if (mark != std::string_view::npos) {
    if (!bin.hold(input.substr(mark + kMark.size()))) return;
    weights = bin.path();
  }
  check_model("import_ir", conformance::read_openvino_ir(xml.path(), weights));
}

}  // namespace reshape::fuzz
