#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reshape::conformance::performance {

// The parameters of a worker process. A worker loads one library and times it, so that a library
// that crashes or hangs costs one arm of one round and not the program.
struct WorkerStart {
  std::string library = {};
  std::uint64_t seed = 0;  // decides the size of a heap block before the library's allocations
  double slowed = 0;       // 0.05: each block takes 5 % longer, for calibration
  std::vector<std::string> before = {};       // a program under which it runs, with arguments
  std::vector<std::string> environment = {};  // "NAME=value", added
  bool supervised = false;
};

// The main loop of a worker process: reads commands (worker_commands.h) from the socket `channel`,
// one a line, and answers each with an Answer until the socket is closed. The result is the
// process's exit code. A process that is not supervised first starts one that is, below a
// supervisor (adapter/process/supervisor.h) and within its limits; its working directory is the
// one that make_own_folder() made.
int serve_as_worker(const WorkerStart& start, int channel);

// Whether a worker tells callgrind what to count: this program was built with valgrind's header.
bool tells_callgrind();

// The socket's number in a worker process.
inline constexpr int kWorkerChannel = 3;

// A worker's arguments behind the program's command "measure", and their inverse.
std::vector<std::string> words_of(const WorkerStart& start);
WorkerStart start_of(const std::vector<std::string>& words);

}  // namespace reshape::conformance::performance
