#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "conformance/performance/worker.h"
#include "conformance/performance/worker_commands.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {
class Watchers;
}

namespace reshape::conformance::performance {

// A running worker process, below a supervisor, in a folder of its own and within the limits of a
// host process. Destroying this ends the process and all that it started, and removes the folder.
class WorkerProcess {
 public:
  struct Options {
    WorkerStart start = {};
    double deadline_seconds = 20;  // for each answer, and for the start
  };

  // Waits until the library is loaded. The error names the library and says how it ended.
  static Result<std::unique_ptr<WorkerProcess>> start(const Options& options);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // The answer, or one that says that the process crashed, ended, or was late, or that another than
  // the worker has answered; after that every further command gets the same answer.
  Answer ask(WorkerCommand command);

  // Its working directory.
  const std::string& folder() const { return folder_; }

 private:
  WorkerProcess();
  Answer receive(const std::string& nonce);
  Answer lost(const std::string& how);
  Answer ended();

  pid_t process_ = -1;
  int channel_ = -1;
  int watch_ = -1;
  std::unique_ptr<Watchers> watchers_;
  std::uint64_t ended_before_ = 0;  // for lack of memory, when it was started
  std::string folder_;
  double deadline_seconds_ = 0;
  std::string library_;
  std::string kept_;
  std::string gone_;  // how it ended
};

}  // namespace reshape::conformance::performance
