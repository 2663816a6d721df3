#include "conformance/command/run_reports.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>

#include "conformance/run/write_file.h"

namespace reshape::conformance {
namespace {

constexpr const char* kStandardOutput = "-";

// However it is written: "." and links are followed, also to a file that is not there yet.
std::string one_name_of(const std::string& path) {
  if (path == kStandardOutput) return path;
  namespace fs = std::filesystem;
  std::error_code failure;
  fs::path at = fs::absolute(path, failure);
  constexpr int kMostLinks = 40;
  for (int link = 0; link < kMostLinks && fs::is_symlink(at, failure); ++link) {
    at = at.parent_path() / fs::read_symlink(at, failure);
  }
  const fs::path canonical = fs::weakly_canonical(at, failure);
  return failure ? path : canonical.string();
}

bool is_special(const std::string& path) {
  std::error_code failure;
  return path != kStandardOutput && std::filesystem::exists(path, failure) &&
         !std::filesystem::is_regular_file(path, failure);
}

}  // namespace

bool has_standard_output(const ReportFiles& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const auto& one) { return one.second == kStandardOutput; });
}

std::optional<Error> check_reports(const ReportFiles& files,
                                   const std::vector<std::string>& others) {
  std::map<std::string, std::string> taken;  // path -> option
  for (const std::string& other : others) {
    const Result<std::string> writable = check_writable(other);
    if (!writable) return writable.error();
    taken[one_name_of(other)] = "the baseline";
  }
  for (const auto& [form, path] : files) {
    if (path != kStandardOutput) {
      const Result<std::string> writable = check_writable(path);
      if (!writable) return writable.error();
    }
    const auto [at, fresh] = taken.insert({one_name_of(path), "--" + form});
    // Devices take what comes.
    if (!fresh && !is_special(path)) {
      return Error{at->second + " and --" + form + " are written to the same file", path};
    }
  }
  return std::nullopt;
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
    const Result<std::string> written = write_file(wanted->second, form.render(runs));
    if (written) continue;
    all = false;
    console.err << "reshape-conformance run: " << written.error().text() << '\n';
  }
  return all;
}

int exit_code_of(Runs runs) {
  constexpr int kAsExpected = 0;
  constexpr int kNotConforming = 1;
  constexpr int kNothingAsked = 4;
  bool nothing = false;
  for (const Report& run : runs) {
    if (!run.conforming()) return kNotConforming;
    nothing |= !run.executed() || !run.complete();
  }
  return nothing ? kNothingAsked : kAsExpected;
}

}  // namespace reshape::conformance
