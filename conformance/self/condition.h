#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace reshape::conformance::self {

// A predicate on what a mutant is asked, which says where it is wrong; combines with &&, || and !.
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

// A condition with its words for a sentence; no words where a row has its own sentence, or none are
// needed.
template <typename Subject>
struct Said : Condition<Subject> {
  Said() : Said([](const Subject&) { return true; }) {}  // everywhere
  template <std::predicate<const Subject&> Holds>
  Said(Holds holds)  // NOLINT(google-explicit-constructor): rows give lambdas and functions
      : Condition<Subject>(std::move(holds)) {}
  Said(std::string says, Condition<Subject> holds)
      : Condition<Subject>(std::move(holds)), words(std::move(says)) {}
  template <typename Part>  // of the subject, which is what it is asked of
  Said(const Said<Part>& other)
      : Said(other.words, Condition<Subject>(other)) {}  // NOLINT: as above
  std::string words;

  friend Said operator||(const Said& one, const Said& other) {
    return {one.words + " or " + other.words, Condition<Subject>(one) || Condition<Subject>(other)};
  }
  friend Said operator!(const Said& one) { return {"", !Condition<Subject>(one)}; }
};
template <typename Subject>
Said<Subject> both(const Said<Subject>& one, const Said<Subject>& other, const char* between) {
  const Condition<Subject>& a = one;
  const Condition<Subject>& b = other;
  return {one.words + (one.words.empty() || other.words.empty() ? "" : between) + other.words,
          a && b};
}

// The same condition with other words.
template <typename Subject>
Said<Subject> worded(std::string words, Said<Subject> condition) {
  condition.words = std::move(words);
  return condition;
}

// A number of what was asked. Comparing it makes a condition: kDataRank > 4 has the words "data of
// more than 4 sizes".
template <typename Subject>
class Quantity {
 public:
  constexpr Quantity(const char* before, const char* unit, std::int64_t (*of)(const Subject&))
      : before_(before), unit_(unit), of_(of) {}

  Said<Subject> operator==(std::int64_t number) const {
    return {says("", number),
            [=, *this](const Subject& subject) { return of_(subject) == number; }};
  }
  Said<Subject> operator>(std::int64_t number) const {
    return {says("more than ", number),
            [=, *this](const Subject& subject) { return of_(subject) > number; }};
  }
  Said<Subject> operator<(std::int64_t number) const {
    return {says("fewer than ", number),
            [=, *this](const Subject& subject) { return of_(subject) < number; }};
  }

 private:
  std::string says(const char* than, std::int64_t number) const {
    return std::string(before_) + than + std::to_string(number) + unit_;
  }

  const char* before_;
  const char* unit_;
  std::int64_t (*of_)(const Subject&);
};

}  // namespace reshape::conformance::self
