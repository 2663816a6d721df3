#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "conformance/adapter/memory/call_site.h"
#include "conformance/adapter/process/proc_file.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// Checks one thing that must be unchanged after a call, or must have a certain form. A watch stores
// what it needs between before() and after(), and can be reused for any number of calls. When it
// has seen a change it restores the process, so that the next call is not blamed.
class Watch {
 public:
  virtual ~Watch() = default;
  virtual void before(const CallSite&) {}
  virtual void after(const CallSite& site, Status answered, std::vector<Observation>& seen) = 0;
};
using WatchPtr = std::unique_ptr<Watch>;

// Watches around a single call: they check the memory that the call was given.
WatchPtr watch_canaries();                  // nothing around any buffer was written
WatchPtr watch_input_unchanged();           // the data's bytes, gaps included
WatchPtr watch_output_gaps();               // what lies between the elements of the output
WatchPtr watch_arguments_unchanged();       // sizes, strides, pattern, the request itself
WatchPtr watch_shape_canary();              // the array that receives the shape
WatchPtr watch_rejection_writes_nothing();  // the output of every call that did not answer ok
WatchPtr watch_message();                   // ends within its array
WatchPtr watch_floating_point_control();    // rounding, masks, x87 registers in use

// Watches around all calls of a request: they check the process and ignore the site.
WatchPtr watch_locale();
WatchPtr watch_signals();  // mask and handlers; see displaced_handlers.h
// Whether to wait for what another thread may undo within milliseconds.
enum class Patience : std::uint8_t { none, some };
WatchPtr watch_open_files(Patience patience = Patience::some);
WatchPtr watch_threads();
WatchPtr watch_working_directory();
// Environment, umask, priority, limits, timers, children, capabilities, namespaces, locked pages,
// the handlers of std::terminate and of new, rand().
WatchPtr watch_process_settings();
// Of the calling thread: processors, name, stack for signals, whether it can be cancelled.
WatchPtr watch_thread_settings();

// Bytes allocated by malloc and not freed; 0 where the allocator does not count them.
std::int64_t memory_in_use();
// How many keys of threads (pthread_key_create) the process uses, where none is free below one that
// is not.
std::int64_t keys_in_use();
// Memory in use. `mapped` also shows what is taken from the system directly.
struct MemoryUse {
  std::int64_t in_use = 0;  // bytes of the allocator: memory_in_use()
  std::int64_t mapped = 0;  // bytes of address space
  bool grown_since(const MemoryUse& before) const {
    return in_use > before.in_use || mapped > before.mapped;
  }
  // The larger of both differences.
  std::int64_t more_than(const MemoryUse& before) const {
    return std::max(in_use - before.in_use, mapped - before.mapped);
  }
};
// Reads it without allocating.
class MemoryMeter {
 public:
  MemoryUse now();

 private:
  ProcFile statm_{"/proc/self/statm"};
};

// Watches memory over consecutive equal turns of one call or more, with before() and after() around
// each turn; reports at the kGrowingTurns-th turn in a row that left more memory in use than
// before. An allocator caches freed chunks and counts them as in use: glibc up to 7 of each size,
// one more with each call if they come from calloc. So only a longer streak is a leak. And a leak
// that such chunks serve does not grow with each call, so a turn is kCallsATurn calls where these
// are quick.
inline constexpr int kGrowingTurns = 12;
inline constexpr int kCallsATurn = 20;
class MemoryGrowth {
 public:
  void before() { before_ = meter_.now(); }
  void after(std::vector<Observation>& seen);
  void start_over() { grown_ = 0; }              // other turns follow
  void set_calls(int calls) { calls_ = calls; }  // of each turn
  bool growing() const { return grown_ > 0; }    // the last turn grew

 private:
  MemoryMeter meter_;
  MemoryUse before_, first_;  // of this turn, and of the first in a row
  int calls_ = 1;             // in a turn
  int grown_ = 0;             // turns
};

}  // namespace reshape::conformance
