#include "conformance/adapter/examine/neighbour.h"

#include <atomic>
#include <cstdint>
#include <thread>

namespace reshape::conformance {
namespace {

constexpr int kLooks = 40;  // at a byte after it was written, about as long as a short call takes
constexpr int kCalls = 200'000;

}  // namespace

std::optional<std::string> undone_beside(BareCalls& calls,
                                         std::chrono::steady_clock::time_point end) {
  const std::atomic_ref<std::uint8_t> behind(
      *reinterpret_cast<std::uint8_t*>(calls.behind_output()));
  std::atomic<int> undone = 0;
  std::jthread writer([&](const std::stop_token& stop) {
    for (std::uint8_t value = 1; !stop.stop_requested(); ++value) {
      behind.store(value, std::memory_order_relaxed);
      for (int look = 0; look < kLooks; ++look) {
        if (behind.load(std::memory_order_relaxed) == value) continue;
        ++undone;
        break;
      }
    }
  });
  constexpr int kAtOnce = 1000;
  for (int done = 0; done < kCalls && undone == 0; done += kAtOnce) {
    if (std::chrono::steady_clock::now() > end) break;
    const BareCalls::Asked asked = calls.ask("beside a thread that writes", kAtOnce, end);
    if (asked.differing) return asked.differing;
  }
  writer.request_stop();
  writer.join();
  if (undone == 0) return std::nullopt;
  return "the byte behind the output, which another thread wrote during the calls, was written "
         "back as it had been before";
}

}  // namespace reshape::conformance
