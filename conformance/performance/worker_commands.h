#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/performance/workload.h"
#include "reference/tensor/result.h"

namespace reshape::conformance::performance {

// The commands to a worker process and its answers: one JSON object in each line.
struct WorkerCommand {
  enum class Do : std::uint8_t { load, prepare, turn, yardsticks, count };
  Do what = Do::prepare;
  Workload workload = {};  // prepare
  std::uint64_t seed = 0;  // prepare: of the buffers' places
  bool thorough = false;   // prepare: every element is compared, not some
  std::int64_t calls = 1;  // turn, yardsticks, count: of which one block consists
  int blocks = 1;          // turn, yardsticks
  // Drawn for each command and repeated in its answer: a library that writes to the channel does
  // not know it.
  std::string nonce = {};
};

struct Answer {
  std::string why;                  // empty: it was done
  bool wrong = false;               // because the library's answer is wrong: it has no speed
  double seconds = 0;               // prepare: about what a call takes
  std::vector<double> blocks = {};  // turn: seconds of a call, by block
  std::map<std::string, std::vector<double>> yardsticks = {};  // yardsticks: the same by name
  std::int64_t allocations = 0, allocated_bytes = 0;           // count: of all calls together
  bool counted = false;    // count: allocations could be counted
  std::string nonce = {};  // of the command
};

std::string line_of(const WorkerCommand& command);
std::string line_of(const Answer& answer);
// The error is one sentence.
Result<WorkerCommand> command_of(const std::string& line);
// What came from a worker is not trusted: a line without the command's nonce is an error, and so is
// a time of less than a picosecond, or of no known yardstick. `why` is made printable.
Result<Answer> answer_of(const std::string& line, const std::string& nonce);

}  // namespace reshape::conformance::performance
