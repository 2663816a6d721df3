#include "conformance/adapter/examine/late_writes.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "conformance/adapter/process/process_tree.h"

namespace reshape::conformance {
namespace {

constexpr std::ptrdiff_t kLongRun = 64;  // bytes: no payload holds one byte so often in a row

bool has_long_run(const std::vector<std::byte>& bytes, std::byte poison) {
  std::ptrdiff_t run = 0;
  for (const std::byte one : bytes) {
    run = one == poison ? run + 1 : 0;
    if (run >= kLongRun) return true;
  }
  return false;
}

}  // namespace

std::optional<int> written_later(const std::vector<std::byte>& elements, std::uint8_t poison,
                                 const std::function<std::vector<std::byte>()>& now) {
  using Clock = std::chrono::steady_clock;
  // A library that never writes some elements does so in many executions: stop waiting after a few.
  static std::atomic<int> in_vain = 0;
  constexpr int kMostInVain = 8;
  if (in_vain >= kMostInVain || !has_long_run(elements, std::byte{poison}) ||
      threads_of(getpid()) <= 1) {
    return std::nullopt;
  }
  const Clock::time_point began = Clock::now();
  std::optional<int> last;
  std::vector<std::byte> before = elements;
  for (const int pause : {1, 2, 4, 8, 16, 32}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    std::vector<std::byte> after = now();
    if (after == before) {
      if (last) break;  // the writing has ended
      continue;
    }
    const auto passed = Clock::now() - began;
    last = static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(passed).count());
    before = std::move(after);
  }
  if (!last) ++in_vain;
  return last;
}

}  // namespace reshape::conformance
