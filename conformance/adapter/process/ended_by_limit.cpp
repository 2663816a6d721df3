#include "conformance/adapter/process/ended_by_limit.h"

#include <csignal>
#include <optional>

#include "conformance/adapter/memory/memory_left.h"

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

}  // namespace

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
