#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/property/law_result.h"

namespace reshape::conformance {

// For broken laws about threads: whether another thread is enough to break them, or concurrent
// calls are needed.
struct ThreadFinding {
  std::vector<std::string> laws;
  // "a thread that did not load the library is answered otherwise ...: other elements than before"
  std::string says;
  std::string line;  // of the request that shows it; empty where none does
};

// Asks the requests that broke such laws in fresh processes, without concurrent calls: on the
// thread that loaded the library, on another one, and on both in turn. Stops after `seconds`.
std::vector<ThreadFinding> where_threads_differ(
    std::span<const LawResult> laws, const std::function<Result<std::unique_ptr<Adapter>>()>& start,
    double seconds);

}  // namespace reshape::conformance
