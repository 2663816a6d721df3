#include "conformance/adapter/examine/long_use.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "conformance/adapter/examine/keys_of_threads.h"

namespace reshape::conformance {
namespace {

// An allocator's noise is less than a page, and it maps less than kNoMapping.
constexpr int kNoLeak = 4096;  // bytes
constexpr int kNoMapping = 64 << 10;

// The kernel lists each with a line "ID: n".
std::int64_t timers_in_use() {
  std::ifstream list("/proc/self/timers");
  std::int64_t count = 0;
  for (std::string line; std::getline(list, line);) count += line.starts_with("ID:") ? 1 : 0;
  return count;
}

}  // namespace

void LongUse::after(int time, Outcome& outcome) {
  if (times_ < kLongUse) return;
  if (time == from_) before_ = now();
  if (time != times_ - 1) return;
  const InUse last = now();
  const std::int64_t allocated = last.allocated - before_.allocated;
  const std::int64_t mapped = unwatched_ ? 0 : last.mapped - before_.mapped;
  if (allocated > std::max(kNoLeak, times_ - from_) || mapped > kNoMapping) {
    saw(outcome, CaughtBy::memory_growth, Duty::C15, std::max(allocated, mapped), "bytes more");
  }
  constexpr int kFew = 2;
  if (last.keys - before_.keys > kFew) {
    saw(outcome, CaughtBy::process_settings, Duty::C14, last.keys - before_.keys,
        "keys of threads (pthread_key_create) more");
  }
  if (last.timers - before_.timers > kFew) {
    saw(outcome, CaughtBy::process_settings, Duty::C14, last.timers - before_.timers,
        "timers (timer_create) more");
  }
}

LongUse::InUse LongUse::now() {
  return {memory_in_use(), mapped_.now(), keys_in_use(), timers_in_use()};
}

void LongUse::saw(Outcome& outcome, CaughtBy watch, Duty duty, std::int64_t many,
                  const char* what) const {
  outcome.observations.push_back({watch, Plane::memory, duty,
                                  std::to_string(many) + ' ' + what + " are in use after " +
                                      std::to_string(times_ - from_) + " equal requests"});
}

}  // namespace reshape::conformance
