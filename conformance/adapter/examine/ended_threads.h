#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "conformance/adapter/contract/bare_calls.h"

namespace reshape::conformance {

// What threads that call a library leave behind when they end: per-thread buffers and keys.

// Has many threads call, one after the other, each of which ends before the next begins. What is wrong: memory
// that stays in use after each of them (duty C15), or another answer.
struct LeftByThreads {
  std::optional<std::string> wrong;
  // Not where the machine refuses a thread, or `end` comes before enough were there.
  bool finished = false;
};
LeftByThreads left_by_ended_threads(BareCalls& calls, std::chrono::steady_clock::time_point end);

// A thread that has called a library, and is there until it is told to end: after the library was unloaded, say.
class OutlivingThread {
 public:
  OutlivingThread(const PluginLibrary& library, const Request& request);
  ~OutlivingThread();  // lets it end, and waits for that

 private:
  struct Turn;
  std::unique_ptr<BareCalls> calls_;
  std::unique_ptr<Turn> turn_;
  std::vector<std::jthread> thread_;
};

}  // namespace reshape::conformance
