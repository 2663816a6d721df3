#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

// Duty C7. place() has filled the buffers' surroundings with canaries.
class Canaries : public Watch {
 public:
  void after(const CallSite& site, Status, std::vector<Observation>& seen) override {
    for (const GuardedBuffer* buffer : site.buffers) {
      if (const std::optional<Spill> spill = buffer->spill()) {
        seen.push_back({CaughtBy::canaries, Plane::memory, Duty::C7, text(*spill, buffer->name())});
      }
    }
  }
};

}  // namespace

WatchPtr watch_canaries() { return std::make_unique<Canaries>(); }

}  // namespace reshape::conformance
