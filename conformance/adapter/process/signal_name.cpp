#include "conformance/adapter/process/signal_name.h"

#include <signal.h>

#include "conformance/adapter/process/host_exit.h"
#include "conformance/adapter/process/process_tree.h"

namespace reshape::conformance {

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
    default: return "signal " + std::to_string(signal);
  }
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

}  // namespace reshape::conformance
