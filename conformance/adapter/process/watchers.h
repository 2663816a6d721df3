#pragma once

#include <sys/types.h>

#include <optional>

#include "conformance/adapter/process/proc_file.h"

namespace reshape::conformance {

// The two processes above an implementation's (see supervisor.h), as the runner sees them. While
// they are stopped nobody ends a fork bomb, and nothing that is told of them is told.
class Watchers {
 public:
  // The upper one, which the runner started.
  void begin(pid_t above);
  enum class Which { above, both };
  // What the implementation did, in words: "stopped the process that started it, and was ended";
  // null where they live. Of `both`, the lower one is known once it has started.
  const char* stopped(Which which);

 private:
  pid_t above_ = 0;
  std::optional<ProcFile> above_status_;
  std::optional<ProcFile> own_status_;
};

}  // namespace reshape::conformance
