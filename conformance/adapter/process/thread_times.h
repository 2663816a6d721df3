#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string_view>
#include <vector>

namespace reshape::conformance {

// The state of a thread.
struct ThreadTime {
  bool wants = false;                  // ready to run, or blocked
  std::chrono::nanoseconds worked{0};  // processor time so far
  bool blocked = false;                // in the kernel: by a disk, or by a child made with vfork()
  long long pages = 0;                 // that a disk had to bring so far

  bool operator==(const ThreadTime&) const = default;
};
using ThreadTimes = std::map<pid_t, ThreadTime>;

// Parses a line of /proc/PID/task/TID/stat.
ThreadTime thread_time_of(std::string_view stat);

// The times of all threads of `processes` and their descendants; of very many only some.
ThreadTimes thread_times(std::vector<pid_t> processes);

// The same for the supervised processes below `process` (see supervisor.h), without the
// supervisors.
ThreadTimes thread_times_below(pid_t process);

}  // namespace reshape::conformance
