#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// The most elements that are copied without watches.
inline constexpr std::int64_t kMostCopied = 1 << 16;

// An answer that differed from the one alone; or the error when the machine refused a thread.
struct FirstCalls {
  std::optional<std::string> wrong;
  int refusal = 0;
};

// Tests concurrent initialization: asks each of `requests`, and then small new ones, in a thread of
// its own, all threads at once, so that several of them initialize shared state or fill a cache.
// The right answers are asked alone afterwards. A process has its first calls once: they are asked
// in some forked children before, for up to `most`. A child that dies or hangs says nothing.
FirstCalls first_calls_together(const PluginLibrary& library, const std::vector<Request>& requests,
                                std::chrono::milliseconds most);
// The same in turn on this thread: first calls that are wrong on one thread are so on several, too.
FirstCalls first_calls_in_turn(const PluginLibrary& library, const std::vector<Request>& requests);

// To be called in a forked child: this process's crash handlers write to a note that is shared with
// the runner. Other signals may be a runtime's, and stay.
void take_default_signals();

}  // namespace reshape::conformance
