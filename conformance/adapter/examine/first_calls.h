#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// What was answered otherwise than alone; or that the machine refused a thread.
struct FirstCalls {
  std::optional<std::string> wrong;
  int refusal = 0;
};

// Small requests that nobody asked before, and then each request in a thread of its own, each for the first time and all
// threads at once: what the first call sets up, and what a cache keeps of a new request, is set up by several at a time.
// What is right is asked alone afterwards.
FirstCalls first_calls_together(const PluginLibrary& library, const std::vector<Request>& requests,
                                std::int64_t most_elements);
// The same in turn, in this thread: what the first calls of one thread do otherwise, those of several do, too.
FirstCalls first_calls_in_turn(const PluginLibrary& library, const std::vector<Request>& requests,
                               std::int64_t most_elements);

}  // namespace reshape::conformance
