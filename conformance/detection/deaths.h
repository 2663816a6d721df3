#pragma once

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// What asking for a diagnosis may cost one implementation: a crash costs a process, a hang a
// deadline as well.
class Deaths {
 public:
  void add(const Outcome& outcome) {
    constexpr int kOfAHang = 15;
    count_ += outcome.kind == Outcome::Kind::timed_out ? kOfAHang : died(outcome) ? 1 : 0;
  }
  bool too_many() const {
    constexpr int kMost = 60;
    return count_ >= kMost;
  }

 private:
  int count_ = 0;
};

}  // namespace reshape::conformance
