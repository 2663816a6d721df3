#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// The messages between a host process and its runner. The decoders accept any bytes: the result is
// a value within the model's ranges, or an Error that says what is garbled.

// The host's first message: what the library can do, or why it could not be loaded.
std::string encode_greeting(const Result<Capabilities>& greeting);
Result<Capabilities> decode_greeting(std::string_view message);

// A command to a host: a request, several at once, or to load the library again.
struct HostCommand {
  std::vector<std::string> lines;  // requests; a single one is asked as usual unless `times` is set
  int times = 0;                   // repetitions of each line, in a thread of its own
  bool in_turn = false;            // with `times`: all lines on one thread
  int milliseconds = 0;            // fewer repetitions if it takes longer; 0: no limit
  bool reload = false;
  bool sweep = false;  // see Adapter::ask_swept
  // Sites (see growth_suspicions.h) where the line is called very often instead.
  unsigned lasting = 0;
  std::optional<Hardship> hardship = std::nullopt;  // the line is asked under it instead
};
std::string encode_command(const HostCommand& command);
Result<HostCommand> decode_command(std::string_view message);

// Asks the host to end. There is no answer but the end of the process.
inline const std::string kGoodbye;

// Interim answers report what was seen so far; exactly one last answer follows, or a death.
enum class Answer : bool { interim, last };
std::string encode_answer(const Outcome& outcome, Answer answer);
struct AnswerRead {
  Outcome outcome;
  Answer answer = Answer::last;
};
Result<AnswerRead> decode_answer(std::string_view message);

}  // namespace reshape::conformance
