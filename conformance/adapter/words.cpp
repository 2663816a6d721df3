#include "conformance/adapter/words.h"

#include <signal.h>

#include "conformance/text/printable.h"

namespace reshape::conformance {

std::string brief(std::string_view text, std::size_t most) { return printable(text, most); }

std::string signal_words(int signal) {
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
