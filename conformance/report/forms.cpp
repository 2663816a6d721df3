#include "conformance/report/report.h"

namespace reshape::conformance {
namespace {

std::string whole_text(Runs runs) { return text_report(runs); }

constexpr ReportForm kForms[] = {
    {"text", "the readable summary", whole_text},
    {"json", "every case with its verdict, as JSON (report.schema.json)", json_report},
    {"junit", "JUnit XML, as CI systems read it", junit_report},
};

}  // namespace

std::span<const ReportForm> report_forms() { return kForms; }

}  // namespace reshape::conformance
