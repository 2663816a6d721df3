#include "conformance/adapter/examine/lasting_growth.h"

#include <time.h>

#include <algorithm>

namespace reshape::conformance {
namespace {

// A real library was seen to fill a cache over 36,000 calls: with this many calls, it has stopped
// growing in the last three fifths.
constexpr std::int64_t kMostCalls = 100'000;
constexpr std::int64_t kLeastCalls = 512;
constexpr std::int64_t kFirstEvery = 1;
constexpr std::size_t kMostSamples = 128;
// Bytes; no cache grows this large by equal calls.
constexpr std::int64_t kNoCache = std::int64_t{256} << 20;
constexpr std::int64_t kTooMuch = std::int64_t{512} << 20;
// Bytes; less is the allocator's noise.
constexpr std::int64_t kNoLeak = 4096;
// An allocator that keeps freed chunks of every size fills slowly where calls allocate much: a real
// library was seen to keep 20 KB over its first 200 calls, in one call of four. With fewer calls than
// these, only growth of so many bytes is a leak, or growth at nearly every look.
constexpr std::int64_t kManyCalls = 4096;
constexpr std::int64_t kNoNoise = 256 << 10;
constexpr std::size_t kLeastLooks = 8;
// In which a list that doubles grows over the last three fifths of all calls.
constexpr std::size_t kFewSteps = 2;

// Of the calling thread.
std::chrono::nanoseconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

LastingGrowth::LastingGrowth(std::chrono::milliseconds most)
    : processor_end_(processor_time() + most),
      end_(std::chrono::steady_clock::now() + kMostWall * most),
      every_(kFirstEvery) {
  samples_.reserve(kMostSamples);
  take_sample();
}

void LastingGrowth::take_sample() {
  samples_.push_back({calls_, meter_.now()});
  if (samples_.size() < kMostSamples) return;
  for (std::size_t at = 0; at < samples_.size() / 2; ++at) samples_[at] = samples_[2 * at];
  samples_.resize(samples_.size() / 2);
  every_ *= 2;
}

const LastingGrowth::Sample& LastingGrowth::sample_before(std::int64_t calls) const {
  const auto behind = std::ranges::upper_bound(samples_, calls, {}, &Sample::calls);
  return behind == samples_.begin() ? *behind : *(behind - 1);
}

std::int64_t LastingGrowth::grown_since(std::int64_t calls) const {
  return samples_.back().use.more_than(sample_before(calls).use);
}

bool LastingGrowth::goes_on() {
  ++calls_;
  const bool late = processor_time() >= processor_end_;
  const bool over = calls_ >= kMostCalls || std::chrono::steady_clock::now() >= end_;
  const bool looks = calls_ % every_ == 0;
  if (!over && !looks && (!late || doubted_)) return true;
  take_sample();
  doubted_ = late && may_be_full();
  if (over || (late && !doubted_)) return false;
  const std::int64_t grown = grown_since(0);
  if (grown > kTooMuch || (grown > kNoCache && calls_ >= kLeastCalls)) return false;
  // A list that doubles its capacity may not grow for half of all calls, but not for three fifths.
  return calls_ < kLeastCalls || grown_since(calls_ * 2 / 5) > 0;
}

LastingGrowth::Steps LastingGrowth::steps_since(std::int64_t calls) const {
  Steps steps;
  for (std::size_t at = 1; at < samples_.size(); ++at) {
    const Sample& before = samples_[at - 1];
    if (before.calls < calls) continue;
    ++steps.looks;
    steps.grown += samples_[at].use.grown_since(before.use);
  }
  return steps;
}

bool LastingGrowth::may_be_noise() const {
  const std::int64_t begin = calls_ * 2 / 5;
  if (calls_ >= kManyCalls || grown_since(begin) >= kNoNoise) return false;
  const Steps steps = steps_since(begin);
  return steps.looks < kLeastLooks || steps.grown < steps.looks - steps.looks / 4;
}

bool LastingGrowth::may_be_full() const {
  const std::int64_t begin = calls_ * 2 / 5;
  return grown_since(begin) > 0 && steps_since(begin).grown <= kFewSteps;
}

std::int64_t LastingGrowth::bytes_a_call() const {
  if (may_be_noise()) return 0;
  std::int64_t begin = calls_ - calls_ / 4;
  if (grown_since(begin) <= 0) {
    // No growth in the last quarter. That may be a cache that is full, or (with the few calls of a
    // slow library) a list that doubles: the latter grows in one or two steps over the last three
    // fifths.
    begin = calls_ * 2 / 5;
    if (steps_since(begin).grown > kFewSteps) return 0;
  }
  const std::int64_t grown = grown_since(begin);
  const std::int64_t calls = calls_ - sample_before(begin).calls;
  if (calls <= 0 || grown <= std::min(kNoLeak, 8 * calls)) return 0;
  // Less than a byte for each call is no leak: a real library's allocator was seen to drift by 17
  // KB over the last 25,000 calls.
  return grown / calls;
}

}  // namespace reshape::conformance
