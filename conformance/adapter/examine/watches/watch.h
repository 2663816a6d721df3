#pragma once

#include <memory>
#include <vector>

#include "conformance/adapter/memory/call_site.h"
#include "conformance/adapter/process/proc_file.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// One thing that must be the same after a call as before, or must look a certain way. A watch keeps
// what it needs from before() to after() and may be used for any number of calls. After it saw
// something, it puts the process back, so that the next call is not blamed for this one.
class Watch {
 public:
  virtual ~Watch() = default;
  virtual void before(const CallSite& site) = 0;
  virtual void after(const CallSite& site, Status answered, std::vector<Observation>& seen) = 0;
};
using WatchPtr = std::unique_ptr<Watch>;

// Around a single call. They look at the places that the call was given.
WatchPtr watch_canaries();                  // nothing around any buffer was written
WatchPtr watch_input_unchanged();           // the data's bytes, gaps included
WatchPtr watch_output_gaps();               // what lies between the elements of the output
WatchPtr watch_arguments_unchanged();       // sizes, strides, pattern, the request itself
WatchPtr watch_shape_canary();              // the array that receives the shape
WatchPtr watch_rejection_writes_nothing();  // the output of every call that did not answer ok
WatchPtr watch_message();                   // ends within its array
WatchPtr watch_floating_point_control();    // rounding, masks, x87 registers in use

// Around all calls of a request. They look at the process and not at the site.
WatchPtr watch_locale();
WatchPtr watch_signals();  // mask and handlers
WatchPtr watch_open_files();
WatchPtr watch_threads();
WatchPtr watch_working_directory();
// Environment, umask, priority, processors, limits, timers, children, the thread's name, the stack for
// signals and the handler of std::terminate.
WatchPtr watch_process_settings();

// Bytes that malloc gave out and did not get back; 0 where nobody counts them.
std::int64_t memory_in_use();
// Bytes of address space, which also shows memory taken from the system directly. Allocates nothing.
class MappedMemory {
 public:
  std::int64_t now();

 private:
  ProcFile statm_{"/proc/self/statm"};
};

// Around each of several equal turns that follow each other directly, each of one call or more: memory
// that grows with every one of them. One before() and after() a turn; it reports at the
// kGrowingTurns-th turn in a row that left more memory in use than it found.
// An allocator keeps freed chunks at hand and counts them as in use: glibc up to 7 of a size, one more
// with each call where they come from calloc. Only a longer streak is a leak; and a leak that such chunks
// serve does not grow with each call, so that a turn is kCallsATurn calls where they are quick.
inline constexpr int kGrowingTurns = 12;
inline constexpr int kCallsATurn = 20;
class MemoryGrowth : public Watch {
 public:
  void before(const CallSite& site) override;
  void after(const CallSite& site, Status answered, std::vector<Observation>& seen) override;
  void start_over() { grown_ = 0; }              // other turns follow
  void set_calls(int calls) { calls_ = calls; }  // of each turn
  bool growing() const { return grown_ > 0; }    // the last turn grew

 private:
  MappedMemory memory_mapped_;
  std::int64_t in_use_ = 0;  // bytes of the allocator
  std::int64_t mapped_ = 0;  // bytes of address space
  std::int64_t first_in_use_ = 0;
  std::int64_t first_mapped_ = 0;
  int calls_ = 1;  // in a turn
  int grown_ = 0;  // turns
};

}  // namespace reshape::conformance
