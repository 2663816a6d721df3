#pragma once

#include <sys/types.h>

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/adapter/process/proc_file.h"

namespace reshape::conformance {

// The state of a process, including pending signals: it stops or ends only when it gets a
// processor, which may be later. For a process that handles no signals.
enum class Condition { lives, stopped, ended };
// `status`: its /proc/PID/status.
Condition condition_of(std::string_view status);

// The living children of `process`, in sessions of their own or not; including orphans, where
// `process` is their reaper (PR_SET_CHILD_SUBREAPER). Empty where the kernel does not list
// children. `besides` is left out.
std::vector<pid_t> living_children(pid_t process, pid_t besides = 0);

// The folder in /proc of each thread of a process; none where it has ended.
std::vector<std::string> thread_folders(pid_t process);
// How many threads it has; less than 1 where it has ended.
int threads_of(pid_t process);

// Calls `visit` for these processes and all below them, until it returns false.
void visit_trees(std::vector<pid_t> roots, const std::function<bool(pid_t)>& visit);

// The most descendants of one supervisor at a time: enough for several processes on each processor,
// some with large thread pools. More count as a fork or thread bomb.
int most_processes();
int most_threads();

// The number of descendants of `process`; stops counting when there are too many.
struct TreeSize {
  int processes = 0;
  int threads = 0;  // of these processes
};
TreeSize tree_size(pid_t process);

// Checks repeatedly whether the descendants of a process are a fork or thread bomb.
class TreeGrowth {
 public:
  explicit TreeGrowth(pid_t process) : process_(process) {}
  // The signal that reports the bomb (see host_exit.h); 0: there is none.
  int too_many();

 private:
  long tasks_of_the_machine();

  pid_t process_;
  ProcFile load_{"/proc/loadavg"};
  long fewest_ = std::numeric_limits<long>::max();
};

// Kills all descendants of `process` (not itself) until none lives, for at most ten seconds. Stops
// all of them first, so that none forks meanwhile.
void end_descendants(pid_t process);

// In the same way kills and waits for all children of the calling process except `spared`, and for
// the orphans that this process inherits as their reaper.
void end_children(const std::vector<pid_t>& spared = {});

}  // namespace reshape::conformance
