#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reshape::conformance::performance {

// What a worker process is started with. A worker loads one library and times what it is told to, so
// that a library that crashes, hangs or lies costs one arm of one round and not the program.
struct WorkerStart {
  std::string library;
  std::uint64_t seed = 0;  // how much lies on the heap before anything of the library's
  double slowed = 0;       // 0.05: each block is made to take 5 % longer, for calibration
};

// The main loop of a worker process: reads commands (worker_commands.h) from the socket `channel`, one a line,
// and answers each with an Answer until the socket is closed. The result is the process's exit code.
int serve_as_worker(const WorkerStart& start, int channel);

// The socket's number in a worker process.
inline constexpr int kWorkerChannel = 3;

// A worker's command line and back: what stands behind "measure", which is the program's first word.
std::vector<std::string> words_of(const WorkerStart& start);
WorkerStart start_of(const std::vector<std::string>& words);

}  // namespace reshape::conformance::performance
