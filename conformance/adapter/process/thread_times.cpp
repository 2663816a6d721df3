#include "conformance/adapter/process/thread_times.h"

#include <dirent.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <memory>
#include <string>
#include <unordered_set>

#include "conformance/adapter/process/process_tree.h"

namespace reshape::conformance {
namespace {

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
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(tasks.c_str()), closedir);
  if (!folder) return;
  while (const dirent* entry = readdir(folder.get())) {
    if (entry->d_name[0] == '.' || times.size() >= kMostLookedAt) continue;
    std::ifstream file(tasks + '/' + entry->d_name + "/stat");
    std::string line;
    if (!std::getline(file, line)) continue;  // it has ended
    times.emplace(static_cast<pid_t>(number_in(entry->d_name)), thread_time_of(line));
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
  std::unordered_set<pid_t> seen(processes.begin(), processes.end());
  for (std::size_t at = 0; at < processes.size() && times.size() < kMostLookedAt; ++at) {
    add_threads_of(processes[at], times);
    for (const pid_t child : living_children(processes[at])) {
      if (seen.insert(child).second) processes.push_back(child);
    }
  }
  return times;
}

ThreadTimes thread_times_below(pid_t process) {
  std::vector<pid_t> supervised;
  for (const pid_t supervisor : living_children(process)) {
    for (const pid_t child : living_children(supervisor)) supervised.push_back(child);
  }
  return thread_times(std::move(supervised));
}

}  // namespace reshape::conformance
