#pragma once

#include <sys/types.h>

#include <string_view>
#include <vector>

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

// Kills all that descends from `process`, and not itself, until nothing of it lives.
void end_descendants(pid_t process);

// Kills all children of the calling process but `spared`, and waits for them; what their end leaves
// to this process, its reaper, as well.
void end_children(const std::vector<pid_t>& spared = {});

}  // namespace reshape::conformance
