#include <cstddef>

#include "conformance/adapter/examine/watches/bytes_changed.h"
#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

// Duty C9. Every byte of the output counts here, elements and gaps.
class RejectionWritesNothing : public Watch {
 public:
  // Only an output that shares the data's buffer needs a copy: what others held is known.
  void before(const CallSite& site) override {
    if (site.output != nullptr && site.input == nullptr) copy_bytes(*site.output->buffer, before_);
  }

  void after(const CallSite& site, Status answered, std::vector<Observation>& seen) override {
    if (site.output == nullptr || (answered == Status::ok && !site.must_refuse)) return;
    const GuardedBuffer& buffer = *site.output->buffer;
    if (!site.output->before.empty()) {
      before_.assign(site.output->before.begin(), site.output->before.end());
    } else if (site.input != nullptr) {
      std::size_t size = 0;
      for (const Part& part : buffer.parts()) size += part.end - part.begin;
      before_.assign(size, static_cast<std::byte>(site.output->filling));
    }
    if (const auto change = first_change(before_, buffer)) {
      seen.push_back({CaughtBy::rejection_writes_nothing, Plane::memory, Duty::C9,
                      text(*change) + " of the output, and the answer was " + name(answered)});
    }
  }

 private:
  std::vector<std::byte> before_;
};

}  // namespace

WatchPtr watch_rejection_writes_nothing() { return std::make_unique<RejectionWritesNothing>(); }

}  // namespace reshape::conformance
