#include "conformance/adapter/process/patience.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "conformance/adapter/memory/tensor_image.h"

namespace reshape::conformance {

std::optional<Error> start_patiently(const std::function<std::optional<Error>()>& start_once,
                                     const bool& refused) {
  constexpr std::chrono::milliseconds kPauses[] = {std::chrono::milliseconds{20},
                                                   std::chrono::milliseconds{100},
                                                   std::chrono::milliseconds{500}};
  std::optional<Error> error = start_once();
  for (const std::chrono::milliseconds pause : kPauses) {
    if (!refused) break;
    std::this_thread::sleep_for(pause);
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

std::string seconds_text(double seconds) {
  const auto tenths = std::llround(seconds * 10);
  std::string words = std::to_string(tenths / 10);
  if (tenths % 10 != 0) words.append(".").append(std::to_string(tenths % 10));
  return words + " s";
}

}  // namespace reshape::conformance
