#include "conformance/adapter/process/ended_by_limit.h"

#include <sys/resource.h>

#include <csignal>

#include "conformance/adapter/memory/memory_left.h"

namespace reshape::conformance {
namespace {

template <class Resource>
bool is_limited(Resource what) {
  rlimit limit = {};
  return getrlimit(what, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

std::string ended_by_limit(int signal, std::uint64_t ended_before) {
  if ((signal == SIGKILL || signal == SIGXCPU) && is_limited(RLIMIT_CPU)) {
    return "it had all the processor time that the shell allows (ulimit -t)";
  }
  if (signal == SIGXFSZ && is_limited(RLIMIT_FSIZE)) {
    return "a file became as long as the shell allows (ulimit -f)";
  }
  if (signal == SIGKILL && ended_for_memory() > ended_before) {
    return "the kernel ended it for lack of memory in its control group";
  }
  return {};
}

}  // namespace reshape::conformance
