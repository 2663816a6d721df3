#include "optimized/setting.h"

#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "optimized/target.h"

namespace reshape::optimized {

Setting setting_for(const char* threads, const char* target) {
  Setting setting{usable_threads(), {}};
  if (target != nullptr && *target != '\0') {
    if (const Result<Target> named = target_named(target); !named) {
      setting.fault = "RESHAPE_TARGET: " + named.error().message;
    }
  }
  if (threads == nullptr || *threads == '\0') return setting;
  constexpr int kMost = 1024;
  const std::string_view words = threads;
  const char* end = words.data() + words.size();
  const auto [read_to, error] = std::from_chars(words.data(), end, setting.threads);
  if (error != std::errc() || read_to != end || setting.threads < 1 || setting.threads > kMost) {
    setting.threads = 1;
    setting.fault = "RESHAPE_THREADS: '" + std::string(words) + "' is not a number from 1 to " +
                    std::to_string(kMost);
  }
  return setting;
}

const Setting& setting() {
  static const Setting read =
      setting_for(std::getenv("RESHAPE_THREADS"), std::getenv("RESHAPE_TARGET"));
  return read;
}

ThreadPool* pool_for(const CopyPlan& plan) {
  constexpr std::int64_t kWorthSharing = std::int64_t{1} << 17;
  const std::int64_t bytes = plan.write_bytes.end - plan.write_bytes.begin;
  if (bytes < kWorthSharing || setting().threads < 2) return nullptr;
  static const std::unique_ptr<ThreadPool> pool = make_thread_pool(setting().threads);
  return pool.get();
}

}  // namespace reshape::optimized
