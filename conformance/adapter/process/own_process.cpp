#include "conformance/adapter/process/own_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>

#include "conformance/adapter/process/process_tree.h"
#include "conformance/adapter/process/signal_name.h"
#include "conformance/adapter/process/time_to_answer.h"

extern char** environ;

namespace reshape::conformance {
namespace {

using Deadline = std::chrono::steady_clock::time_point;
constexpr int kHighest = 3;           // the highest descriptor that a started process uses
constexpr double kGracePeriod = 1.5;  // seconds to run destructors in
// Many processes may be ended along with it, and a large one takes time to exit after closing its
// files.
constexpr std::chrono::seconds kAgony{2};

// Collects processes of this group, and of those ended shortly before, that became children of this
// program, a subreaper, when their parents ended. They would stay zombies, which count against the
// limit of processes.
void collect_orphans(pid_t group) {
  struct Group {
    pid_t id;
    Deadline until;
  };
  static std::mutex guard;
  static std::vector<Group> groups;
  const std::lock_guard lock(guard);
  const Deadline now = std::chrono::steady_clock::now();
  groups.push_back({group, now + kAgony});
  std::erase_if(groups, [&](const Group& one) {
    pid_t ended = 0;
    while ((ended = waitpid(-one.id, nullptr, WNOHANG)) > 0) {
    }
    return ended < 0 && now > one.until;
  });
}

}  // namespace

void close_if_open(int& file) {
  if (file >= 0) close(file);
  file = -1;
}

// Called directly, because the C library's header of Debian 12 declares it for C only.
int open_pidfd(pid_t process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
#else
  static_cast<void>(process);
  return -1;
#endif
}

int moved_up(int file) {
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, kHighest + 1);
  const int error = errno;
  close(file);
  errno = error;
  return moved;
}

void forbid_tracing() { prctl(PR_SET_DUMPABLE, 0); }

int spawn_self(std::vector<std::string> words, const std::vector<int>& files,
               const std::string& folder, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int number = 0; number < static_cast<int>(files.size()); ++number) {
    const int file = files[static_cast<std::size_t>(number)];
    if (file < 0) {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDONLY, 0);
    } else {
      posix_spawn_file_actions_adddup2(&actions, file, number);
    }
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, static_cast<int>(files.size()));
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  forbid_tracing();
  const int error =
      posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

Ended end_process(pid_t process, int watch, End how, std::uint64_t ended_before,
                  const std::vector<int*>& files, const std::function<bool(int file)>& read) {
  TimeToAnswer time =
      lenient_time(how == End::in_peace ? kGracePeriod : static_cast<double>(kAgony.count()));
  while (watch >= 0 && how != End::by_force && !time.was_over()) {
    std::vector<pollfd> looked_at = {{watch, POLLIN, 0}};
    for (const int* file : files) looked_at.push_back({*file, POLLIN, 0});
    if (poll(looked_at.data(), looked_at.size(), time.milliseconds_to_look()) < 0 &&
        errno != EINTR) {
      break;
    }
    time.is_over([process] { return thread_times_below(process); });
    for (std::size_t at = 0; at < files.size(); ++at) {
      if (looked_at[at + 1].revents != 0 && !read(*files[at])) close_if_open(*files[at]);
    }
    if ((looked_at.front().revents & POLLIN) != 0) break;
  }
  Ended ended;
  int status = 0;
  rusage used = {};
  if (wait4(process, &status, WNOHANG, &used) == process) {
    ended.status = status;
    if (WIFSIGNALED(status)) ended.limit = ended_by_limit(WTERMSIG(status), used, ended_before);
  } else {
    // While the supervisor lives, everything that was started descends from it, since it is the
    // subreaper.
    end_descendants(process);
  }
  kill(-process, SIGKILL);
  if (!ended.status) waitpid(process, &status, 0);
  collect_orphans(process);
  return ended;
}

}  // namespace reshape::conformance
