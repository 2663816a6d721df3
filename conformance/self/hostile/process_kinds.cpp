// Libraries that answer correctly but leave something behind in the process, the folder or the
// machine.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>

#include "conformance/self/hostile/hostile.h"

namespace hostile {
namespace {

// One-time initialization as in an inference engine, with effects for the life of the process.
void set_up() {
  for (int worker = 0; worker < 4; ++worker) std::thread(sleep_forever).detach();
  for (const int number : {SIGFPE, SIGUSR2}) std::signal(number, SIG_IGN);
  static char stack[1 << 16];
  stack_t own = {};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  sigaltstack(&own, nullptr);
  setenv("ENGINE_THREADS", "4", 1);
}

// Fills a bounded cache, of 1.7 MB in all.
void fill_cache() {
  static std::atomic<int> entries = 0;
  if (entries >= 36'000) return;
  ++entries;
  void* entry = std::malloc(40);
  asm volatile("" : : "r"(entry));
}

void lower(decltype(RLIMIT_NOFILE) resource) {
  rlimit limit = {};
  getrlimit(resource, &limit);
  limit.rlim_cur = limit.rlim_cur / 2;
  setrlimit(resource, &limit);
}

}  // namespace

Kinds process_kinds() {
  return {
      infers("leaves-a-child", "leaves a child process",
             [](const reshape_request&) {
               if (first_time() && fork() == 0) sleep_forever();
             }),
      infers("leaves-a-zombie", "leaves a child that ended",
             [](const reshape_request&) {
               if (first_time() && fork() == 0) _exit(0);
             }),
      infers("leaves-a-session", "leaves a process in a session of its own",
             [](const reshape_request&) {
               if (!first_time() || fork() != 0) return;
               setsid();
               sleep_forever();
             }),
      infers("leaves-a-daemon", "leaves a daemon, by two forks",
             [](const reshape_request&) {
               if (first_time()) start_daemon();
             }),
      infers("leaves-a-thread", "leaves a thread running",
             [](const reshape_request&) {
               if (first_time()) std::thread(sleep_forever).detach();
             }),
      infers("sets-itself-up",
             "starts a pool, takes signals and fills a cache when it is used first",
             [](const reshape_request&) {
               static std::once_flag done;
               std::call_once(done, set_up);
               fill_cache();
             }),
      infers("leaves-a-file-open", "leaves a file open",
             [](const reshape_request&) { [[maybe_unused]] const int kept = dup(1); }),
      infers("leaves-a-file", "leaves a file in the working directory",
             [](const reshape_request&) {
               close(open("hostile-was-here", O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
             }),
      infers("leaves-a-folder", "leaves a folder with a file that nobody may read",
             [](const reshape_request&) {
               mkdir("hostile-folder", 0700);
               close(open("hostile-folder/file", O_CREAT | O_WRONLY | O_CLOEXEC, 0000));
             }),
      infers("leaves-deep-folders", "leaves folders within folders, deeper than a path can tell",
             [](const reshape_request&) {
               if (!first_time()) return;
               const int home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
               for (int depth = 0; depth < 900; ++depth) {
                 if (mkdir("deep", 0700) != 0 || chdir("deep") != 0) break;
               }
               if (fchdir(home) == 0) close(home);
             }),
      infers("leaves-memory", "leaves a kilobyte at each call",
             [](const reshape_request&) {
               void* kept = std::calloc(1, 1024);
               asm volatile("" : : "r"(kept));
             }),
      infers("changes-rounding", "rounds upwards from now on",
             [](const reshape_request&) { std::fesetround(FE_UPWARD); }),
      infers("changes-locale", "sets another locale",
             [](const reshape_request&) { std::setlocale(LC_ALL, "C.UTF-8"); }),
      infers("changes-folder", "goes to another folder",
             [](const reshape_request&) { [[maybe_unused]] const int gone = chdir("/"); }),
      infers("changes-umask", "sets the umask to 0", [](const reshape_request&) { umask(0); }),
      infers("changes-environment", "sets a variable of the environment",
             [](const reshape_request&) { setenv("HOSTILE_WAS_HERE", "1", 1); }),
      infers("changes-priority", "lowers its priority",
             [](const reshape_request&) { setpriority(PRIO_PROCESS, 0, 19); }),
      infers("changes-signals", "ignores SIGTERM",
             [](const reshape_request&) { std::signal(SIGTERM, SIG_IGN); }),
      infers("changes-the-mask", "blocks SIGUSR1",
             [](const reshape_request&) {
               sigset_t one;
               sigemptyset(&one);
               sigaddset(&one, SIGUSR1);
               pthread_sigmask(SIG_BLOCK, &one, nullptr);
             }),
      infers("changes-terminate", "replaces the handler of std::terminate",
             [](const reshape_request&) { std::set_terminate(std::abort); }),
      infers("changes-processors", "binds its thread to one processor",
             [](const reshape_request&) {
               cpu_set_t one;
               CPU_ZERO(&one);
               CPU_SET(0, &one);
               sched_setaffinity(0, sizeof one, &one);
             }),
      infers("starts-a-timer", "leaves a timer running",
             [](const reshape_request&) {
               const itimerval hour = {{0, 0}, {3600, 0}};
               setitimer(ITIMER_REAL, &hour, nullptr);
             }),
      infers("starts-a-posix-timer", "leaves a timer of timer_create running",
             [](const reshape_request&) {
               if (!first_time()) return;
               sigevent silent = {};
               silent.sigev_notify = SIGEV_NONE;
               timer_t timer;
               const itimerspec hour = {{0, 0}, {3600, 0}};
               if (timer_create(CLOCK_MONOTONIC, &silent, &timer) != 0) return;
               timer_settime(timer, 0, &hour, nullptr);
             }),
      infers("takes-over-orphans", "takes over the processes whose parents ended",
             [](const reshape_request&) { prctl(PR_SET_CHILD_SUBREAPER, 1); }),
      infers("limits-open-files", "halves the limit of open files",
             [](const reshape_request&) { lower(RLIMIT_NOFILE); }),
      infers("limits-file-size", "halves the limit of the size of files",
             [](const reshape_request&) { lower(RLIMIT_FSIZE); }),
      infers("limits-processes", "halves the limit of processes",
             [](const reshape_request&) { lower(RLIMIT_NPROC); }),
      infers("limits-locked-memory", "halves the limit of locked memory",
             [](const reshape_request&) { lower(RLIMIT_MEMLOCK); }),
      infers("changes-scheduling", "gives way to every other process",
             [](const reshape_request&) {
               const sched_param none = {};
               sched_setscheduler(0, SCHED_IDLE, &none);
             }),
      infers("filters-its-calls", "forbids itself to lock memory",
             [](const reshape_request&) {
               prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
               sock_filter steps[] = {
                   BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mlock, 0, 1),
                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
               const sock_fprog filter = {std::size(steps), steps};
               prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
             }),
      infers("is-traced", "has itself traced by its parent",
             [](const reshape_request&) { ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }),
      infers("changes-user", "becomes another user",
             [](const reshape_request&) { [[maybe_unused]] const int done = seteuid(65534); }),
      infers("ignores-children", "ignores the end of children",
             [](const reshape_request&) { std::signal(SIGCHLD, SIG_IGN); }),
  };
}

}  // namespace hostile
