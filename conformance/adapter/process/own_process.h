#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reshape::conformance {

// Starting and ending further processes of this program: hosts, and the supervisors of children.

void close_if_open(int& file);

// A descriptor that becomes readable when the process ends, or -1 where the system has none.
int open_pidfd(pid_t process);

// Moves `file` to a descriptor above those that spawn_self reassigns, and closes the old one. -1:
// none is free.
int moved_up(int file);

// Forbids other processes of this user to trace this one, and to open its memory and its files
// (/proc/PID/mem, /proc/PID/fd): a library could make the program print a verdict and end with 0.
// Root may still do so. What is executed from here on is open again.
void forbid_tracing();

// Starts this program with `words`, in a process group of its own and without blocked signals. Its
// descriptors 0, 1, 2 and so on are `files` (-1: empty input), which must have been moved up, and
// no others. This process forbids tracing before. `folder` is its working directory; empty: the
// current one. Returns 0 or an errno.
int spawn_self(std::vector<std::string> words, const std::vector<int>& files,
               const std::string& folder, pid_t& process);

enum class End {
  in_peace,  // it was asked to leave, and gets a moment for that
  dying,     // its connection is broken, so the reason follows at once
  by_force,  // it is killed here and now
};

// How a process ended.
struct Ended {
  std::optional<int> status;  // of waitpid, where it ended by itself
  std::string limit;          // of the shell or the container that ended it, in words, or nothing
};

// Ends `process`, its group and all that it started. Meanwhile calls `read` for `files` with input,
// so that the process does not block while printing; if it returns false (end of file), the file is
// closed. `watch` becomes readable when the process ends (-1: not available). `ended_before`:
// ended_for_memory() at its start.
Ended end_process(pid_t process, int watch, End how, std::uint64_t ended_before,
                  const std::vector<int*>& files, const std::function<bool(int file)>& read);

}  // namespace reshape::conformance
