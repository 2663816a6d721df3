#include "conformance/spec/lint.h"

#include <set>
#include <string_view>
#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "conformance/spec/load.h"
#include "conformance/spec/read_suite.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

class Linter {
 public:
  Linter(const std::string& folder, LintReport& report) : folder_(folder), report_(report) {}

  void check(const Document& document) {
    ++report_.documents;
    for (const Case& one : document.cases) {
      ++report_.cases;
      agrees_with_the_rules(document, one);
      keeps_its_elements(one);
    }
  }

  // A mistake in a request or an answer can leave no document that expresses the case.
  void check_asked(const SuiteReading& reading) {
    std::set<std::pair<std::string_view, int>> asked;
    for (const Document& document : reading.suite.documents) {
      for (const Case& one : document.cases) asked.emplace(one.file, one.line);
    }
    for (const WrittenCase& one : reading.written) {
      // A sweep is one entry, and some of its requests may be for nobody.
      if (!asked.emplace(one.file, one.line).second) continue;
      report_.problems.push_back(
          {one.name + " is asked of no document: none can express it and has a clause that answers "
                      "so, or all were asked it before",
           folder_ + '/' + one.file + ':' + std::to_string(one.line)});
    }
  }

 private:
  std::string place(const Case& one) const {
    return folder_ + '/' + one.file + ':' + std::to_string(one.line);
  }
  void add(const Case& one, std::string message) {
    report_.problems.push_back({one.id + ": " + std::move(message), place(one)});
  }

  void agrees_with_the_rules(const Document& document, const Case& one) {
    const Ruling answer = ruling_of(document.dialect, one.request);
    if (answer == one.expect) return;
    add(one, "the case expects \"" + text(one.expect) + "\" and the rules answer \"" +
                 text(answer) + '"');
  }

  void keeps_its_elements(const Case& one) {
    if (one.expect_elements && one.request.elements &&
        *one.expect_elements != *one.request.elements) {
      add(one, "the expected elements are not those of the request in the same order");
    }
  }

  const std::string& folder_;
  LintReport& report_;
};

}  // namespace

LintReport lint(std::span<const SpecFile> files, const std::string& folder) {
  const SuiteReading reading = read_suite(files, folder);
  LintReport report = lint(reading.suite, folder);
  Linter(folder, report).check_asked(reading);
  report.problems.insert(report.problems.begin(), reading.problems.begin(), reading.problems.end());
  return report;
}

LintReport lint(const Suite& suite, const std::string& folder) {
  LintReport report;
  Linter linter(folder, report);
  for (const Document& document : suite.documents) linter.check(document);
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
