#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

// Difficult circumstances under which a process makes its calls.
enum class Hardship : std::uint8_t {
  forked,         // the calls come from a forked child, which has only one of its parent's threads
  no_memory,      // the process gets no more memory
  long_copy,      // the tensors have more bytes than 32 bits can count
  ended_threads,  // each of many threads calls once and ends, one after the other
  neighbour,      // another thread writes the byte behind the output
  first_calls,    // the first calls of a process
  executed_in_turn,  // small requests like this one, with no inference between the executions
  many_shapes,       // tables of up to 260 rows and columns, more than 16 bits count
  executed_first,    // nothing of the kind was inferred before, in the process or on the thread
};

// A way to reach one implementation. It asks and reports what happened; it never judges, and does
// not know what is expected. Not thread-safe; start several adapters for parallel runs.
class Adapter {
 public:
  virtual ~Adapter() = default;

  // What its first process declared, or what it is held to.
  virtual const Capabilities& capabilities() const = 0;
  // Another adapter's process was the first of the run, and declared this: it binds this one, too.
  virtual void hold_to(const Capabilities&) {}
  // How the process that answers declares otherwise than capabilities(), in a sentence that begins
  // with "a later start of it"; empty where it does not. Outcomes of ask() tell it as well, in
  // Outcome::at_first_use.
  virtual std::string declares_otherwise() const { return ""; }

  // Infers the shape and executes every probe for the request. Always returns an Outcome, whatever
  // the implementation does: a crash or a hang costs the case, not the run.
  virtual Outcome ask(const Request& request) = 0;

  // What ask() had asked the process that gave the last answer before; of very many requests only
  // the later ones. Nothing where that is not recorded.
  virtual AskedBefore asked_before() const { return {}; }

  // Asks each request in a thread of its own, all threads at the same time, `times` times. Every
  // request gets one outcome: its first, or the first that differs from it. Empty when this adapter
  // has no threads.
  virtual std::vector<Outcome> ask_together(const std::vector<Request>& requests, int times);
  // The same work on the calling thread, one request after the other, to compare with
  // ask_together().
  virtual std::vector<Outcome> ask_in_turn(const std::vector<Request>& requests, int times);

  // Executes a dense request, and then again under the hardship. Produced where both gave the same
  // result, or the implementation failed for lack of memory and wrote nothing; else malformed or a
  // death. Unsupported where it is not executed, like a long copy that would take too long or too
  // much memory. Nothing when this adapter cannot create the hardship.
  virtual std::optional<Outcome> ask_under(const Request& request, Hardship hardship);

  // Executes each of these requests, one after the other and with few watches, and compares the
  // output, its gaps and what lies beside it with what a copy leaves there: quick, so that very many
  // can be asked. Small ones are executed again where both sides end with a page, and, if overlap is
  // declared, into the buffer of the data. A shape is produced for each of them. Produced where all were
  // right; else malformed with a message about the first that was not, or a death. The outcome's
  // shape is [the number of those before it]. Cut short where time ran out. Nothing when this
  // adapter cannot place tensors.
  virtual std::optional<Outcome> ask_swept(const std::vector<Request>& requests);

  // Whether this adapter can unload the implementation and load it again.
  virtual bool can_reload() const { return false; }
  // Precondition: can_reload().
  virtual std::optional<Error> reload();
  // How a process ended that did not end as it was asked to: "died of SIGSEGV (...)", or it hung.
  struct BadEnd {
    std::string how;
    bool hung = false;
  };
  // Asks the process that the implementation is in, where that is one of its own, to end; the next
  // request starts another one. Nothing where it ended well, or on a busy machine too late to tell.
  virtual std::optional<BadEnd> end_process() { return std::nullopt; }
  // Whether it was the machine that refused a process when reload() failed.
  virtual bool refused() const { return false; }
};

// Starts one more adapter to the same implementation.
using StartAdapter = std::function<Result<std::unique_ptr<Adapter>>()>;
// The same, each held to this. Empty where `start` is.
StartAdapter held_to(const Capabilities& first, const StartAdapter& start);

struct AdapterOptions {
  // Path of the shared library; or "child:" and the command line of a program that speaks
  // CHILD_PROTOCOL.md; or "python:module:function", which conformance/python serves by that
  // protocol.
  std::string library;
  bool in_process = false;  // no host process: faster, but a crash ends the program
  // For one request, all probes together; plus a second for every 8 MiB of data that it executes.
  // Counts only time in which the machine lets it work, and may take five times as long by the
  // clock on a busy one.
  double deadline_seconds = 10;
  // With in_process: nothing else runs in this process meanwhile, so that process-wide state
  // (files, threads, memory, locale, signals) can be watched.
  bool alone_in_process = true;
};

// Loads the library (in a host process unless in_process) and reads its description, or starts the
// child and reads its hello. The error is one sentence that names the library: not a shared
// library, no entry symbol, a table of another version, a description that contradicts itself, a
// crash while loading.
Result<std::unique_ptr<Adapter>> start_adapter(const AdapterOptions& options);

// The main loop of a host process: loads `library`, answers requests on `channel` (a socket) until
// it is closed. Never returns to normal program flow; the result is the process's exit code.
int serve_as_host(const std::string& library, int channel);

// The argument with which this program starts itself to supervise a child; the child's command
// follows it. supervise_command() returns only where that fails; the result is the process's exit
// code.
inline constexpr const char* kSuperviseCommand = "supervise";
int supervise_command(const std::vector<std::string>& words);

}  // namespace reshape::conformance
