// The optimized implementation, slowed by RESHAPE_SLOWED_PERCENT (set at build time): a regression
// of known size. Short calls are sometimes made twice, because reading the clock would cost more
// than the percentage; long ones wait.
#include <chrono>

#include "conformance/abi/reshape_plugin.h"

extern "C" const reshape_plugin* optimized_entry(void);

namespace {

constexpr double kPart = RESHAPE_SLOWED_PERCENT / 100.0;
constexpr double kLong = 3e-6;  // seconds

double seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

reshape_status execute(const reshape_request* request, DLTensor* output, reshape_message* why) {
  static thread_local double owed = 0;           // calls
  static thread_local const void* of = nullptr;  // the data that `usual` was measured with
  static thread_local double usual = 0;
  const auto run = [&] { return optimized_entry()->execute(request, output, why); };
  if (of == request->data->data && usual < kLong) {
    const reshape_status status = run();
    for (owed += kPart; owed >= 1; --owed) run();
    return status;
  }
  const double begin = seconds();
  const reshape_status status = run();
  const double end = seconds();
  usual = end - begin;
  of = request->data->data;
  while (seconds() < end + kPart * usual) {
  }
  return status;
}

}  // namespace

extern "C" RESHAPE_EXPORT const reshape_plugin* reshape_plugin_entry(void) {
  static const reshape_plugin table = [] {
    reshape_plugin made = *optimized_entry();
    made.description.name = "slowed";
    made.execute = execute;
    return made;
  }();
  return &table;
}
