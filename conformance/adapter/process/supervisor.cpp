#include "conformance/adapter/process/supervisor.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>

#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/adapter/process/pidfd.h"
#include "conformance/adapter/process/process_tree.h"

namespace reshape::conformance {
namespace {

constexpr int kGracePeriod =
    1000;  // milliseconds that the supervised process has to leave by itself

[[noreturn]] void end_like(int status) {
  if (WIFSIGNALED(status)) {
    const int signal_number = WTERMSIG(status);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    _exit(128 + signal_number);
  }
  _exit(WEXITSTATUS(status));
}

void close_files(Files files) {
  if (files == Files::kept) return;
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(file);
}

// Stands between the runner and the supervisor. Whose parent is killed is killed as well, but not in the same
// moment, and until then its parent is the next process above that takes in orphans. Here that is this one.
[[noreturn]] void stand_between(pid_t supervisor, int channel, Files files) {
  close_files(files);
  close(channel);
  int status = 0;
  while (waitpid(supervisor, &status, 0) != supervisor) {
    // An orphan's end, or a signal.
  }
  end_children();
  remove_own_folder(own_folder());
  end_like(status);
}

// Waits for the end of the host, ends what it left behind, and ends like it. When the runner closes the
// connection the host has a moment to leave. `own_group`: nothing else is in this process's group.
[[noreturn]] void keep(pid_t host, int channel, bool own_group) {
  const int watch = open_pidfd(host);
  std::optional<std::chrono::steady_clock::time_point> hung_up;
  while (true) {
    int status = 0;
    if (waitpid(host, &status, WNOHANG) == host) {
      if (!WIFSTOPPED(status)) {
        end_children();
        remove_own_folder(own_folder());
        end_like(status);
      }
      // It had itself traced by its parent, who has no wish to.
      ptrace(PTRACE_DETACH, host, nullptr, WSTOPSIG(status));
    }
    const auto now = std::chrono::steady_clock::now();
    if (hung_up && now - *hung_up > std::chrono::milliseconds(kGracePeriod)) {
      // What left the group (a session of its own, a daemon), while there is somebody to find it. Then all that
      // the host started, unless a person started it from a group of other programs.
      end_descendants(getpid());
      remove_own_folder(own_folder());
      kill(own_group ? 0 : host, SIGKILL);
    }
    // Without the events asked for, poll still tells that the other side hung up.
    pollfd files[] = {{watch, POLLIN, 0}, {hung_up ? -1 : channel, 0, 0}};
    const int patience = watch < 0 ? 5 : hung_up ? 50 : -1;
    if (poll(files, 2, patience) > 0 && files[1].revents != 0) {
      hung_up = std::chrono::steady_clock::now();
    }
  }
}

}  // namespace

bool fork_supervised(int channel, Files files) {
  const bool own_group = getpgrp() == getpid();
  const pid_t between = getpid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t forked = fork();
  if (forked < 0) return false;
  if (forked > 0) stand_between(forked, channel, files);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != between) _exit(1);

  const pid_t supervisor = getpid();
  // What the host starts and lets go of, daemons among it, comes back to the supervisor.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t host = fork();
  if (host < 0) return false;
  if (host > 0) {
    close_files(files);
    keep(host, channel, own_group);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  errno = 0;
  return getppid() == supervisor;
}

void limit_resources() {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (kSanitized) return;
  const auto physical =
      static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  const rlim_t most = std::clamp<rlim_t>(physical / 2, rlim_t{1} << 30, rlim_t{8} << 30);
  rlimit limit = {};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  limit.rlim_max = std::min(limit.rlim_max, most);
  setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace reshape::conformance
