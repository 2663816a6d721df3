#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/model/clause.h"
#include "conformance/model/verdict.h"
#include "reference/tensor/element_type.h"

namespace reshape::conformance {

// Which cases a mistake could have met and shown: those that the document answers in the same way
// as one of the failures, that have elements where elements are at fault, and that are looked at
// for it.
class Comparable {
 public:
  static std::pair<Ruling::Kind, std::string> answer(const Ruling& right) {
    const bool rejects = right.kind == Ruling::Kind::rejects;
    return {right.kind, rejects ? right.clause : std::string()};
  }

  void add(const Case& failed, const Verdict& verdict) {
    answers_.insert(answer(failed.expect));
    executed_ =
        executed_ && !verdict.faults.empty() && verdict.faults.front().plane != Plane::shape;
    grows_besides_ =
        grows_besides_ && !verdict.faults.empty() && of_growth_besides(verdict.faults.front());
  }
  bool contains(const Case& one) const {
    if (executed_ && (one.request.shape_only || is_empty(one.request.data))) return false;
    if (grows_besides_ && bytes_of(one.request) > kMostLookedAt) return false;
    return answers_.contains(answer(one.expect));
  }

 private:
  // An examination looks whether memory grows by other ways than a plain execution where the data
  // is no larger.
  static constexpr std::int64_t kMostLookedAt = 1024;

  static bool of_growth_besides(const Fault& fault) {
    constexpr std::string_view kAsk = "ask=", kPlainly = "ask=execute-rejected";
    return fault.watch == CaughtBy::memory_growth && fault.probe.starts_with(kAsk) &&
           !fault.probe.starts_with(kPlainly);
  }
  static std::int64_t bytes_of(const Request& request) {
    return bytes_for(request.data_type, element_count(request.data).value_or(0));
  }

  std::set<std::pair<Ruling::Kind, std::string>> answers_;
  bool executed_ = true;       // each failure is wrong in what was executed
  bool grows_besides_ = true;  // each is one of memory that grows by another way of that
};

}  // namespace reshape::conformance
