#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/examine/growth_suspicions.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// Callbacks by which a host process reports its progress, so that a death in a call loses nothing.
struct CallNotes {
  // Before every call: nothing for inference, the probe for an execution.
  std::function<void(const Probe* probe)> entering;
  // After a call in which a watch saw something: everything so far.
  std::function<void(const Outcome& so_far)> seen;
};

// Calls an implementation in this process and watches it. Reuses its buffers from request to
// request. A crash or a hang of the implementation is one of the process.
class Examiner {
 public:
  // Whether what belongs to the whole process is watched as well: files, threads, memory, locale,
  // signals.
  enum class Process {
    not_watched,  // others work in it at the same time
    watched,      // others work in it between two requests
    own,          // nobody else does, so it is as the last request left it; see disturbed()
  };
  Examiner(const PluginLibrary& library, Process process, CallNotes notes = {});
  ~Examiner();
  Examiner(const Examiner&) = delete;
  Examiner& operator=(const Examiner&) = delete;

  // Infers twice, executes every probe, and returns the outcome. `seconds` is left at 0.
  Outcome examine(const Request& request);

  // The same, but repeats the calls of `request` very often at these sites, for at most `most` at
  // each. Observes "memory-growth" where memory still grows at the end; see LastingGrowth.
  Outcome examine_growth(const Request& request, Sites sites, std::chrono::milliseconds most);

  // To be called after doing something else in the process: what that left behind is not blamed on
  // the next request.
  void disturbed();

 private:
  class Examination;
  struct Equipment;
  std::unique_ptr<Equipment> equipment_;
};

}  // namespace reshape::conformance
