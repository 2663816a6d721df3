#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace reshape::conformance::testing_adapter {

// What `work` returns in a forked child; -1 where the child died of a signal.
inline int in_a_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Waits for that, for twenty seconds at most.
inline bool comes_true(const std::function<bool()>& condition) {
  for (int turn = 0; turn < 2000 && !condition(); ++turn) usleep(10'000);
  return condition();
}

// The number that a process is about to write to this file; 0 where none comes.
inline pid_t pid_in(const std::string& path) {
  pid_t process = 0;
  comes_true([&] {
    std::ifstream(path) >> process;
    return process > 0;
  });
  return process;
}

inline std::ptrdiff_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return std::distance(begin(files), end(files));
}

}  // namespace reshape::conformance::testing_adapter
