#pragma once

#include <optional>

#include "conformance/adapter/adapter.h"
#include "conformance/model/judge.h"
#include "conformance/model/outcome.h"
#include "conformance/model/verdict.h"
#include "reference/tensor/dialect.h"

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

// What an implementation answered to a request, and what is to be said of that.
struct Judged {
  std::optional<Verdict> verdict;  // nothing: it cannot be asked
  Outcome outcome = {};

  std::optional<Verdict::Kind> kind() const {
    return verdict ? std::optional(verdict->kind) : std::nullopt;
  }
};

// Asks the request and judges the answer; `deaths` counts what that cost.
Judged judged(const Request& request, const Expectation& expectation, Adapter& adapter,
              Deaths& deaths);
// The same by the oracle.
Judged judged(const Dialect& dialect, const Request& request, Adapter& adapter, Deaths& deaths);

}  // namespace reshape::conformance
