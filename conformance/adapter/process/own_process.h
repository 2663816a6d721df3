#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reshape::conformance {

// How this program starts itself once more, and how such a process ends: a host, or the supervisor of a child.

void close_if_open(int& file);

// A number for `file` above those that spawn_self gives new meanings; `file` is closed. -1: there is none free.
int moved_up(int file);

// Starts this program with `words`, in a process group of its own and with no blocked signals. It has `files` as its
// descriptors 0, 1, 2 and so on (-1: nothing to read) and no others; they have been moved up. `folder` is where it
// works, empty: where this program does. The value is 0, or what errno would be.
int spawn_self(std::vector<std::string> words, const std::vector<int>& files,
               const std::string& folder, pid_t& process);

enum class End {
  in_peace,  // it was asked to leave, and gets a moment for that
  dying,     // its connection is broken, so the reason follows at once
  by_force,  // it is killed here and now
};

// What became of a process that has been ended.
struct Ended {
  std::optional<int> status;  // of waitpid, where it ended by itself
  std::string limit;          // of the shell or the container that ended it, in words, or nothing
};

// Ends `process`, its group and all that it started. Until it has gone by itself, `files` are read by `read`, so that
// what it prints on its way out does not block it; false: such a file is at its end, and is closed. `watch` becomes
// readable when the process ends (-1: not available). `ended_before`: ended_for_memory() at its start.
Ended end_process(pid_t process, int watch, End how, std::uint64_t ended_before,
                  const std::vector<int*>& files, const std::function<bool(int file)>& read);

}  // namespace reshape::conformance
