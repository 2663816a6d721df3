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
#include <memory>
#include <unordered_set>

#include "conformance/adapter/process/host_exit.h"

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

std::string tasks_of(pid_t process) { return "/proc/" + std::to_string(process) + "/task"; }

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
    visit_trees(roots(), [&](pid_t process) {
      if (known.insert(process).second) {
        kill(process, SIGSTOP);
        all.push_back(process);
        more = true;
      }
      return true;
    });
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
  std::vector<pid_t> children;
  for (const std::string& thread : thread_folders(process)) {
    std::ifstream list(thread + "/children");
    for (pid_t child = 0; list >> child;) {
      if (child != besides && lives(child)) children.push_back(child);
    }
  }
  return children;
}

std::vector<std::string> thread_folders(pid_t process) {
  const std::string tasks = tasks_of(process);
  std::vector<std::string> folders;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(tasks.c_str()), closedir);
  if (!folder) return folders;
  while (const dirent* entry = readdir(folder.get())) {
    if (entry->d_name[0] != '.') folders.push_back(tasks + '/' + entry->d_name);
  }
  return folders;
}

// The link count of /proc/PID/task is 2 plus one for each thread's folder.
int threads_of(pid_t process) {
  struct stat about = {};
  return stat(tasks_of(process).c_str(), &about) == 0 ? static_cast<int>(about.st_nlink) - 2 : 0;
}

void visit_trees(std::vector<pid_t> roots, const std::function<bool(pid_t)>& visit) {
  std::unordered_set<pid_t> seen(roots.begin(), roots.end());
  for (std::size_t at = 0; at < roots.size(); ++at) {
    if (!visit(roots[at])) return;
    for (const pid_t child : living_children(roots[at])) {
      if (seen.insert(child).second) roots.push_back(child);
    }
  }
}

TreeSize tree_size(pid_t process) {
  TreeSize size;
  visit_trees(living_children(process), [&](pid_t one) {
    size.threads += threads_of(one);
    ++size.processes;
    return size.processes <= most_processes() && size.threads <= most_threads();
  });
  return size;
}

int most_processes() { return 256 + 4 * static_cast<int>(get_nprocs_conf()); }
int most_threads() { return 1024 + 64 * static_cast<int>(get_nprocs_conf()); }

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
