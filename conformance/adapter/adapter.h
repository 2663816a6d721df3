#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// What was asked in the same process before a request, oldest first: the first `count` of `lines`.
struct AskedBefore {
  std::shared_ptr<const std::vector<std::string>> lines;
  std::size_t count = 0;
};

// What a process may go through while it asks.
enum class Hardship : std::uint8_t {
  forked,         // it has forked, and its child asks: of the threads there were only one is there
  no_memory,      // it gets no more memory
  long_copy,      // more bytes lie before it than 32 bits count
  ended_threads,  // each of many threads asks once and ends, one after the other
  first_calls,    // none: it has not asked before
};

// A way to reach one implementation. It asks and reports; it never judges, and it is never told what
// is expected. One adapter serves one thread; start several for parallel runs.
class Adapter {
 public:
  virtual ~Adapter() = default;

  virtual const Capabilities& capabilities() const = 0;

  // Infers the shape and runs every probe that the request calls for. Whatever the implementation
  // does, this returns an Outcome; a crash or a hang costs the case, not the run.
  virtual Outcome ask(const Request& request) = 0;

  // What the process that gave the last answer of ask() had been asked by ask() before: of very many the
  // later ones. Nothing where that is not kept.
  virtual AskedBefore asked_before() const { return {}; }

  // Asks each request in a thread of its own, all threads at the same time, `times` times over. Every
  // request gets one outcome: its first, or the first that differs from that. None when this way of
  // reaching an implementation has no threads.
  virtual std::vector<Outcome> ask_together(const std::vector<Request>& requests, int times);
  // The same work of the one thread that asks, a request after the other: what comes of it without any threads.
  virtual std::vector<Outcome> ask_in_turn(const std::vector<Request>& requests, int times);

  // Asks a dense request that is executed, and then again in such a case. Produced where both came to the
  // same, or the implementation failed for want of memory and wrote nothing; malformed or a death where not.
  // Unsupported where it is not executed, as a long copy is not that would take too long or for which the
  // machine has too little memory.
  // Nothing when this way of reaching an implementation cannot be brought into such a case.
  virtual std::optional<Outcome> ask_under(const Request& request, Hardship hardship);

  // Whether this way of reaching an implementation can unload it and load it again.
  virtual bool can_reload() const { return false; }
  // Does so, where can_reload().
  virtual std::optional<Error> reload();
  // Has the process that it is in, where that is one of its own, come to its end; the next request gets another one. How
  // it died, where it did not end as it was asked to.
  virtual std::optional<std::string> end_process() { return std::nullopt; }
  // Whether it was the machine that refused a process when reload() failed.
  virtual bool refused() const { return false; }
};

struct AdapterOptions {
  // Path of the shared library; or "child:" and the command line of a program that speaks
  // CHILD_PROTOCOL.md; or "python:module:function", which conformance/python serves by that protocol.
  std::string library;
  bool in_process = false;  // no host process: faster, but a crash ends the program
  // For one request, all probes together; a second more for every 8 MiB of data that it executes. Only time in
  // which the machine lets it work counts, so that it takes up to five times as long on a busy one.
  double deadline_seconds = 10;
  // Of in_process: nothing else works in this process while the implementation is asked, so that what belongs
  // to the whole process (files, threads, memory, locale, signals) is watched.
  bool alone_in_process = true;
};

// Loads the library (in a host process unless in_process) and reads its description, or starts the
// child and reads its hello. The error is one sentence that names the library: not a shared library, no
// entry symbol, a table of another version, a description that contradicts itself, a crash while loading.
Result<std::unique_ptr<Adapter>> start_adapter(const AdapterOptions& options);

// The main loop of a host process: loads `library`, answers requests on `channel` (a socket) until it
// is closed. Never returns to normal program flow; the result is the process's exit code.
int serve_as_host(const std::string& library, int channel);

// What this program starts itself with, and the words of a command behind it, to supervise a child that
// runs them. Returns only where that cannot be done; the result is the process's exit code.
inline constexpr const char* kSuperviseCommand = "supervise";
int supervise_command(const std::vector<std::string>& words);

}  // namespace reshape::conformance
