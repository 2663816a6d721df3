#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/contract/plugin_library.h"

// What is asked of a library beside the examination of one request (see examine.h): what Adapter
// offers, in the process that the library is in.
namespace reshape::conformance {

enum class Threads { one_each, none };

// Examines each request in a thread of its own, or the same in turn on this thread; see
// Adapter::ask_together and ask_in_turn. Process-wide state is not watched.
std::vector<Outcome> examine_together(const PluginLibrary& library,
                                      const std::vector<Request>& requests, int times,
                                      Threads threads, int milliseconds = 0);

// See Adapter::ask_swept. Stops at `end`; then fewer were asked, and the outcome is cut short.
Outcome examine_sweep(const PluginLibrary& library, const std::vector<Request>& requests,
                      std::chrono::steady_clock::time_point end);

// See Adapter::ask_under. A forked child that does not answer within `milliseconds` is killed.
// Returns only in the calling process.
Outcome examine_under(const PluginLibrary& library, const Request& request, Hardship hardship,
                      int milliseconds);

// An Outcome of Kind::malformed.
Outcome malformed(const char* during, std::string message);

}  // namespace reshape::conformance
