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

// What a host process and its runner say to each other. Every reader is total: whatever the bytes
// are, the result is a value within the model's ranges or an Error that says what is garbled.

// The host's first message: what the library can do, or why it could not be loaded.
std::string encode_greeting(const Result<Capabilities>& greeting);
Result<Capabilities> decode_greeting(std::string_view message);

// What a host is asked: a request, several at once, or to load the library again.
struct HostCommand {
  std::vector<std::string>
      lines;             // requests; one is asked in the ordinary way, unless `times` is given
  int times = 0;         // each line in a thread of its own, so often
  bool in_turn = false;  // of `times`: all lines in the thread that reads them
  int milliseconds = 0;  // less often where that takes longer; 0: it takes what it takes
  bool reload = false;
  // Sites (see growth_suspicions.h) where the line is called very often instead.
  unsigned lasting = 0;
  std::optional<Hardship> hardship = std::nullopt;  // the line is asked under it instead
};
std::string encode_command(const HostCommand& command);
Result<HostCommand> decode_command(std::string_view message);

// Interim answers tell what was seen so far; exactly one last answer follows them, or a death.
enum class Answer : bool { interim, last };
std::string encode_answer(const Outcome& outcome, Answer answer);
struct AnswerRead {
  Outcome outcome;
  Answer answer = Answer::last;
};
Result<AnswerRead> decode_answer(std::string_view message);

}  // namespace reshape::conformance
