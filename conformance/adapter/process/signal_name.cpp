#include "conformance/adapter/process/signal_name.h"

#include <signal.h>

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
    default: return "signal " + std::to_string(signal);
  }
}

}  // namespace reshape::conformance
