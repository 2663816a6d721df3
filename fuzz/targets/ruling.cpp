// The parsers of an answer and of single elements: any text gives an error that names its place, or
// a value that prints and parses to itself.
#include "reference/tensor/ruling.h"

#include <cstdint>
#include <span>
#include <string_view>

#include "conformance/text/element.h"
#include "conformance/text/line.h"
#include "fuzz/targets/text_finding.h"

namespace reshape::fuzz {
namespace {

void check_ruling(std::string_view said) {
  const Result<Ruling> read = conformance::parse_ruling(said);
  if (!read) {
    if (read.error().message.empty() || !names_a_column(read.error().where, said)) {
      report_text("ruling", "error", "a sentence and a column", read.error().text());
    }
    return;
  }
  const std::string printed = text(*read);
  check_round_trip("ruling", *read, printed, conformance::parse_ruling(printed),
                   [](const Ruling& one) { return text(one); });
  // A produced shape must be permitted by its own ruling.
  if (read->kind == Ruling::Kind::produces && !read->permits(read->shape)) {
    report_text("ruling", "permits", printed, "its own shape is not permitted");
  }
}

void check_element(ElementType type, std::string_view said) {
  const Result<std::uint64_t> read = conformance::parse_element(type, said);
  if (!read) return;
  const int width = bits(type);
  if (width < 64 && (*read >> width) != 0) {
    report_text("element", "width", std::string(said), std::to_string(*read));
  }
  const std::string printed = conformance::print_element(type, *read);
  check_round_trip("element", *read, printed, conformance::parse_element(type, printed),
                   [](std::uint64_t one) { return std::to_string(one); });
}

}  // namespace

void test(std::span<const std::uint8_t> bytes) {
  about_to_read("ruling");
  const std::string_view said = as_text(bytes);
  check_ruling(said);
  for (const ElementType type : kAllElementTypes) check_element(type, said);
}

}  // namespace reshape::fuzz
