// The reader of a folder like specs/. An input has several files, each after a line "#: path". With
// any content, every mistake is an error that names a file; without a mistake, every case has a
// request and an answer that print and parse to themselves.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/spec/lint.h"
#include "conformance/spec/read_suite.h"
#include "conformance/text/line.h"
#include "fuzz/targets/text_finding.h"

namespace reshape::fuzz {
namespace {

constexpr std::string_view kMark = "#: ";
constexpr std::string_view kFolder = "specs";

// Text before the first "#:" line is suite.yaml, so that any input is a folder.
std::vector<conformance::SpecFile> files_of(std::string_view input) {
  std::vector<conformance::SpecFile> files = {{"suite.yaml", ""}};
  while (!input.empty()) {
    const std::size_t end = input.find('\n');
    const std::string_view line = input.substr(0, end);
    input = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
    if (line.starts_with(kMark)) {
      files.push_back({std::string(line.substr(kMark.size())), ""});
    } else {
      files.back().text.append(line).append("\n");
    }
  }
  return files;
}

void check_case(const conformance::Case& one) {
  const std::string line = conformance::print_line(one.request);
  const Result<conformance::Request> request = conformance::parse_line(line);
  if (!request || *request != one.request) {
    report_text("spec_yaml", "request", one.id, line);
  }
  const std::string answer = text(one.expect);
  const Result<Ruling> ruling = conformance::parse_ruling(answer);
  if (!ruling || *ruling != one.expect) report_text("spec_yaml", "expect", one.id, answer);
}

// A case that was read without an error must be complete.
void check_whole(const conformance::Case& one) {
  if (!one.id.empty() && !one.clauses.empty() && !one.source.kind.empty()) return;
  report_text("spec_yaml", "case", "id, clauses, source", conformance::print_line(one.request));
}

}  // namespace

void test(std::span<const std::uint8_t> bytes) {
  about_to_read("spec_yaml");
  const std::vector<conformance::SpecFile> files = files_of(as_text(bytes));
  const conformance::SuiteReading reading = conformance::read_suite(files, std::string(kFolder));
  for (const Error& problem : reading.problems) {
    if (problem.message.empty() || !problem.where.starts_with(kFolder)) {
      report_text("spec_yaml", "error", "a sentence and a file", problem.text());
    }
  }
  for (const conformance::Document& document : reading.suite.documents) {
    for (const conformance::Case& one : document.cases) {
      check_case(one);
      if (reading.problems.empty()) check_whole(one);
    }
  }
  const conformance::LintReport report = conformance::lint(files, std::string(kFolder));
  if (report.problems.size() < reading.problems.size()) {
    report_text("spec_yaml", "lint", std::to_string(reading.problems.size()) + " problems",
                std::to_string(report.problems.size()));
  }
}

}  // namespace reshape::fuzz
