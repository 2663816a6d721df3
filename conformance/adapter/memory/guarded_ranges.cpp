#include "conformance/adapter/memory/guarded_ranges.h"

#include <algorithm>
#include <array>

namespace reshape::conformance {
namespace {

// Every examiner has about a dozen buffers, so 256 entries are enough for some twenty adapters in
// one process.
std::array<GuardedRange, 256> g_ranges;

// Pages that a buffer has left. The oldest are overwritten.
struct LeftPages {
  std::atomic<const char*> name{nullptr};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
};
std::array<LeftPages, 1024> g_left;
std::atomic<std::size_t> g_times_left{0};

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
  range->read_only = false;  // else the next buffer here is taken for one that was protected
  range->name = nullptr;
}

void note_left_pages(const char* name, std::uintptr_t begin, std::uintptr_t end) {
  LeftPages& left = g_left[g_times_left.fetch_add(1) % g_left.size()];
  left.name = nullptr;  // while it changes
  left.begin = begin;
  left.end = end;
  left.name = name;
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
  const std::size_t times = g_times_left.load();
  for (std::size_t back = 1; back <= std::min(times, g_left.size()); ++back) {
    const LeftPages& left = g_left[(times - back) % g_left.size()];
    const char* name = left.name.load();
    if (name == nullptr || address < left.begin.load() || address >= left.end.load()) continue;
    return {FaultPlace::Kind::left, name, address - left.begin.load()};
  }
  return {};
}

}  // namespace reshape::conformance
