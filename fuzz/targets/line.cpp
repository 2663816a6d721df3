// The parser of a request's line: any text gives an error that names a column of it, or a request
// whose line parses to the same request and prints as the same line.
#include "conformance/text/line.h"

#include <cstdint>
#include <span>
#include <string_view>

#include "conformance/model/request.h"
#include "fuzz/targets/text_finding.h"

namespace reshape::fuzz {
namespace {

using conformance::parse_line;
using conformance::print_line;
using conformance::Request;

void check(std::string_view line, std::string_view default_dialect) {
  const Result<Request> read = parse_line(line, default_dialect);
  if (!read) {
    if (read.error().message.empty() || !names_a_column(read.error().where, line)) {
      report_text("line", "error", "a sentence and a column", read.error().text());
    }
    return;
  }
  const std::string printed = print_line(*read);
  const Result<Request> again = parse_line(printed);
  check_round_trip("line", *read, printed, again, print_line);
  if (print_line(*again) != printed) report_text("line", "canonical", printed, print_line(*again));
  // data_bytes() must be defined for every request that has a line.
  static_cast<void>(conformance::data_bytes(*read));
}

}  // namespace

void test(std::span<const std::uint8_t> bytes) {
  about_to_read("line");
  const std::string_view line = as_text(bytes);
  check(line, {});
  check(line, "openvino-reshape-1");
}

}  // namespace reshape::fuzz
