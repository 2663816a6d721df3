#include "conformance/adapter/process/watchers.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "conformance/adapter/process/process_tree.h"

namespace reshape::conformance {
namespace {

// Who stops all processes of a run, and lets them go on, does not do so in one moment.
constexpr useconds_t kPause = 200'000;  // microseconds

std::string status_of(pid_t process) { return "/proc/" + std::to_string(process) + "/status"; }

bool is_stopped(std::optional<ProcFile>& status) {
  return status && condition_of(status->read()) == Condition::stopped;
}

}  // namespace

void Watchers::begin(pid_t above) {
  above_ = above;
  above_status_.emplace(status_of(above));
}

const char* Watchers::stopped(Which which) {
  if (which == Which::both && !own_status_) {
    const std::vector<pid_t> below = living_children(above_);
    if (!below.empty()) own_status_.emplace(status_of(below.front()));
  }
  const auto look = [&]() -> const char* {
    if (is_stopped(above_status_)) {
      return "stopped the process above the one that started it, and was ended";
    }
    const bool own = which == Which::both && is_stopped(own_status_);
    return own ? "stopped the process that started it, and was ended" : nullptr;
  };
  if (look() == nullptr) return nullptr;
  usleep(kPause);
  return look();
}

}  // namespace reshape::conformance
