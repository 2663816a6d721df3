#include "conformance/adapter/process/process_tree.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

namespace reshape::conformance {
namespace {

// What forks faster than it is killed is left after so many rounds.
constexpr int kMostRounds = 200;
constexpr int kPause = 2000;  // microseconds, for the killed to be gone

// The letter of its state: 'S' sleeps, 'Z' has ended; 0 where there is none.
char state_of(pid_t process) {
  std::ifstream stream("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(stream, line);
  const std::size_t end = line.rfind(')');  // of the name, which may hold anything
  return end != std::string::npos && end + 2 < line.size() ? line[end + 2] : '\0';
}

bool lives(pid_t process) {
  const char state = state_of(process);
  return state != 0 && state != 'Z' && state != 'X';
}

void add_descendants(pid_t process, std::vector<pid_t>& all) {
  for (const pid_t child : living_children(process)) {
    if (std::find(all.begin(), all.end(), child) != all.end()) continue;
    all.push_back(child);
    add_descendants(child, all);
  }
}

}  // namespace

Condition condition_of(pid_t process) {
  constexpr auto bit = [](int number) { return 1ull << (number - 1); };
  constexpr unsigned long long kHarmless =
      bit(SIGCHLD) | bit(SIGCONT) | bit(SIGURG) | bit(SIGWINCH);
  constexpr unsigned long long kStops = bit(SIGSTOP) | bit(SIGTSTP) | bit(SIGTTIN) | bit(SIGTTOU);
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  unsigned long long pending = 0;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:\tT")) return Condition::stopped;
    if (line.starts_with("State:\tZ") || line.starts_with("State:\tX")) return Condition::ended;
    if (line.starts_with("SigPnd:") || line.starts_with("ShdPnd:")) {
      pending |= std::strtoull(line.c_str() + 7, nullptr, 16);
    }
  }
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

void end_descendants(pid_t process) {
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<pid_t> all;
    add_descendants(process, all);
    if (all.empty()) return;
    for (const pid_t one : all) kill(one, SIGKILL);
    if (round > 0) usleep(kPause);
  }
}

void end_children(const std::vector<pid_t>& spared) {
  const auto is_spared = [&](pid_t child) {
    return std::find(spared.begin(), spared.end(), child) != spared.end();
  };
  for (int round = 0; round < kMostRounds; ++round) {
    bool any = false;
    for (const pid_t child : living_children(getpid())) {
      if (is_spared(child)) continue;
      any = true;
      end_descendants(child);
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    if (!any) break;
  }
  if (spared.empty()) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }
}

}  // namespace reshape::conformance
