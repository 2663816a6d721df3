// The description that a library exports: with any strings and numbers in it, it is refused in one
// sentence, or all its names are known.
#include <cstdint>
#include <string>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/contract/plugin_library.h"
#include "fuzz/input/bytes.h"
#include "fuzz/targets/text_finding.h"

namespace reshape::fuzz {
namespace {

reshape_status refuse(const reshape_request*, reshape_shape*, reshape_message*) {
  return RESHAPE_UNSUPPORTED;
}
reshape_status refuse_tensor(const reshape_request*, DLTensor*, reshape_message*) {
  return RESHAPE_UNSUPPORTED;
}

// The five strings of the description, from five lines; an empty line is a null pointer.
struct Strings {
  std::string line[5];
  const char* at(int number) const { return line[number].empty() ? nullptr : line[number].c_str(); }
};

Strings strings_of(Bytes bytes) {
  Strings strings;
  int number = 0;
  for (const std::uint8_t byte : bytes) {
    if (byte == '\n' && ++number == 5) break;
    if (byte != '\n' && byte != 0) strings.line[number] += static_cast<char>(byte);
  }
  return strings;
}

}  // namespace

void test(Bytes bytes) {
  about_to_read("description");
  FieldReader reader(bytes);
  const std::uint8_t form = reader.byte();
  reshape_plugin table{};
  table.abi_version = (form & 1) != 0 ? reader.byte() : RESHAPE_ABI_VERSION;
  table.struct_size = (form & 2) != 0 ? reader.byte() : sizeof(reshape_plugin);
  reshape_description& said = table.description;
  said.capabilities = (form & 4) != 0 ? static_cast<std::uint32_t>(reader.plain(4)) : reader.byte();
  said.max_rank = static_cast<std::int32_t>(reader.number());
  said.alignment = static_cast<std::uint32_t>(reader.number());
  table.infer_shape = (form & 8) != 0 ? nullptr : refuse;
  table.execute = (form & 16) != 0 ? nullptr : refuse_tensor;
  table.view = (form & 32) != 0 ? nullptr : refuse_tensor;
  const Strings strings = strings_of(reader.rest());
  said.name = strings.at(0);
  said.version = strings.at(1);
  said.dialects = strings.at(2);
  said.element_types = strings.at(3);
  said.pattern_types = strings.at(4);

  const Result<conformance::Capabilities> read = conformance::check_table(&table, "lib.so");
  if (!read) {
    if (read.error().message.empty() || read.error().where != "lib.so") {
      report_text("description", "error", "a sentence and the file", read.error().text());
    }
    return;
  }
  if (table.infer_shape == nullptr || read->name.empty() || read->dialects.empty() ||
      read->element_types.empty() || read->max_rank < 0 ||
      (table.execute == nullptr && !read->shape_only)) {
    report_text("description", "complete", "a usable description", read->name);
  }
}

}  // namespace reshape::fuzz
