#include "conformance/adapter/process/patience.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <thread>

#include "conformance/adapter/memory/memory_left.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/model/refused.h"

namespace reshape::conformance {

std::optional<Error> start_patiently(const std::function<std::optional<Error>()>& start_once,
                                     const bool& refused) {
  std::optional<Error> error = start_once();
  for (const int pause : {20, 100, 500}) {
    if (!refused) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    error = start_once();
  }
  return error;
}

double patience_with(const Request& request) {
  constexpr std::int64_t kEach = std::int64_t{8} << 20;
  const std::optional<std::int64_t> count = element_count(request.data);
  if (request.shape_only || !count || *count > kLargestBuffer) return 0;
  return static_cast<double>(bytes_for(request.data_type, *count) / kEach);
}

std::optional<std::string> lacks_memory_for(const Request& request, std::uint64_t times) {
  constexpr std::int64_t kWorthLooking = 1 << 20;  // elements
  constexpr std::uint64_t kMib = 1 << 20;
  const std::optional<std::int64_t> count = element_count(request.data);
  if (request.shape_only || !count || *count < kWorthLooking) return std::nullopt;
  if (*count > kLargestBuffer * 8 / bits(request.data_type)) return std::nullopt;  // not executed
  const auto bytes = static_cast<std::uint64_t>(bytes_for(request.data_type, *count));
  const std::uint64_t needed = times * bytes + kTakenBesides;
  const std::uint64_t left = std::min(memory_left(), memory_of_a_process());
  if (left >= needed) return std::nullopt;
  return refused(std::to_string(needed / kMib) + " MiB of memory, of which " +
                     std::to_string(left / kMib) + " are left",
                 ENOMEM);
}

double elapsed_seconds(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

std::string seconds_text(double seconds) {
  const auto tenths = std::llround(seconds * 10);
  std::string words = std::to_string(tenths / 10);
  if (tenths % 10 != 0) words.append(".").append(std::to_string(tenths % 10));
  return words + " s";
}

}  // namespace reshape::conformance
