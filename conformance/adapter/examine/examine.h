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
  // Whether what belongs to the whole process is watched as well: files, threads, memory, locale, signals.
  enum class Process {
    not_watched,  // others work in it at the same time
    watched,      // others work in it between two requests
    own,          // nobody else does: it is found as the last request left it, see disturbed()
  };
  Examiner(const PluginLibrary& library, Process process, CallNotes notes = {});
  ~Examiner();
  Examiner(const Examiner&) = delete;
  Examiner& operator=(const Examiner&) = delete;

  // Infers twice, executes every probe, and says what came of it. `seconds` is left at 0.
  Outcome examine(const Request& request);

  // The same, but `request` is called very often at these sites, for at most so long at each. A
  // "memory-growth" is observed where memory still grows in the end; see LastingGrowth.
  Outcome examine_growth(const Request& request, Sites sites, std::chrono::milliseconds most);

  // Something else was done in a process of its own; what it left behind is no fault of the next request.
  void disturbed();

 private:
  class Examination;
  struct Equipment;
  std::unique_ptr<Equipment> equipment_;
};

}  // namespace reshape::conformance
