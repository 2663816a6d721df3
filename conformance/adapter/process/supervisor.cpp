#include "conformance/adapter/process/supervisor.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <optional>

#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/adapter/process/own_process.h"
#include "conformance/adapter/process/process_tree.h"

namespace reshape::conformance {
namespace {

constexpr int kGracePeriod =
    1000;                  // milliseconds that the supervised process has to leave by itself
constexpr int kLook = 50;  // milliseconds between two looks at the processes that were started

[[noreturn]] void end_by(int signal_number) {
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  _exit(128 + signal_number);
}

[[noreturn]] void end_like(int status) {
  if (WIFSIGNALED(status)) end_by(WTERMSIG(status));
  _exit(WEXITSTATUS(status));
}

void close_files(Files files) {
  if (files == Files::kept) return;
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(file);
}

// Raises this process's priority, where allowed, so that it runs even among thousands of busy
// processes; it sleeps nearly all the time. The supervised process was started before and does not
// inherit it.
void come_first() {
  const sched_param lowest = {sched_get_priority_min(SCHED_RR)};
  if (sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest) != 0) {
    setpriority(PRIO_PROCESS, 0, -20);
  }
}

// SIGTERM sent to all processes of a run, as a service manager does: whoever supervises removes the
// folder first, and then ends by it.
volatile sig_atomic_t asked_to_end = 0;

void note_requests_to_end() {
  struct sigaction action = {};
  action.sa_handler = [](int) { asked_to_end = 1; };  // without SA_RESTART: it ends a wait
  sigaction(SIGTERM, &action, nullptr);
}

// An extra process between the runner and the supervisor. When an implementation kills the
// supervisor, PR_SET_PDEATHSIG kills the implementation's process too, but not immediately; until
// then it is reparented to the next subreaper above, which is this process.
[[noreturn]] void stand_between(pid_t supervisor, int channel, Files files) {
  close_files(files);
  close(channel);
  come_first();
  note_requests_to_end();
  int status = 0;
  while (waitpid(supervisor, &status, 0) != supervisor) {
    // An orphan's end, or a signal.
    if (asked_to_end) kill(supervisor, SIGTERM);
  }
  end_children();
  remove_own_folder(own_folder());
  end_like(status);
}

// Waits for the host to end, ends what it left behind, and ends in the same way. When the runner
// closes the connection, the host gets a moment to exit. `own_group`: no other program is in this
// process's group.
[[noreturn]] void keep(pid_t host, int channel, bool own_group) {
  come_first();
  note_requests_to_end();
  TreeGrowth growth(getpid());
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
      // The host made this process its tracer (PTRACE_TRACEME): detach.
      ptrace(PTRACE_DETACH, host, nullptr, WSTOPSIG(status));
    }
    const int bomb = growth.too_many();
    if (bomb != 0 || asked_to_end) {
      end_children();
      remove_own_folder(own_folder());
      end_by(bomb != 0 ? bomb : SIGTERM);
    }
    const auto now = std::chrono::steady_clock::now();
    if (hung_up && now - *hung_up > std::chrono::milliseconds(kGracePeriod)) {
      // First the processes outside of the group (own sessions, daemons), while this process can
      // still find them. Then the whole group, unless it has other programs.
      end_descendants(getpid());
      remove_own_folder(own_folder());
      kill(own_group ? 0 : host, SIGKILL);
    }
    // With no events requested, poll still reports a hang-up.
    pollfd files[] = {{watch, POLLIN, 0}, {hung_up ? -1 : channel, 0, 0}};
    const int patience = watch < 0 ? 5 : kLook;
    if (poll(files, 2, patience) > 0 && files[1].revents != 0) {
      hung_up = std::chrono::steady_clock::now();
    }
  }
}

template <class Resource>
void lower(Resource what, rlim_t most) {
  rlimit limit = {};
  getrlimit(what, &limit);
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  limit.rlim_max = std::min(limit.rlim_max, most);
  setrlimit(what, &limit);
}

// The limit counts all processes of the user, so it leaves room for as many jobs as there are
// processors. It does not bind privileged users, and stops others where the supervisor would be too
// late.
void limit_processes() {
  struct sysinfo machine = {};
  if (sysinfo(&machine) != 0) return;
  const auto processors = static_cast<rlim_t>(get_nprocs_conf());
  const rlim_t most = machine.procs + processors * processors +
                      2 * static_cast<rlim_t>(most_processes() + most_threads());
  lower(RLIMIT_NPROC, most);
}

// Shared memory is not subject to any limit. This makes the kernel kill the implementation's
// process first when memory runs out, instead of the runner or anything else.
void be_ended_first() { std::ofstream("/proc/self/oom_score_adj") << 1000; }

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
  // Orphans of the host, daemons included, are reparented to the supervisor.
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

std::uint64_t most_data_bytes() {
  const auto physical = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 30, kMost = std::uint64_t{8} << 30;
  return std::clamp(physical / 2, kLeast, kMost);
}

void limit_resources() {
  constexpr rlim_t kMostFile = rlim_t{4} << 30;
  lower(RLIMIT_CORE, 0);
  lower(RLIMIT_FSIZE, kMostFile);
  be_ended_first();
  if (kSanitized) return;
  lower(RLIMIT_DATA, most_data_bytes());
  limit_processes();
}

}  // namespace reshape::conformance
