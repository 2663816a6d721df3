#include "conformance/adapter/examine/neighbour.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "conformance/adapter/more_threads.h"

namespace reshape::conformance {
namespace {

// How often a byte is looked at after it was written: until a processor's own write has left for the
// cache, it sees nothing else there; and not much longer than a short call takes.
constexpr int kLeastLooks = 40;
constexpr unsigned kDoublings = 8;  // the numbers of looks take turns: 40, 80, ... 5120
constexpr int kCalls = 200'000;

}  // namespace

std::optional<std::string> undone_beside(BareCalls& calls,
                                         std::chrono::steady_clock::time_point end, int& refusal) {
  const std::atomic_ref<std::uint8_t> lent(*reinterpret_cast<std::uint8_t*>(calls.lend_a_byte()));
  std::atomic<int> undone = 0;
  std::atomic<bool> over = false;
  std::vector<std::jthread> writer;
  refusal = start_thread(writer, [&] {
    for (std::uint8_t value = 1; !over; ++value) {
      lent.store(value, std::memory_order_relaxed);
      const int looks = kLeastLooks << value % kDoublings;
      for (int look = 0; look < looks; ++look) {
        if (lent.load(std::memory_order_relaxed) == value) continue;
        ++undone;
        break;
      }
    }
  });
  if (refusal != 0) return std::nullopt;
  constexpr int kAtOnce = 1000;
  std::optional<std::string> differing;
  for (int done = 0; done < kCalls && undone == 0 && !differing; done += kAtOnce) {
    if (std::chrono::steady_clock::now() > end) break;
    differing = calls.ask("beside a thread that writes", kAtOnce, end).differing;
  }
  over = true;
  writer.clear();  // waits for it
  if (differing || undone == 0) return differing;
  return "a byte beside the output's elements, which another thread wrote during the calls, was "
         "written back as it had been before";
}

}  // namespace reshape::conformance
