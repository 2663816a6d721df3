#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/adapter/process/proc_file.h"
#include "conformance/adapter/process/process_tree.h"

extern char** environ;

namespace reshape::conformance {
namespace {

struct Limit {
  decltype(RLIMIT_NOFILE) resource;
  const char* what;
};
constexpr std::array kLimits = {Limit{RLIMIT_NOFILE, "open files"},
                                Limit{RLIMIT_STACK, "the stack"},
                                Limit{RLIMIT_CORE, "core files"},
                                Limit{RLIMIT_DATA, "the data"},
                                Limit{RLIMIT_AS, "memory"},
                                Limit{RLIMIT_CPU, "computing time"},
                                Limit{RLIMIT_FSIZE, "the size of files"},
                                Limit{RLIMIT_NPROC, "processes"},
                                Limit{RLIMIT_MEMLOCK, "locked memory"},
                                Limit{RLIMIT_SIGPENDING, "pending signals"},
                                Limit{RLIMIT_NICE, "the priority"},
                                Limit{RLIMIT_RTPRIO, "the real-time priority"}};

struct Timer {
  decltype(ITIMER_REAL) which;
  const char* what;
};
constexpr std::array kTimers = {Timer{ITIMER_REAL, "real"}, Timer{ITIMER_VIRTUAL, "virtual"},
                                Timer{ITIMER_PROF, "profiling"}};

long of_prctl(int asked) {
  int value = 0;
  prctl(asked, &value);
  return value;
}

constexpr int kThisProcess = 1;  // IOPRIO_WHO_PROCESS, of which glibc has no name
constexpr const char* kOomScore = "/proc/self/oom_score_adj";

// Of this process, and open since there is a watch: a library may leave no file free.
std::optional<ProcFile> oom_score;

long oom_score_now() {
  const auto score_in = [](std::string_view text) {
    long score = 0;
    std::from_chars(text.data(), text.data() + text.size(), score);
    return score;
  };
  static long known = 0;
  const long score = score_in(oom_score->read());
  if (score == known) return known;
  const std::string_view anew = oom_score->read_anew();
  return known = anew.empty() ? score : score_in(anew);
}

// A restriction that the kernel imposes on a process and its children. `now` reads it as a number;
// `back` undoes it, null where that is impossible.
struct Hold {
  const char* what;
  long (*now)();
  void (*back)(long before);
};
constexpr std::array kHolds = {
    Hold{"the scheduling policy", [] { return long{sched_getscheduler(0)}; },
         [](long before) {
           const sched_param none = {};
           sched_setscheduler(0, static_cast<int>(before), &none);
         }},
    Hold{"whether others may look into the process (PR_SET_DUMPABLE)",
         [] { return long{prctl(PR_GET_DUMPABLE)}; },
         [](long before) { prctl(PR_SET_DUMPABLE, before); }},
    Hold{"the personality", [] { return long{personality(0xffffffff)}; },
         [](long before) { personality(static_cast<unsigned long>(before)); }},
    Hold{"the process group", [] { return long{getpgrp()}; },
         [](long before) { setpgid(0, static_cast<pid_t>(before)); }},
    // Before the restriction that requires it, so that this one is named.
    Hold{"the filter of system calls", [] { return long{prctl(PR_GET_SECCOMP)}; }, nullptr},
    Hold{"whether programs gain privileges (PR_SET_NO_NEW_PRIVS)",
         [] { return long{prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)}; }, nullptr},
    // It is one of the securebits, so it comes first.
    Hold{"whether another user keeps them (PR_SET_KEEPCAPS)",
         [] { return long{prctl(PR_GET_KEEPCAPS)}; },
         [](long before) { prctl(PR_SET_KEEPCAPS, before); }},
    Hold{"what privileges mean (PR_SET_SECUREBITS)", [] { return long{prctl(PR_GET_SECUREBITS)}; },
         [](long before) { prctl(PR_SET_SECUREBITS, before); }},
    Hold{"the signal at its parent's death (PR_SET_PDEATHSIG)",
         [] { return of_prctl(PR_GET_PDEATHSIG); },
         [](long before) { prctl(PR_SET_PDEATHSIG, before); }},
    Hold{"who takes over orphans (PR_SET_CHILD_SUBREAPER)",
         [] { return of_prctl(PR_GET_CHILD_SUBREAPER); },
         [](long before) { prctl(PR_SET_CHILD_SUBREAPER, before); }},
    Hold{"whether it gets large pages (PR_SET_THP_DISABLE)",
         [] { return long{prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0)}; },
         [](long before) { prctl(PR_SET_THP_DISABLE, before, 0, 0, 0); }},
    Hold{"the priority of its files (ioprio_set)",
         [] { return syscall(SYS_ioprio_get, kThisProcess, 0); },
         [](long before) { syscall(SYS_ioprio_set, kThisProcess, 0, before); }},
    Hold{"how soon it is ended for lack of memory (oom_score_adj)", oom_score_now,
         [](long before) { std::ofstream(kOomScore) << before; }}};

// A line of /proc/self/status that stays as it is. `back` undoes a change; null where that is
// impossible.
struct StatusLine {
  const char* name;
  const char* saw;
  void (*back)();
};
constexpr const char* kCapabilities = "the capabilities of the process were changed";
constexpr std::array kStatusLines = {
    StatusLine{"TracerPid", "the process was given to a tracer", nullptr},
    // Pages that are locked cannot be paged out; with MCL_FUTURE, those that the caller maps later
    // as well.
    StatusLine{"VmLck", "pages were locked in memory, or unlocked", [] { munlockall(); }},
    StatusLine{"CapInh", kCapabilities, nullptr}, StatusLine{"CapPrm", kCapabilities, nullptr},
    StatusLine{"CapEff", kCapabilities, nullptr}, StatusLine{"CapBnd", kCapabilities, nullptr},
    StatusLine{"CapAmb", kCapabilities, nullptr}};
using StatusLines = std::array<std::string, kStatusLines.size()>;

// What the process, or its next child, shares with others (namespaces(7)).
constexpr std::string_view kOfNamespaces = "/proc/self/ns/";
constexpr std::array kNamespaces = {"/proc/self/ns/user",
                                    "/proc/self/ns/mnt",
                                    "/proc/self/ns/net",
                                    "/proc/self/ns/uts",
                                    "/proc/self/ns/ipc",
                                    "/proc/self/ns/cgroup",
                                    "/proc/self/ns/pid_for_children",
                                    "/proc/self/ns/time_for_children"};
// As these links name them; empty where that cannot be told.
using Namespaces = std::array<std::array<char, 64>, kNamespaces.size()>;

Namespaces namespaces_now() {
  Namespaces names = {};
  for (std::size_t i = 0; i < kNamespaces.size(); ++i) {
    if (readlink(kNamespaces[i], names[i].data(), names[i].size() - 1) < 0) names[i] = {};
  }
  return names;
}

// A timer of timer_create(), by the kernel's number.
struct PosixTimer {
  int number = 0;
  bool runs = false;
};

// `list`: /proc/self/timers, in which each begins with a line "ID: n"; "ClockID: n" says another
// thing.
std::vector<PosixTimer> posix_timers_in(std::string_view list) {
  constexpr std::string_view kNumber = "ID: ";
  std::vector<PosixTimer> timers;
  for (std::size_t at = list.find(kNumber); at != std::string_view::npos;
       at = list.find(kNumber, at + 1)) {
    if (at > 0 && list[at - 1] != '\n') continue;
    PosixTimer timer;
    std::from_chars(list.data() + at + kNumber.size(), list.data() + list.size(), timer.number);
    itimerspec left = {};
    const bool known = syscall(SYS_timer_gettime, timer.number, &left) == 0;
    timer.runs = known && (left.it_value.tv_sec != 0 || left.it_value.tv_nsec != 0);
    timers.push_back(timer);
  }
  return timers;
}

constexpr useconds_t kMostSurvival = 300'000;  // microseconds that a process outlives its parent

// Variables that begin with two underscores are marks that runtimes leave for each other; they are
// ignored.
bool is_mark(const char* variable) { return std::strncmp(variable, "__", 2) == 0; }

std::vector<std::string> environment_now() {
  std::vector<std::string> variables;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    if (!is_mark(*at)) variables.emplace_back(*at);
  }
  return variables;
}

// The same as environment_now() == variables, without a copy of each.
bool environment_is(const std::vector<std::string>& variables) {
  std::size_t seen = 0;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    if (is_mark(*at)) continue;
    if (seen == variables.size() || variables[seen] != *at) return false;
    ++seen;
  }
  return seen == variables.size();
}

mode_t umask_now() {
  const mode_t now = umask(077);
  umask(now);
  return now;
}

// Whether there are children, running or not yet waited for.
bool has_children() {
  siginfo_t who = {};
  return waitid(P_ALL, 0, &who, WEXITED | WNOHANG | WNOWAIT) == 0;
}

std::array<uid_t, 4> users_now() { return {getuid(), geteuid(), getgid(), getegid()}; }

// What rand() goes on from: who takes numbers from it or seeds it anew changes those that the
// caller gets.
using RandomState = std::array<char, 128>;
RandomState& random_state() {
  static RandomState state;
  return state;
}

bool running(const itimerval& timer) {
  return timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
}

struct Settings {
  mode_t umask = 0;
  int priority = 0;
  std::array<rlimit, kLimits.size()> limits = {};
  std::array<bool, kTimers.size()> timers = {};
  std::array<long, kHolds.size()> holds = {};
  bool children = false;
  std::array<uid_t, 4> users = {};
  std::terminate_handler terminate = nullptr;
  std::new_handler new_handler = nullptr;
  RandomState random = {};
};

Settings settings_now() {
  Settings now;
  now.umask = umask_now();
  now.priority = getpriority(PRIO_PROCESS, 0);
  for (std::size_t i = 0; i < kLimits.size(); ++i) getrlimit(kLimits[i].resource, &now.limits[i]);
  for (std::size_t i = 0; i < kTimers.size(); ++i) {
    itimerval timer = {};
    getitimer(kTimers[i].which, &timer);
    now.timers[i] = running(timer);
  }
  for (std::size_t i = 0; i < kHolds.size(); ++i) now.holds[i] = kHolds[i].now();
  now.children = has_children();
  now.users = users_now();
  now.terminate = std::get_terminate();
  now.new_handler = std::get_new_handler();
  now.random = random_state();
  return now;
}

// The name of a variable that the other list lacks, or has with another value.
std::string variable_besides(const std::vector<std::string>& these,
                             const std::vector<std::string>& those) {
  const auto besides = std::ranges::find_if(these, [&](const std::string& variable) {
    return std::ranges::find(those, variable) == those.end();
  });
  return besides == these.end() ? "" : besides->substr(0, besides->find('='));
}

// Duty C14: settings that the rest of the process relies on.
class ProcessSettings : public Watch {
 public:
  ProcessSettings() { oom_score.emplace(kOomScore); }

  void before(const CallSite&) override {
    environment_before_ = environment_now();
    initstate(1, random_state().data(), random_state().size());
    before_ = settings_now();
    timers_before_ = posix_timers_in(timers_.read());
    for (const PosixTimer& timer : timers_before_) {
      timers_known_ = std::max(timers_known_, timer.number + 1);
    }
    keys_before_ = keys_in_use();
  }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    const Settings now = settings_now();
    const bool other_user = now.users != before_.users;
    seen_ = &seen;
    environment();
    if (now.umask != before_.umask) {
      saw("the umask was changed");
      umask(before_.umask);
    }
    if (now.priority != before_.priority) {
      saw("the priority of the process changed from " + std::to_string(before_.priority) + " to " +
          std::to_string(now.priority));
      setpriority(PRIO_PROCESS, 0, before_.priority);
    }
    for (std::size_t i = 0; i < kLimits.size(); ++i) limit(i, now.limits[i]);
    for (std::size_t i = 0; i < kTimers.size(); ++i) {
      if (now.timers[i] == before_.timers[i]) continue;
      saw(std::string("the ") + kTimers[i].what + " timer was " +
          (now.timers[i] ? "left running" : "stopped"));
      const itimerval none = {};
      if (now.timers[i]) setitimer(kTimers[i].which, &none, nullptr);
    }
    posix_timers();
    if (now.children && !before_.children) saw("a child process was left behind");
    if (now.children) collect_children(before_.children);
    if (const std::vector<pid_t> left = daemons(); !left.empty()) {
      saw("a process that is nobody's child any more was left behind");
      for (const pid_t one : left) kill(one, SIGKILL);
    }
    if (!own_folder().empty()) parent();
    namespaces();
    holds(now);
    if (other_user) {
      saw("the user or the group of the process was changed");
      // If it cannot be undone, it becomes the new normal, so that the next request is not blamed.
      if (setegid(before_.users[3]) != 0 || seteuid(before_.users[1]) != 0)
        before_.users = users_now();
    }
    status_lines(other_user);
    if (now.terminate != before_.terminate) {
      saw("the handler of std::terminate was replaced");
      std::set_terminate(before_.terminate);
    }
    if (now.new_handler != before_.new_handler) {
      saw("the handler of memory that cannot be had (std::set_new_handler) was replaced");
      std::set_new_handler(before_.new_handler);
    }
    keys();
    if (now.random != before_.random) saw("the sequence of rand() was moved on, or begun anew");
  }

 private:
  void saw(std::string what) {
    seen_->push_back({CaughtBy::process_settings, Plane::memory, Duty::C14, std::move(what)});
  }

  // Waits for all children that have ended, since a system has room for so many only; and where
  // there were none before a moment for one that is about to end: the next request would start
  // with it and not notice.
  static void collect_children(bool there_before) {
    constexpr int kTurns = 20;
    for (int turn = there_before ? kTurns : 0;;) {
      const pid_t ended = waitpid(-1, nullptr, WNOHANG);
      if (ended < 0) return;
      if (ended > 0) continue;
      if (++turn > kTurns) return;
      usleep(500);
    }
  }

  // Daemons that the library started: they are reparented to the supervisor, whose only own child
  // is this process.
  std::vector<pid_t> daemons() {
    if (own_folder().empty() || children_of_parent_.read() == alone_) return {};
    return living_children(parent_, getpid());
  }

  Condition parent_now() {
    if (getppid() != parent_) return Condition::ended;
    const Condition now = condition_of(parent_status_.read());
    return now == Condition::lives ? now : condition_of(parent_status_.read_anew());
  }

  void parent() {
    switch (parent_now()) {
      case Condition::lives: return;
      case Condition::stopped:
        saw("the process that started this one was stopped");
        kill(parent_, SIGCONT);
        return;
      case Condition::ended:
        // The parent's death ends this process too, but on a busy machine only after a while: an
        // answer before that would count as a pass.
        usleep(kMostSurvival);
        saw("the process that started this one was killed");
        return;
    }
  }

  void environment() {
    if (environment_is(environment_before_)) return;
    const std::vector<std::string> now = environment_now();
    const std::string added = variable_besides(now, environment_before_);
    const std::string lost = variable_besides(environment_before_, now);
    saw(added.empty() ? "the variable " + lost + " was taken out of the environment"
                      : "the variable " + added + " was set in the environment");
    for (const std::string& variable : now) {
      unsetenv(variable.substr(0, variable.find('=')).c_str());
    }
    for (const std::string& variable : environment_before_) {
      const std::size_t end = variable.find('=');
      if (end == std::string::npos) continue;
      setenv(variable.substr(0, end).c_str(), variable.c_str() + end + 1, 1);
    }
    // Read again, since restoring may have changed the order.
    environment_before_ = environment_now();
  }

  // Reports only the first restriction that changed: others may be its consequence, and some that
  // of another user.
  void holds(const Settings& now) {
    bool told = now.users != before_.users;
    for (std::size_t i = 0; i < kHolds.size(); ++i) {
      if (now.holds[i] == before_.holds[i]) continue;
      if (!std::exchange(told, true)) saw(std::string(kHolds[i].what) + " was changed");
      if (kHolds[i].back != nullptr) kHolds[i].back(before_.holds[i]);
    }
  }

  void posix_timers() {
    std::vector<PosixTimer> now = posix_timers_in(timers_.read());
    bool told = false;
    std::int64_t more = 0;
    int known = timers_known_;
    for (PosixTimer& timer : now) {
      const auto before = std::ranges::find(timers_before_, timer.number, &PosixTimer::number);
      const bool is_new = timer.number >= timers_known_;
      more += is_new ? 1 : 0;
      known = std::max(known, timer.number + 1);
      // What was not listed before and is older was behind those that were.
      const bool ran = before == timers_before_.end() ? !is_new : before->runs;
      if (!timer.runs || ran) continue;
      if (!std::exchange(told, true)) saw("a timer (timer_create) was left running");
      const itimerspec none = {};
      syscall(SYS_timer_settime, timer.number, 0, &none, nullptr);
      timer.runs = false;
    }
    // before() is not called again for a process that is as it was.
    timers_before_ = std::move(now);
    if (more == 0) return;
    if (!first_left_) first_left_ = timers_known_;
    // Of many the list shows the last ones only; those that are deleted can be counted.
    if (more >= kMany) more = delete_timers(timers_known_);
    timers_known_ = known;
    if (!left("more timers (timer_create)", more, with_timers_)) return;
    delete_timers(*first_left_);
    first_left_.reset();
  }

  // Deletes all timers from this number on, since a process has room for so many only, and returns
  // how many they were. The kernel numbers timers upwards, and lists the last ones first.
  std::int64_t delete_timers(int first) {
    std::int64_t deleted = 0;
    for (std::int64_t before = -1; before != deleted;) {
      before = deleted;
      for (const PosixTimer& timer : posix_timers_in(timers_.read())) {
        if (timer.number < first) continue;
        deleted += syscall(SYS_timer_delete, timer.number) == 0 ? 1 : 0;
      }
    }
    return deleted;
  }

  void namespaces() {
    const Namespaces now = namespaces_now();
    if (now == namespaces_) return;
    for (std::size_t i = 0; i < kNamespaces.size(); ++i) {
      const bool known = now[i].front() != '\0' && namespaces_[i].front() != '\0';
      if (!known || now[i] == namespaces_[i]) continue;
      saw(std::string("the process went into another namespace (") +
          (kNamespaces[i] + kOfNamespaces.size()) + ')');
      break;
    }
    namespaces_ = now;
  }

  // Another user has other capabilities.
  void status_lines(bool other_user) {
    const std::string_view text = self_.read();
    bool same = true;
    for (std::size_t i = 0; i < kStatusLines.size(); ++i) {
      same &= field(text, kStatusLines[i].name) == status_[i];
    }
    if (same) return;
    const char* told = other_user ? kCapabilities : nullptr;
    for (std::size_t i = 0; i < kStatusLines.size(); ++i) {
      const StatusLine& line = kStatusLines[i];
      if (field(self_.read_anew(), line.name) == status_[i]) continue;
      if (told != line.saw) saw(line.saw);
      told = line.saw;
      if (line.back != nullptr) line.back();
      status_[i] = field(self_.read_anew(), line.name);
    }
  }

  static StatusLines lines_of(std::string_view status) {
    StatusLines lines;
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = field(status, kStatusLines[i].name);
    return lines;
  }

  void limit(std::size_t which, const rlimit& now) {
    const rlimit& before = before_.limits[which];
    if (now.rlim_cur == before.rlim_cur && now.rlim_max == before.rlim_max) return;
    saw(std::string("the limit of ") + kLimits[which].what + " was changed");
    setrlimit(kLimits[which].resource, &before);
  }

  // A process has room for so many keys. One that a first use makes stays; of those that request
  // after request leaves some, the caller runs out.
  void keys() {
    const std::int64_t now = keys_in_use();
    // before() is not called again for a process that is as it was.
    left("more keys of threads (pthread_key_create)", now - std::exchange(keys_before_, now),
         with_keys_);
  }

  // Whether it was told that requests leave such things: this one, of which it left `more`, many of
  // them, or one after the other some. `requests` of them have left some before.
  bool left(const std::string& things, std::int64_t more, int& requests) {
    if (more <= 0) return false;
    if (++requests < kMany && more < kMany) return false;
    saw("it left " + std::to_string(more) + ' ' + things +
        (more < kMany ? ", as " + std::to_string(kMany - 1) + " requests before it did" : ""));
    requests = 0;
    return true;
  }

  // Of what a process has only so many of: what is left so often is not what a library prepares.
  static constexpr int kMany = 16;

  Settings before_;
  std::vector<std::string> environment_before_;
  std::int64_t keys_before_ = 0;
  int with_keys_ = 0, with_timers_ = 0;  // requests that left some
  ProcFile self_{"/proc/self/status"};
  pid_t parent_ = getppid();
  ProcFile parent_status_{"/proc/" + std::to_string(parent_) + "/status"};
  ProcFile children_of_parent_{"/proc/" + std::to_string(parent_) + "/task/" +
                               std::to_string(parent_) + "/children"};
  std::string alone_ = std::to_string(getpid()) + " ";  // the supervisor's children without daemons
  StatusLines status_ = lines_of(self_.read());
  ProcFile timers_{"/proc/self/timers"};
  std::vector<PosixTimer> timers_before_;
  int timers_known_ = 0;           // numbers below this one were seen
  std::optional<int> first_left_;  // by a request since they were deleted
  Namespaces namespaces_ = namespaces_now();
  std::vector<Observation>* seen_ = nullptr;
};

}  // namespace

// The index of a key that is created is the lowest that is free.
std::int64_t keys_in_use() {
  pthread_key_t key = 0;
  if (pthread_key_create(&key, nullptr) != 0) return PTHREAD_KEYS_MAX;
  pthread_key_delete(key);
  return static_cast<std::int64_t>(key);
}

WatchPtr watch_process_settings() { return std::make_unique<ProcessSettings>(); }

}  // namespace reshape::conformance
