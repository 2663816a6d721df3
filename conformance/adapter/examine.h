#pragma once

#include <functional>
#include <memory>
#include <string>

#include "conformance/adapter/plugin_library.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// Told before every call what is being called: nothing for inference, the probe for an execution.
// A process that dies in the call can then be said to have died there.
using Entering = std::function<void(const Probe* probe)>;

// Calls an implementation in this very process and watches it. Keeps its buffers from request to
// request. A crash or a hang of the implementation is a crash or a hang of the process.
class Examiner {
 public:
  // `watch_process`: also watches what belongs to the whole process (files, threads, memory, locale,
  // signals). Only right when nothing else in the process works at the same time.
  Examiner(const PluginLibrary& library, bool watch_process, Entering entering = {});
  ~Examiner();
  Examiner(const Examiner&) = delete;
  Examiner& operator=(const Examiner&) = delete;

  // Infers twice, executes every probe, and says what came of it. `seconds` is left at 0.
  Outcome examine(const Request& request);

 private:
  class Examination;
  struct Equipment;
  std::unique_ptr<Equipment> equipment_;
};

}  // namespace reshape::conformance
