#pragma once

#include <concepts>
#include <functional>
#include <utility>

namespace reshape::conformance::self {

// Where a mutant is wrong: a question about what it was asked, which combines with &&, || and !.
template <typename Subject>
class Condition {
 public:
  template <std::predicate<const Subject&> Holds>
  Condition(Holds holds)  // NOLINT(google-explicit-constructor): rows give lambdas and functions
      : holds_(std::move(holds)) {}

  bool operator()(const Subject& subject) const { return holds_(subject); }

  friend Condition operator&&(Condition one, Condition other) {
    return [=](const Subject& subject) { return one(subject) && other(subject); };
  }
  friend Condition operator||(Condition one, Condition other) {
    return [=](const Subject& subject) { return one(subject) || other(subject); };
  }
  friend Condition operator!(Condition one) {
    return [=](const Subject& subject) { return !one(subject); };
  }

 private:
  std::function<bool(const Subject&)> holds_;
};

}  // namespace reshape::conformance::self
