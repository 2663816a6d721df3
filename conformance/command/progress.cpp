#include "conformance/command/progress.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <ostream>

#include "conformance/adapter/process/patience.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kEarly = 5;  // seconds of a run, before which the rest is not estimated
constexpr double kLong = 20;  // seconds left that are worth a sentence
constexpr const char* kWipe = "\r\x1b[K";

std::ostream* g_terminal = nullptr;

std::string rounded(double seconds) {
  const long long whole = std::llround(seconds);
  return whole < 100 ? std::to_string(whole) + " s" : std::to_string((whole + 30) / 60) + " min";
}

// Overwrites the line, cut to the width of the terminal: of a line that wraps, only the last row
// could be wiped.
void write_over(std::ostream& terminal, const std::string& line) {
  constexpr std::size_t kUsual = 80;
  const std::size_t columns = std::max<std::size_t>(columns_of(STDERR_FILENO, kUsual), 2);
  terminal << kWipe << line.substr(0, columns - 1);
  terminal.flush();
}

}  // namespace

std::optional<double> seconds_left(const Progress& progress, double spent) {
  constexpr int kTelling = 20;  // least executed cases; the first ones may be the largest
  constexpr double kLate = 30;  // seconds after which a single case is enough
  if (progress.executed < (spent < kLate ? kTelling : 1)) return std::nullopt;
  return spent / progress.executed * (progress.planned - progress.done);
}

void show_progress(const std::string& line) {
  if (g_terminal != nullptr) write_over(*g_terminal, line);
}

void set_progress_stream(std::ostream& terminal) { g_terminal = &terminal; }

std::function<void(const Progress&)> case_progress(Console& console) {
  const auto begin = Clock::now();
  if (g_terminal == nullptr) {
    return [&err = console.err, begin, told = false](const Progress& progress) mutable {
      const double spent = elapsed_seconds(begin);
      const std::optional<double> left = seconds_left(progress, spent);
      if (told || spent < kEarly || left.value_or(0) < kLong) return;
      told = true;
      err << "reshape-conformance run: " << progress.done << " of " << progress.planned
          << " cases in " << rounded(spent) << ", about " << rounded(*left)
          << " more; --time-limit SECONDS ends a run\n";
      err.flush();
    };
  }
  return [&out = *g_terminal, begin, last = -1](const Progress& progress) mutable {
    const int percent = progress.done * 100 / std::max(progress.planned, 1);
    if (percent == last && progress.done != progress.planned) return;
    last = percent;
    std::string line =
        "  " + std::to_string(progress.done) + " of " + std::to_string(progress.planned) + " cases";
    if (progress.failed > 0) line += ", " + std::to_string(progress.failed) + " failed";
    const double spent = elapsed_seconds(begin);
    const std::optional<double> left = seconds_left(progress, spent);
    if (spent > 1 && left) line += ", about " + rounded(*left) + " more";
    write_over(out, progress.done == progress.planned ? "" : line);
  };
}

std::function<void(int done, int all)> counted_progress(const std::string& what) {
  if (g_terminal == nullptr) return [](int, int) {};
  auto one_at_a_time = std::make_shared<std::mutex>();
  return [&out = *g_terminal, what, one_at_a_time](int done, int all) {
    const std::lock_guard lock(*one_at_a_time);
    write_over(out, done == all
                        ? ""
                        : "  " + std::to_string(done) + " of " + std::to_string(all) + ' ' + what);
  };
}

}  // namespace reshape::conformance
