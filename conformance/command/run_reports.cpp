#include "conformance/command/run_reports.h"

#include <algorithm>
#include <ostream>

#include "conformance/command/output_files.h"
#include "conformance/run/write_file.h"

namespace reshape::conformance {

void add_report_options(CLI::App& command, ReportFiles& files) {
  for (const ReportForm& form : report_forms()) {
    const std::string name = form.name;
    names_output(command.add_option_function<std::string>(
                     "--" + name, [&files, name](const std::string& file) { files[name] = file; },
                     form.says),
                 StandardOutput::as_well);
  }
}

bool has_standard_output(const ReportFiles& files) {
  return std::any_of(files.begin(), files.end(), [](const auto& one) {
    return one.second == kStandardOutput || one.second == "/dev/stdout";
  });
}

bool are_replaced(const ReportFiles& files) {
  return std::all_of(files.begin(), files.end(),
                     [](const auto& one) { return is_replaced(one.second); });
}

bool write_reports(const ReportFiles& files, Runs runs, bool finally, Console& console) {
  bool all = true;
  for (const ReportForm& form : report_forms()) {
    const auto wanted = files.find(form.name);
    if (wanted == files.end()) continue;
    if (wanted->second == kStandardOutput) {
      if (finally) console.out << form.render(runs);
      continue;
    }
    if (!finally && !is_replaced(wanted->second)) continue;
    all &= write_or_refuse(wanted->second, form.render(runs), console);
  }
  return all;
}

int exit_code_of(Runs runs) {
  bool nothing = false;
  for (const Report& run : runs) {
    if (!run.conforming()) return kNotConforming;
    nothing |= !run.executed() || !run.complete();
  }
  return nothing ? kNothingAsserted : kAsExpected;
}

}  // namespace reshape::conformance
