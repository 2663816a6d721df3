#pragma once

#include <sys/types.h>

#include <limits>
#include <string_view>
#include <vector>

#include "conformance/adapter/process/proc_file.h"

namespace reshape::conformance {

// What a signal has made of a process, or is about to: it stops or ends when it is given a processor,
// which may be later than whoever sent the signal looks. For a process that handles no signal.
enum class Condition { lives, stopped, ended };
// `status`: its /proc/PID/status.
Condition condition_of(std::string_view status);

// Processes that `process` started, in sessions of their own or not, and that have not ended. Those
// whose own parent ended are among them where `process` is their reaper (PR_SET_CHILD_SUBREAPER).
// Empty where the kernel does not list children. `besides` is left out, without a look at it.
std::vector<pid_t> living_children(pid_t process, pid_t besides = 0);

// What descends from one supervisor at a time, and no more: room for a process on each processor several times over,
// and for the threads of a large pool in some of them. More is a bomb, and would fill the machine.
inline constexpr int kMostProcesses = 256;  // and 4 for each processor
inline constexpr int kMostThreads = 1024;   // and 64 for each processor
int most_processes();
int most_threads();

// How many descend from `process`; once there are too many of either it is not counted on.
struct TreeSize {
  int processes = 0;
  int threads = 0;  // of these processes
};
TreeSize tree_size(pid_t process);

// Looks whether what descends from a process is a bomb.
class TreeGrowth {
 public:
  explicit TreeGrowth(pid_t process) : process_(process) {}
  // The signal that says so (see host_exit.h); 0: it is none.
  int too_many();

 private:
  long tasks_of_the_machine();

  pid_t process_;
  ProcFile load_{"/proc/loadavg"};
  long fewest_ = std::numeric_limits<long>::max();
};

// Kills all that descends from `process`, and not itself, until nothing of it lives, for ten seconds at most: all
// of it is stopped first, so that nothing forks in the meantime.
void end_descendants(pid_t process);

// In the same way kills all children of the calling process but `spared`, and waits for them; what their end
// leaves to this process, its reaper, as well.
void end_children(const std::vector<pid_t>& spared = {});

}  // namespace reshape::conformance
