#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "conformance/performance/worker.h"
#include "conformance/performance/worker_commands.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {
class TreeGrowth;
}

namespace reshape::conformance::performance {

// A running worker process. Destroying this ends the process and all that it started. It has no
// supervisor, which would disturb the timing: whoever waits for it checks its descendants.
class WorkerProcess {
 public:
  struct Options {
    WorkerStart start;
    std::vector<std::string> before;       // a program under which the worker runs, with arguments
    std::vector<std::string> environment;  // "NAME=value", added
    double deadline_seconds = 20;          // for each answer, and for the start
  };

  // Waits until the library is loaded. The error names the library and says how it ended.
  static Result<std::unique_ptr<WorkerProcess>> start(const Options& options);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // The answer, or one that says that the process crashed, ended, or was late; after that every
  // further command gets the same answer.
  Answer ask(const WorkerCommand& command);

  // Closes the channel and waits, up to the deadline, for the process to leave by itself.
  void leave();

 private:
  WorkerProcess();
  Answer receive();
  Answer lost(const std::string& how);
  void end();

  pid_t process_ = -1;
  int channel_ = -1;
  double deadline_seconds_ = 0;
  std::string library_;
  std::string kept_;
  std::string gone_;                    // how it ended
  std::unique_ptr<TreeGrowth> growth_;  // of all that this program has started
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace reshape::conformance::performance
