#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "conformance/adapter/contract/bare_calls.h"

namespace reshape::conformance {

// Tests what threads that called a library leave behind when they end: per-thread buffers and keys.

// The result of calls by many threads, each of which ends before the next begins. What may be
// wrong: memory that stays in use after each of them (duty C15), or a different answer.
struct LeftByThreads {
  std::optional<std::string> wrong;
  // False where the machine refuses a thread, or `end` comes before enough threads ran.
  bool finished = false;
  bool answered_otherwise = false;  // that is what is wrong
};
LeftByThreads left_by_ended_threads(BareCalls& calls, std::chrono::steady_clock::time_point end);

// A thread that has called a library and lives until this is destroyed, so that it can outlive the
// library.
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
