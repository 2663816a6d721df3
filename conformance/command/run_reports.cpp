#include "conformance/command/run_reports.h"

#include <unistd.h>

#include <algorithm>
#include <ostream>

#include "conformance/command/output_files.h"
#include "conformance/run/write_file.h"

namespace reshape::conformance {
namespace {

bool is_replaced_in(const ReportFiles& files, const ReportForm& form) {
  const auto wanted = files.find(form.name);
  return wanted == files.end() || (!form.vouches && is_replaced(wanted->second));
}

}  // namespace

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
  return std::ranges::any_of(
      files, [](const auto& one) { return descriptor_of(one.second) == STDOUT_FILENO; });
}

bool are_replaced(const ReportFiles& files) {
  return std::ranges::all_of(report_forms(),
                             [&](const ReportForm& form) { return is_replaced_in(files, form); });
}

bool write_reports(const ReportFiles& files, Runs runs, bool finally, Console& console) {
  const bool changed =
      std::ranges::any_of(runs, [](const Report& run) { return run.library_changed; });
  bool all = true;
  for (const ReportForm& form : report_forms()) {
    const auto wanted = files.find(form.name);
    if (wanted == files.end() || (!finally && !is_replaced_in(files, form))) continue;
    if (form.vouches && changed) {
      console.err << "no " << form.name << " is written: the library changed while it was asked\n";
      continue;
    }
    if (wanted->second == kStandardOutput) {
      console.out << form.render(runs);
      continue;
    }
    all &= write_or_refuse(wanted->second, form.render(runs), console);
  }
  return all;
}

int exit_code_of(Runs runs) {
  bool nothing = false;
  for (const Report& run : runs) {
    if (!run.conforming() && !run.library_changed) return kNotConforming;
    nothing |= !run.executed() || !run.complete();
  }
  return nothing ? kNothingAsserted : kAsExpected;
}

}  // namespace reshape::conformance
