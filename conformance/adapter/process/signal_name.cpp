#include "conformance/adapter/process/signal_name.h"

#include <signal.h>
#include <sys/wait.h>

#include <cstring>
#include <optional>

#include "conformance/adapter/memory/memory_left.h"
#include "conformance/adapter/process/host_exit.h"
#include "conformance/adapter/process/process_tree.h"

namespace reshape::conformance {
namespace {

template <class Resource>
std::optional<rlim_t> limit_of(Resource what) {
  rlimit limit = {};
  if (getrlimit(what, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

// Whether so much processor time was used. The kernel looks at whole seconds.
bool has_worked(const rusage& used, rlim_t seconds) {
  const auto worked = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  constexpr rlim_t kParts = 2;  // those of two second counts
  return worked + kParts >= seconds;
}

// "SIGSEGV (a bad memory access)", "SIGPWR", "signal 42"
std::string signal_name(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV (a bad memory access)";
    case SIGBUS: return "SIGBUS (a bad memory access)";
    case SIGFPE: return "SIGFPE (a bad arithmetic operation)";
    case SIGILL: return "SIGILL (an illegal instruction)";
    case SIGABRT: return "SIGABRT (abort)";
    case SIGTRAP: return "SIGTRAP (a trap)";
    case SIGSYS: return "SIGSYS (a bad system call)";
    case SIGKILL: return "SIGKILL (killed)";
    case SIGTERM: return "SIGTERM (terminated)";
    case SIGPIPE: return "SIGPIPE (a closed pipe)";
    case SIGALRM: return "SIGALRM (an alarm)";
    case SIGXCPU: return "SIGXCPU (the limit of processor time)";
    case SIGHUP: return "SIGHUP (a terminal that is gone)";
    case SIGINT: return "SIGINT (an interrupt)";
    case SIGQUIT: return "SIGQUIT (a request to quit)";
    case SIGUSR1: return "SIGUSR1 (a signal for users)";
    case SIGUSR2: return "SIGUSR2 (a signal for users)";
    case SIGXFSZ: return "SIGXFSZ (the limit of a file's size)";
    default: return signal_word(signal);
  }
}

}  // namespace

std::string signal_word(int signal) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
  if (const char* name = sigabbrev_np(signal)) return std::string("SIG") + name;
#endif
  return "signal " + std::to_string(signal);
}

std::string death_by(int signal) {
  const auto bomb = [](int most, const char* what) {
    return "had more than " + std::to_string(most) + " " + what +
           " at a time, and was ended with all of them";
  };
  if (signal == too_many_processes()) return bomb(most_processes(), "processes");
  if (signal == too_many_threads()) return bomb(most_threads(), "threads");
  return "died of " + signal_name(signal);
}

std::string death_words(int status) {
  if (WIFSIGNALED(status)) return death_by(WTERMSIG(status));
  return "ended with exit(" + std::to_string(WEXITSTATUS(status)) + ")";
}

std::string ended_by_limit(int signal, const rusage& used, std::uint64_t ended_before) {
  const std::optional<rlim_t> time = limit_of(RLIMIT_CPU);
  if ((signal == SIGKILL || signal == SIGXCPU) && time && has_worked(used, *time)) {
    return "it had all the processor time that the shell allows (ulimit -t)";
  }
  if (signal == SIGXFSZ && limit_of(RLIMIT_FSIZE)) {
    return "a file became as long as the shell allows (ulimit -f)";
  }
  if (signal == SIGKILL && ended_for_memory() > ended_before) {
    return "the kernel ended it for lack of memory in its control group";
  }
  return {};
}

}  // namespace reshape::conformance
