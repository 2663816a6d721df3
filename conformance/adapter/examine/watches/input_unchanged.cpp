#include "conformance/adapter/examine/watches/bytes_changed.h"
#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

// Duty C6. The input is read-only during the call, so a plain write faults; the comparison detects
// writes after changing the protection, or through another mapping.
class InputUnchanged : public Watch {
 public:
  void before(const CallSite& site) override {
    if (site.input == nullptr || !site.input_bytes.empty()) return;
    copy_bytes(*site.input, before_);
  }

  void after(const CallSite& site, Status, std::vector<Observation>& seen) override {
    if (site.input == nullptr) return;
    const auto change = site.input_bytes.empty()
                            ? first_change(before_, *site.input)
                            : first_change(site.input_bytes, site.input->bytes());
    if (change) {
      seen.push_back(
          {CaughtBy::input_unchanged, Plane::memory, Duty::C6, text(*change) + " of the data"});
    }
  }

 private:
  std::vector<std::byte> before_;
};

}  // namespace

WatchPtr watch_input_unchanged() { return std::make_unique<InputUnchanged>(); }

}  // namespace reshape::conformance
