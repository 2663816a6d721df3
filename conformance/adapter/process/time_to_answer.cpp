#include "conformance/adapter/process/time_to_answer.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <utility>

#include "conformance/adapter/process/process_tree.h"

namespace reshape::conformance {
namespace {

using Clock = TimeToAnswer::Clock;
using std::chrono::milliseconds;

constexpr double kTimesLonger = 4;
constexpr double kMostSeconds = 1e6;
constexpr milliseconds kLeastEach{10}, kMostEach{250};  // between two looks

Clock::duration as_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::clamp(seconds, 0.0, kMostSeconds)));
}

// Whether a thread got nothing done because it is blocked: who waits for a disk is given pages, and
// who waits for a child of vfork() waits for the implementation itself.
bool is_stuck(const ThreadTime& before, const ThreadTime& now) {
  return before.blocked && now.blocked && before.worked == now.worked && before.pages == now.pages;
}

constexpr std::size_t kMostLookedAt = 4096;  // threads

// The word at this index, counted from 0.
std::string_view word(std::string_view text, int number) {
  for (; number > 0 && !text.empty(); --number) {
    text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
  }
  return text.substr(0, text.find(' '));
}

long long number_in(std::string_view digits) {
  long long number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

void add_threads_of(pid_t process, ThreadTimes& times) {
  for (const std::string& thread : thread_folders(process)) {
    if (times.size() >= kMostLookedAt) return;
    std::ifstream file(thread + "/stat");
    std::string line;
    if (!std::getline(file, line)) continue;  // it has ended
    times.emplace(static_cast<pid_t>(number_in(line)), thread_time_of(line));
  }
}

}  // namespace

ThreadTime thread_time_of(std::string_view stat) {
  // Behind the name (which may contain anything): the state, ten numbers, of which the ninth counts
  // major page faults, and the ticks in user and kernel mode.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos || name_end + 2 >= stat.size()) return {};
  stat.remove_prefix(name_end + 2);
  static const long long ticks = sysconf(_SC_CLK_TCK);
  const long long worked = number_in(word(stat, 11)) + number_in(word(stat, 12));
  const bool blocked = stat[0] == 'D';
  return {stat[0] == 'R' || blocked, std::chrono::nanoseconds(1'000'000'000 / ticks * worked),
          blocked, number_in(word(stat, 9))};
}

ThreadTimes thread_times(std::vector<pid_t> processes) {
  ThreadTimes times;
  visit_trees(std::move(processes), [&](pid_t process) {
    add_threads_of(process, times);
    return times.size() < kMostLookedAt;
  });
  return times;
}

ThreadTimes thread_times_below(pid_t process) {
  std::vector<pid_t> supervised;
  for (const pid_t supervisor : living_children(process)) {
    for (const pid_t child : living_children(supervisor)) supervised.push_back(child);
  }
  return thread_times(std::move(supervised));
}

TimeToAnswer::TimeToAnswer(double seconds, double longer)
    : limit_(as_duration(seconds)),
      each_(std::clamp<Clock::duration>(limit_ / 20, kLeastEach, kMostEach)),
      began_(Clock::now()),
      end_(began_ + limit_ + as_duration(longer)),
      looked_(began_) {}

int TimeToAnswer::milliseconds_to_look() const {
  const auto next =
      std::min(looked_ + std::clamp<Clock::duration>(limit_ - counted_, kLeastEach, each_), end_);
  const auto left = std::chrono::ceil<milliseconds>(next - Clock::now());
  return static_cast<int>(std::max<milliseconds::rep>(left.count(), 0));
}

bool TimeToAnswer::is_over(const Look& look) {
  if (over_ || milliseconds_to_look() > 0) return over_;
  const Clock::time_point now = Clock::now();
  const Clock::duration passed = now - looked_;
  looked_ = now;
  // An interval that took much longer than planned was a standstill of this program.
  counted_ += let_work(std::min(passed, 2 * each_), look());
  over_ = counted_ >= limit_ || now >= end_;
  return over_;
}

double TimeToAnswer::seconds_longer() const {
  return std::max(0.0, std::chrono::duration<double>(looked_ - began_ - counted_).count());
}

// The part of `passed` that counts. All of it before the first look, and where the machine gives no
// information.
Clock::duration TimeToAnswer::let_work(Clock::duration passed, ThreadTimes now) {
  bool wants = false;
  std::chrono::nanoseconds worked{0};
  for (const auto& [thread, time] : now) {
    const auto before = before_.find(thread);
    if (before == before_.end())
      continue;  // a new thread; one that always changes is not waiting for a processor
    wants |= (time.wants || before->second.wants) && !is_stuck(before->second, time);
    worked += time.worked - before->second.worked;
  }
  const bool first = before_.empty();
  before_ = std::move(now);
  return first || !wants ? passed : std::min<Clock::duration>(passed, worked);
}

TimeToAnswer Leniency::within(double seconds) const {
  return {seconds, std::clamp(kTimesLonger * seconds, 0.0, std::max(left_, 0.0))};
}

TimeToAnswer lenient_time(double seconds) { return {seconds, kTimesLonger * seconds}; }

}  // namespace reshape::conformance
