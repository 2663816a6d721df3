#include <algorithm>

#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

void saw(std::vector<Observation>& seen, Duty duty, std::string what) {
  seen.push_back({CaughtBy::shape_canary, Plane::memory, duty, std::move(what)});
}

// The receiver of a shape: the implementation may write the rank and as many sizes (C7), and
// nothing on a refusal (C9). Ordinary canaries surround the array.
class ShapeCanary : public Watch {
 public:
  void after(const CallSite& site, Status answered, std::vector<Observation>& seen) override {
    if (site.shape == nullptr) return;
    const ShapeSite& given = *site.shape;
    if (given.shape->capacity != given.capacity) {
      saw(seen, Duty::C11,
          "the capacity changed from " + std::to_string(given.capacity) + " to " +
              std::to_string(given.shape->capacity));
    }
    if (given.shape->sizes != given.sizes) saw(seen, Duty::C11, "the pointer to the sizes changed");
    const bool ok = answered == Status::ok;
    if (!ok && given.shape->rank != given.rank_before) {
      saw(seen, Duty::C9, "a rank of " + std::to_string(given.shape->rank) + " was written");
    }
    const std::int32_t used = ok ? given.shape->rank : 0;
    for (std::int32_t i = std::max(used, 0); i < given.capacity; ++i) {
      if (given.sizes[i] == given.size_before) continue;
      saw(seen, ok ? Duty::C7 : Duty::C9,
          "size " + std::to_string(i) + " of the array was set to " +
              std::to_string(given.sizes[i]) +
              (ok ? ", the rank is " + std::to_string(used) : std::string()));
      return;
    }
  }
};

}  // namespace

WatchPtr watch_shape_canary() { return std::make_unique<ShapeCanary>(); }

}  // namespace reshape::conformance
