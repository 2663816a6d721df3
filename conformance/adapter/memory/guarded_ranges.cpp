#include "conformance/adapter/memory/guarded_ranges.h"

#include <array>

namespace reshape::conformance {
namespace {

// Every examiner has about a dozen buffers, so 256 entries are enough for some twenty adapters in
// one process.
std::array<GuardedRange, 256> g_ranges;

}  // namespace

GuardedRange* take_guarded_range(const char* name) {
  for (GuardedRange& range : g_ranges) {
    const char* free = nullptr;
    if (range.name.compare_exchange_strong(free, name)) return &range;
  }
  return nullptr;
}

void give_back(GuardedRange* range) {
  if (range == nullptr) return;
  range->map_begin = 0;
  range->map_end = 0;
  range->name = nullptr;
}

FaultPlace place_of_fault(std::uintptr_t address) {
  for (const GuardedRange& range : g_ranges) {
    const char* name = range.name.load();
    if (name == nullptr) continue;
    if (address < range.map_begin.load() || address >= range.map_end.load()) continue;
    const std::uintptr_t begin = range.begin.load();
    const std::uintptr_t end = range.end.load();
    if (address >= end) return {FaultPlace::Kind::behind, name, address - end + 1};
    if (address < begin) return {FaultPlace::Kind::before, name, begin - address};
    if (range.read_only.load()) {
      return {FaultPlace::Kind::inside_read_only, name, address - begin};
    }
    return {FaultPlace::Kind::unused, name, address - begin};
  }
  return {};
}

}  // namespace reshape::conformance
