#include "conformance/adapter/process/process_tree.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "conformance/adapter/process/proc_file.h"

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

// The signals of a mask that is told in hexadecimal digits.
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

void add_descendants(pid_t process, std::vector<pid_t>& all) {
  for (const pid_t child : living_children(process)) {
    if (std::find(all.begin(), all.end(), child) != all.end()) continue;
    all.push_back(child);
    add_descendants(child, all);
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
