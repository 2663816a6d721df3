#include "conformance/report/evidence.h"
#include "conformance/report/report.h"

namespace reshape::conformance {
namespace {

std::string whole_text(Runs runs) { return text_report(runs); }

constexpr ReportForm kForms[] = {
    {"text", "the readable summary", whole_text},
    {"json", "every case with its verdict, as JSON (report.schema.json)", json_report},
    {"junit", "JUnit XML, as CI systems read it", junit_report},
    {"html", "one page to read in a browser: clauses, failures, cases", html_report},
    {"sarif", "SARIF 2.1.0, as code scanning reads it", sarif_report},
    {"summary", "Markdown for the summary of a CI step", summary_report},
    {"evidence", "the report with digests of suite, program and library, for verify",
     evidence_report},
    {"badge", "an SVG for a README: how many cases pass", badge_report},
};

}  // namespace

std::span<const ReportForm> report_forms() { return kForms; }

}  // namespace reshape::conformance
