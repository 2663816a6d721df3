#include "conformance/spec/lint.h"

#include "conformance/oracle/ruling_of.h"
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
  report.problems.insert(report.problems.begin(), reading.problems.begin(), reading.problems.end());
  return report;
}

LintReport lint(const Suite& suite, const std::string& folder) {
  LintReport report;
  Linter linter(folder, report);
  for (const Document& document : suite.documents) linter.check(document);
  return report;
}

}  // namespace reshape::conformance
