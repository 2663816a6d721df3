// Settings of the whole process that a call changes for everybody.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>

#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

// As before_each_call, but in the first calls only, which is when libraries set themselves up.
template <typename Do>
void in_the_first_call(reshape_plugin& table, Do) {
  before_each_call(table, [] {
    static bool done = false;
    if (!done) Do{}();
    done = true;
  });
}

}  // namespace

MUTANT("changes-the-umask", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("the mask of new files' permissions is set to 077 and left so")) {
  before_each_call(table, [] { umask(077); });
}

MUTANT("sets-a-variable", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("OMP_NUM_THREADS is put into the environment, for everybody")) {
  in_the_first_call(table, [] { setenv("OMP_NUM_THREADS", "1", 1); });
}

MUTANT("removes-a-variable", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("PATH is taken out of the environment")) {
  in_the_first_call(table, [] { unsetenv("PATH"); });
}

MUTANT("lowers-the-priority", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("the process is made nicer, and stays so")) {
  in_the_first_call(table, [] { [[maybe_unused]] const int now = nice(1); });
}

MUTANT("pins-the-thread", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("the calling thread is bound to one processor, and stays so")) {
  in_the_first_call(table, [] {
    cpu_set_t now;
    if (sched_getaffinity(0, sizeof now, &now) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int at = 0; at < CPU_SETSIZE; ++at) {
      if (!CPU_ISSET(at, &now)) continue;
      CPU_SET(at, &one);
      break;
    }
    sched_setaffinity(0, sizeof one, &one);
  });
}

MUTANT("lowers-a-limit", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("the number of files that may be open is lowered, and left so")) {
  in_the_first_call(table, [] {
    rlimit limit = {};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_cur > 64 ? limit.rlim_cur - 1 : limit.rlim_cur;
    setrlimit(RLIMIT_NOFILE, &limit);
  });
}

MUTANT("leaves-a-timer", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("a timer for profiling is started and left to run")) {
  in_the_first_call(table, [] {
    const itimerval hours = {{0, 0}, {36'000, 0}};
    setitimer(ITIMER_REAL, &hours, nullptr);
  });
}

MUTANT("leaves-a-child", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("a process is started and never waited for")) {
  in_the_first_call(table, [] {
    if (fork() == 0) _exit(0);
  });
}

MUTANT("takes-the-terminate-handler", Breaks("C14"), Caught("memory", "process-settings"),
       kExamples, Says("std::terminate is given another handler")) {
  in_the_first_call(table, [] { std::set_terminate([] { std::abort(); }); });
}

MUTANT("takes-a-rare-handler", Breaks("C14"), Caught("memory", "signal-handlers"), kExamples,
       Says("SIGPROF, which profilers use, is ignored from now on")) {
  before_each_call(table, [] { signal(SIGPROF, SIG_IGN); });
}

MUTANT("blocks-a-realtime-signal", Breaks("C14"), Caught("memory", "signal-mask"), kExamples,
       Says("a real-time signal is blocked and left so")) {
  before_each_call(table, [] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGRTMIN + 3);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  });
}

MUTANT("puts-another-file-in-place", Breaks("C14"), Caught("memory", "open-files"), kExamples,
       Says("standard input is opened anew, on a file of the library's own")) {
  before_each_call(table, [] {
    const int file = open("/dev/zero", O_RDONLY);
    dup2(file, 0);
    close(file);
  });
}

MUTANT("leaves-an-alternate-stack", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("signals are handled on another stack from now on")) {
  before_each_call(table, [] {
    static char stack[1 << 16];
    stack_t other = {};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    sigaltstack(&other, nullptr);
  });
}

MUTANT("renames-the-thread", Breaks("C14"), Caught("memory", "process-settings"), kExamples,
       Says("the calling thread gets the library's name")) {
  in_the_first_call(table, [] { prctl(PR_SET_NAME, "reshape-worker"); });
}

}  // namespace reshape::conformance::self
