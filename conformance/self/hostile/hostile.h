#pragma once

#include <reshape_plugin.h>

#include <functional>
#include <string_view>
#include <vector>

// Hostile libraries, all in one file: RESHAPE_HOSTILE names the kind. Otherwise, and in everything
// that a kind does not change, it is the example of examples/plugin_c.
namespace hostile {

// A hostile library: the functions that are called at certain points; null: as in the example.
struct Kind {
  std::string_view name;
  std::string_view says;                         // what it does, in a sentence
  void (*when_loaded)() = nullptr;               // by the loader, before anything is asked
  void (*when_unloaded)() = nullptr;             // by the loader, or when the process ends
  void (*describes)(reshape_plugin&) = nullptr;  // the table, before it is handed out
  const reshape_plugin* (*entry)() = nullptr;    // in place of handing it out
  void (*before_inference)(const reshape_request&) = nullptr;
  void (*after_inference)(const reshape_request&, reshape_shape&, reshape_message&,
                          reshape_status&) = nullptr;
  void (*before_execution)(const reshape_request&, DLTensor&) = nullptr;
  void (*after_execution)(const reshape_request&, DLTensor&, reshape_status&) = nullptr;
};

using Kinds = std::vector<Kind>;
Kinds loading_kinds();
Kinds ending_kinds();
Kinds process_kinds();
Kinds answering_kinds();

// A kind that calls `task` before each inference.
Kind infers(std::string_view name, std::string_view says, void (*task)(const reshape_request&));

// True at the first call in this process.
bool first_time();
[[noreturn]] void sleep_forever();

// A fork bomb, limited to somewhat more processes than the supervisor allows.
void fork_without_end();
// A daemon, by two forks.
void start_daemon();

// Not instrumented, so that the processor traps it, and not UndefinedBehaviorSanitizer before that.
// The pointer is read from memory: a compiler that sees that it is null may leave the write out, or
// the whole call.
__attribute__((no_sanitize("undefined"))) inline void write_nowhere() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

}  // namespace hostile
