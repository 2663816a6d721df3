#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/examine/growth_suspicions.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// What a host process tells as it goes, so that a death in a call loses nothing that was seen before.
struct CallNotes {
  // Before every call: nothing for inference, the probe for an execution.
  std::function<void(const Probe* probe)> entering;
  // After a call in which a watch saw something: everything so far.
  std::function<void(const Outcome& so_far)> seen;
};

// Calls an implementation in this very process and watches it. Keeps its buffers from request to
// request. A crash or a hang of the implementation is a crash or a hang of the process.
class Examiner {
 public:
  // `watch_process`: also watches what belongs to the whole process (files, threads, memory, locale,
  // signals). Only right when nothing else in the process works at the same time.
  Examiner(const PluginLibrary& library, bool watch_process, CallNotes notes = {});
  ~Examiner();
  Examiner(const Examiner&) = delete;
  Examiner& operator=(const Examiner&) = delete;

  // Infers twice, executes every probe, and says what came of it. `seconds` is left at 0.
  Outcome examine(const Request& request);

  // The same, but `request` is called very often at these sites, for at most so long at each. A
  // "memory-growth" is observed where memory still grows in the end; see LastingGrowth.
  Outcome examine_growth(const Request& request, Sites sites, std::chrono::milliseconds most);

 private:
  class Examination;
  struct Equipment;
  std::unique_ptr<Equipment> equipment_;
};

}  // namespace reshape::conformance
