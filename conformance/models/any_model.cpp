#include "conformance/models/any_model.h"

#include <filesystem>
#include <string_view>

#include "conformance/models/byte_file.h"
#include "conformance/models/onnx_model.h"
#include "conformance/models/openvino_ir.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

// No ONNX model begins with '<': in protobuf that byte ends a group, and none has begun.
bool begins_like_xml(const ByteFile& file) {
  constexpr std::int64_t kFarEnough = 64;
  const Result<std::string> head =
      file.bytes(0, file.size() < kFarEnough ? file.size() : kFarEnough);
  if (!head) return false;
  std::string_view text = *head;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

}  // namespace

Result<Model> read_model(const std::string& path, const std::optional<std::string>& weights) {
  bool xml = std::filesystem::path(path).extension() == ".xml";
  if (!xml) {
    const Result<ByteFile> file = ByteFile::open(path);
    if (!file) return file.error();
    xml = begins_like_xml(*file);
  }
  if (xml) return read_openvino_ir(path, weights);
  if (weights) return Error{"an ONNX model names its own files of constants", printable(path)};
  return read_onnx(path);
}

}  // namespace reshape::conformance
