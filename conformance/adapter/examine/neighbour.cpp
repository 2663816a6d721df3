#include "conformance/adapter/examine/neighbour.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "conformance/adapter/more_threads.h"

namespace reshape::conformance {
namespace {

// Loads between two writes of a byte, at least: until a processor's own write has left for the cache,
// it sees nothing else there.
constexpr std::size_t kLeastBetween = 256;
constexpr int kCalls = 400'000;

}  // namespace

std::optional<std::string> undone_beside(BareCalls& calls, const std::vector<std::byte*>& bytes,
                                         std::chrono::steady_clock::time_point end, int& refusal) {
  std::vector<std::atomic_ref<std::uint8_t>> lent;
  for (std::byte* byte : bytes) lent.emplace_back(*reinterpret_cast<std::uint8_t*>(byte));
  std::atomic<bool> undone = false, over = false;
  for (const auto& byte : lent) byte.store(0, std::memory_order_relaxed);
  std::vector<std::jthread> writer;
  // Each is looked at directly before it is written again, so that hardly a moment passes unwritten.
  refusal = start_thread(writer, [&] {
    for (std::uint8_t value = 0; !over && !undone; ++value) {
      for (const auto& byte : lent) {
        if (byte.load(std::memory_order_relaxed) != value) undone = true;
        byte.store(static_cast<std::uint8_t>(value + 1), std::memory_order_relaxed);
      }
      for (std::size_t at = lent.size(); at < kLeastBetween && !over; ++at) {
      }
    }
  });
  if (refusal != 0) return std::nullopt;
  constexpr int kAtOnce = 100;
  std::optional<std::string> thrown;
  for (int done = 0; done < kCalls && !undone && !thrown; done += kAtOnce) {
    if (std::chrono::steady_clock::now() > end) break;
    thrown = calls.execute(kAtOnce);
  }
  over = true;
  writer.clear();  // waits for it
  if (thrown) return "beside a thread that writes it " + *thrown;
  if (!undone) return std::nullopt;
  // What puts elements there is no neighbour's fault.
  const BareCalls::Asked alone = calls.ask("in a row of equal calls", 1, end);
  if (alone.differing) return alone.differing;
  return "a byte beside the output's elements, which another thread wrote during the calls, was "
         "written back as it had been before";
}

}  // namespace reshape::conformance
