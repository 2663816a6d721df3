#pragma once

#include <atomic>
#include <cstdint>

namespace reshape::conformance {

// Where a guarded buffer lies at the moment. The fault handler reads this inside a signal handler,
// so the members are atomics, in a table that never moves.
struct GuardedRange {
  std::atomic<const char*> name{nullptr};    // null: this place in the table is free
  std::atomic<std::uintptr_t> map_begin{0};  // the first guard page
  std::atomic<std::uintptr_t> map_end{0};    // behind the last guard page
  std::atomic<std::uintptr_t> begin{0};      // the buffer that was passed
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> read_only{false};
};

// The name of the buffer that duty C6 protects; C11 protects everything else that is read-only.
inline constexpr char kNameOfData[] = "data";

// Takes a free entry of the table; null when all are taken (faults in that buffer are then not
// named). Thread-safe.
GuardedRange* take_guarded_range(const char* name);
void give_back(GuardedRange* range);

// Remembers that the buffer of this name no longer lies in these pages, which are unmapped or
// protected now. The latest are remembered. Thread-safe.
void note_left_pages(const char* name, std::uintptr_t begin, std::uintptr_t end);

// What lies at the address of a fault. Async-signal-safe: no allocation, no locks.
struct FaultPlace {
  enum class Kind : std::uint8_t {
    unknown,
    before,
    behind,
    inside_read_only,
    unused,
    left,  // no buffer lies there, and the one of this name did earlier
  };
  Kind kind = Kind::unknown;
  const char* name = nullptr;  // of the buffer
  std::uint64_t distance = 0;  // bytes before or behind, at least 1; or the byte inside
};
FaultPlace place_of_fault(std::uintptr_t address);

}  // namespace reshape::conformance
