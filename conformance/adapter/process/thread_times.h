#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string_view>
#include <vector>

namespace reshape::conformance {

// What a thread does, and has done.
struct ThreadTime {
  bool wants = false;  // a processor or a disk: it goes on where the machine lets it
  std::chrono::nanoseconds worked{0};  // processor time until now

  bool operator==(const ThreadTime&) const = default;
};
using ThreadTimes = std::map<pid_t, ThreadTime>;

// Of a line of /proc/PID/task/TID/stat.
ThreadTime thread_time_of(std::string_view stat);

// Of all threads of `processes` and of what descends from these. Of very many some.
ThreadTimes thread_times(std::vector<pid_t> processes);

// The same of what is supervised below `process` (see supervisor.h), without the supervisors.
ThreadTimes thread_times_below(pid_t process);

}  // namespace reshape::conformance
