#pragma once

#include <optional>

#include "conformance/adapter/adapter.h"
#include "conformance/detection/deaths.h"
#include "conformance/model/outcome.h"
#include "conformance/model/verdict.h"
#include "reference/tensor/dialect.h"

namespace reshape::conformance {

// What an implementation answered to a request, and what is to be said of that.
struct Judged {
  std::optional<Verdict> verdict;  // nothing: it cannot be asked
  Outcome outcome = {};

  std::optional<Verdict::Kind> kind() const {
    return verdict ? std::optional(verdict->kind) : std::nullopt;
  }
};

// Asks the request and judges the answer by the oracle; `deaths` counts what that cost.
Judged judged(const Dialect& dialect, const Request& request, Adapter& adapter, Deaths& deaths);

}  // namespace reshape::conformance
