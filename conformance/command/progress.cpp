#include "conformance/command/progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <ostream>

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kEarly = 5;  // seconds after which the rest can be told
constexpr double kLong = 20;  // a rest that is worth a sentence
constexpr const char* kWipe = "\r\x1b[K";

std::ostream* g_terminal = nullptr;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// At the pace so far.
double seconds_left(const Progress& progress, double spent) {
  if (progress.executed == 0) return 0;
  return spent / progress.executed * (progress.planned - progress.done);
}

std::string rounded(double seconds) {
  const long long whole = std::llround(seconds);
  return whole < 100 ? std::to_string(whole) + " s" : std::to_string((whole + 30) / 60) + " min";
}

}  // namespace

std::ostream* progress_stream() { return g_terminal; }
void set_progress_stream(std::ostream& terminal) { g_terminal = &terminal; }

std::function<void(const Progress&)> case_progress(Console& console) {
  const auto begin = Clock::now();
  if (g_terminal == nullptr) {
    return [&err = console.err, begin, told = false](const Progress& progress) mutable {
      const double spent = seconds_since(begin);
      const double left = seconds_left(progress, spent);
      if (told || spent < kEarly || left < kLong) return;
      told = true;
      err << "reshape-conformance run: " << progress.done << " of " << progress.planned
          << " cases in " << rounded(spent) << ", about " << rounded(left)
          << " more; --time-limit SECONDS ends a run\n";
      err.flush();
    };
  }
  return [&out = *g_terminal, begin, last = -1](const Progress& progress) mutable {
    const int percent = progress.done * 100 / std::max(progress.planned, 1);
    if (percent == last && progress.done != progress.planned) return;
    last = percent;
    out << "\r\x1b[K  " << progress.done << " of " << progress.planned << " cases";
    if (progress.failed > 0) out << ", " << progress.failed << " failed";
    const double spent = seconds_since(begin);
    if (spent > 1) out << ", about " << rounded(seconds_left(progress, spent)) << " more";
    if (progress.done == progress.planned) out << kWipe;
    out.flush();
  };
}

std::function<void(int done, int all)> counted_progress(const std::string& what) {
  if (g_terminal == nullptr) return [](int, int) {};
  auto one_at_a_time = std::make_shared<std::mutex>();
  return [&out = *g_terminal, what, one_at_a_time](int done, int all) {
    const std::lock_guard lock(*one_at_a_time);
    out << "\r\x1b[K  " << done << " of " << all << ' ' << what;
    if (done == all) out << kWipe;
    out.flush();
  };
}

}  // namespace reshape::conformance
