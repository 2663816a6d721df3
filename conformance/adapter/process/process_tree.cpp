#include "conformance/adapter/process/process_tree.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

#include "conformance/adapter/process/host_exit.h"
#include "conformance/adapter/process/proc_file.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMostEnding{10};  // after this it gives up
// The tasks of a tree are counted when the machine has this many more than before.
constexpr long kFew = 64;
constexpr int kPause = 2000;  // microseconds between two looks for killed processes

// The letter of its state: 'S' sleeps, 'Z' has ended; 0 where there is none.
char state_of(pid_t process) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(stream, line);
  const std::size_t end = line.rfind(')');  // of the name, which may hold anything
  return end != std::string::npos && end + 2 < line.size() ? line[end + 2] : '\0';
}

// A signal mask in hexadecimal digits.
unsigned long long signals(std::string_view status, std::string_view name) {
  const std::string_view digits = field(status, name);
  unsigned long long mask = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), mask, 16);
  return mask;
}

bool lives(pid_t process) {
  const char state = state_of(process);
  return state != 0 && state != 'Z' && state != 'X';
}

using Roots = std::function<std::vector<pid_t>()>;

// Stops all processes of these trees and returns them. Each process is stopped before its children
// are listed, so that it starts no others: killing one by one would not keep up with a fork bomb.
// Repeats until no new one is found.
std::vector<pid_t> stopped_trees(const Roots& roots, Clock::time_point end) {
  std::vector<pid_t> all;
  std::unordered_set<pid_t> known;
  for (bool more = true; more && Clock::now() < end;) {
    more = false;
    std::vector<pid_t> row = roots();
    std::unordered_set<pid_t> seen(row.begin(), row.end());
    for (std::size_t at = 0; at < row.size(); ++at) {
      if (known.insert(row[at]).second) {
        kill(row[at], SIGSTOP);
        all.push_back(row[at]);
        more = true;
      }
      for (const pid_t child : living_children(row[at])) {
        if (seen.insert(child).second) row.push_back(child);
      }
    }
  }
  return all;
}

void end_trees(const Roots& roots) {
  const Clock::time_point end = Clock::now() + kMostEnding;
  while (!roots().empty() && Clock::now() < end) {
    for (const pid_t one : stopped_trees(roots, end)) kill(one, SIGKILL);
    for (int look = 0; look < 25 && !roots().empty(); ++look) usleep(kPause);
  }
}

}  // namespace

Condition condition_of(std::string_view status) {
  constexpr auto bit = [](int number) { return 1ull << (number - 1); };
  constexpr unsigned long long kHarmless =
      bit(SIGCHLD) | bit(SIGCONT) | bit(SIGURG) | bit(SIGWINCH);
  constexpr unsigned long long kStops = bit(SIGSTOP) | bit(SIGTSTP) | bit(SIGTTIN) | bit(SIGTTOU);
  const std::string_view state = field(status, "State");
  if (state.starts_with('T')) return Condition::stopped;
  if (state.starts_with('Z') || state.starts_with('X')) return Condition::ended;
  const unsigned long long pending = signals(status, "SigPnd") | signals(status, "ShdPnd");
  if ((pending & ~kHarmless & ~kStops) != 0) return Condition::ended;
  return (pending & kStops) != 0 ? Condition::stopped : Condition::lives;
}

std::vector<pid_t> living_children(pid_t process, pid_t besides) {
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  std::vector<pid_t> children;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(tasks.c_str()), closedir);
  if (!folder) return children;
  while (const dirent* entry = readdir(folder.get())) {
    if (entry->d_name[0] == '.') continue;
    std::ifstream list(tasks + '/' + entry->d_name + "/children");
    for (pid_t child = 0; list >> child;) {
      if (child != besides && lives(child)) children.push_back(child);
    }
  }
  return children;
}

TreeSize tree_size(pid_t process) {
  TreeSize size;
  std::vector<pid_t> row = living_children(process);
  std::unordered_set<pid_t> seen(row.begin(), row.end());
  for (std::size_t at = 0; at < row.size(); ++at) {
    // The link count of /proc/PID/task is 2 plus one for each thread's folder.
    struct stat about = {};
    const std::string tasks = "/proc/" + std::to_string(row[at]) + "/task";
    if (stat(tasks.c_str(), &about) == 0) size.threads += static_cast<int>(about.st_nlink) - 2;
    ++size.processes;
    if (size.processes > most_processes() || size.threads > most_threads()) break;
    for (const pid_t child : living_children(row[at])) {
      if (seen.insert(child).second) row.push_back(child);
    }
  }
  return size;
}

int most_processes() { return kMostProcesses + 4 * static_cast<int>(get_nprocs_conf()); }
int most_threads() { return kMostThreads + 64 * static_cast<int>(get_nprocs_conf()); }

int TreeGrowth::too_many() {
  const long now = tasks_of_the_machine();
  fewest_ = std::min(fewest_, now);
  if (now > 0 && now - fewest_ < kFew) return 0;
  const TreeSize size = tree_size(process_);
  if (size.processes > most_processes()) return too_many_processes();
  return size.threads > most_threads() ? too_many_threads() : 0;
}

// The number of tasks, 234 in "0.00 0.01 0.05 1/234 5678" of /proc/loadavg; 0: not available.
long TreeGrowth::tasks_of_the_machine() {
  const std::string_view text = load_.read();
  const std::size_t slash = text.find('/');
  long tasks = 0;
  if (slash != std::string_view::npos) {
    std::from_chars(text.data() + slash + 1, text.data() + text.size(), tasks);
  }
  return tasks;
}

void end_descendants(pid_t process) {
  end_trees([&] { return living_children(process); });
}

void end_children(const std::vector<pid_t>& spared) {
  std::unordered_set<pid_t> ended;
  end_trees([&] {
    std::vector<pid_t> children = living_children(getpid());
    std::erase_if(children, [&](pid_t child) {
      return std::find(spared.begin(), spared.end(), child) != spared.end();
    });
    ended.insert(children.begin(), children.end());
    return children;
  });
  for (const pid_t child : ended) waitpid(child, nullptr, WNOHANG);
  if (spared.empty()) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }
}

}  // namespace reshape::conformance
