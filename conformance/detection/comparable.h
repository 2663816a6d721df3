#pragma once

#include <set>
#include <string>
#include <utility>

#include "conformance/model/clause.h"
#include "conformance/model/verdict.h"

namespace reshape::conformance {

// Which cases a mistake could have met: those that the document answers in the same way as one of
// the failures, and that have elements where elements are at fault.
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
  }
  bool contains(const Case& one) const {
    if (executed_ && (one.request.shape_only || is_empty(one.request.data))) return false;
    return answers_.contains(answer(one.expect));
  }

 private:
  std::set<std::pair<Ruling::Kind, std::string>> answers_;
  bool executed_ = true;  // each failure is wrong in what was executed
};

}  // namespace reshape::conformance
