#include "conformance/spec/lint.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "conformance/spec/load.h"
#include "conformance/spec/read_suite.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// Whether the rules answer what each case expects, and written-out elements keep their order.
void check(const Document& document, const std::string& folder, LintReport& report) {
  ++report.documents;
  for (const Case& one : document.cases) {
    ++report.cases;
    const auto add = [&](const std::string& message) {
      report.problems.push_back({shortened(one.id + ": " + message), place_of(one, folder)});
    };
    const Ruling answer = ruling_of(document.dialect, one.request);
    if (answer != one.expect) {
      add("the case expects \"" + text(one.expect) + "\" and the rules answer \"" + text(answer) +
          '"');
    }
    if (one.expect_elements && one.request.elements &&
        *one.expect_elements != *one.request.elements) {
      add("the expected elements are not those of the request in the same order");
    }
  }
}

// A mistake in a request or an answer can leave no document that expresses the case.
void check_asked(const SuiteReading& reading, const std::string& folder, LintReport& report) {
  std::set<std::pair<std::string_view, int>> asked;
  for (const Document& document : reading.suite.documents) {
    for (const Case& one : document.cases) asked.emplace(one.file, one.line);
  }
  for (const WrittenCase& one : reading.written) {
    // A sweep is one entry, and some of its requests may be for nobody.
    if (!asked.emplace(one.file, one.line).second) continue;
    report.problems.push_back(
        {shortened(one.name) +
             " is asked of no document: none can express it and has a clause that answers "
             "so, or all were asked it before",
         place_of(one, folder)});
  }
}

}  // namespace

LintReport lint(std::span<const SpecFile> files, const std::string& folder) {
  const SuiteReading reading = read_suite(files, folder);
  LintReport report = lint(reading.suite, folder);
  check_asked(reading, folder, report);
  report.problems.insert(report.problems.begin(), reading.problems.begin(), reading.problems.end());
  for (const Error& problem : reading.problems) {
    const auto same = [&](const Error& other) { return other.text() == problem.text(); };
    if (std::ranges::none_of(reading.conflicts, same)) report.ill_formed.push_back(problem);
  }
  return report;
}

LintReport lint(const Suite& suite, const std::string& folder) {
  LintReport report;
  for (const Document& document : suite.documents) check(document, folder, report);
  return report;
}

Result<Suite> load_suite_to_ask(const std::string& folder) {
  Result<Suite> suite = load_suite(folder);
  if (!suite) return suite;
  const LintReport report = lint(*suite, folder);
  if (!report.problems.empty()) return report.problems.front();
  return suite;
}

}  // namespace reshape::conformance
