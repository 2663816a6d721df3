#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/resolve.h"

namespace reshape::reference {

// The clause that a rule found broken; null where the rule holds or does not apply.
using Broken = const char*;
inline constexpr Broken kHolds = nullptr;

// One request, read rule by rule. A rule that refuses ends the reading. A rule that the document
// leaves open is remembered and the reading goes on, because a later refusal wins over it.
class Reading {
 public:
  Reading(const Dialect& dialect, const Question& question, Derivation* derivation)
      : dialect_(dialect), data_(question.data), asked_(question), derivation_(derivation) {}

  Ruling ruling();

 private:
  using Rule = Broken (Reading::*)();
  static const std::array<Rule, 16> kRules;

  Broken data_type();
  Broken special_zero();
  Broken pattern_type();
  Broken pattern_rank();
  Broken pattern_values();
  Broken minus_one_is_a_value();
  Broken minus_one_once();
  Broken zero_past_rank();
  Broken representable_sizes();
  Broken read_sizes();
  Broken literal_zero_with_minus_one();
  Broken minus_one_beside_copied_zero();
  Broken minus_one();
  Broken volume();
  Broken empty_pattern();
  Broken scalar_data();

  std::int64_t size_of_zero(std::size_t at);
  Ruling conclusion();

  std::span<const PatternValue> pattern() const { return asked_.pattern.values; }
  bool has_minus_one() const { return minus_one_at_.has_value(); }

  // `words` builds the sentence, and is called only when somebody wants to read it.
  template <typename Words>
  void note(const char* clause, Words words) {
    if (derivation_ != nullptr) derivation_->push_back({clause, words()});
  }
  template <typename Words>
  Broken rejects(const char* clause, Words words) {
    note(clause, words);
    return clause;
  }
  template <typename Words>
  Broken leaves_open(const char* clause, Words words) {
    note(clause, words);
    if (open_ == nullptr) open_ = clause;
    return kHolds;
  }
  // Continues, refuses, or continues with an open point, as the dialect's `answer` says.
  template <typename Words>
  Broken answers(Answer answer, const char* clause, Words words) {
    if (answer == Answer::rejects) return rejects(clause, words);
    if (answer == Answer::unspecified) return leaves_open(clause, words);
    note(clause, words);
    return kHolds;
  }

  const Dialect& dialect_;
  const Shape& data_;
  const Question& asked_;
  Derivation* derivation_;

  const char* open_ = nullptr;  // the first clause that was left open
  bool zero_copies_ = false;
  std::string zero_because_;  // why a 0 copies or not, for the derivation
  std::optional<std::size_t> minus_one_at_;
  bool minus_one_is_open_ = false;   // nothing determines the -1
  bool literal_zero_ = false;        // some 0 is a plain size
  bool copied_zero_ = false;         // some 0 copied a size that is 0
  std::vector<std::int64_t> sizes_;  // of the output; 1 where the -1 stands, until inferred
};

}  // namespace reshape::reference
