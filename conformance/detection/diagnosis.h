#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "conformance/abi/duty.h"
#include "conformance/detection/by_another_document.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// A diagnosis of an implementation's failures, by known mistakes and by the document.
struct Diagnosis {
  // A known mistake that failures look like.
  struct Cause {
    std::string mutant;              // "minus-one-rounds-down"
    std::string says;                // the mistake in a sentence
    std::string breaks;              // clause or duty
    std::string public_bug;          // an issue of a public library with this mistake, or empty
    std::vector<std::string> where;  // conditions under which it is made: "data of f32"
    int same = 0;       // compared failures that the mutant answers alike on every plane; none that
                        // hangs on earlier requests, unless the mistake does so
    int otherwise = 0;  // failures under `where` that the mutant answers wrongly in another way
    int beyond = 0;     // passes under `where` that the mutant would have failed
    int passes = 0;     // passes under `where` that were compared
    double chance = 1;  // the probability that an unrelated mistake agrees as well
  };
  // What was asked around a failure: requests that differ little from it, or from those that fail
  // as well.
  struct Around {
    int asked = 0;   // 0: nothing was
    int failed = 0;  // of these, in the same way
    int passed = 0;
    std::vector<std::string> where = {};  // what those that fail have, the failure itself too
    int failures = 0;        // those around it, it, and cases of the run that fail alike
    int failures_there = 0;  // of these: that have all of `where`, which are nearly all
    int passes = 0;          // those around it that pass, and such cases of the run
    int passes_there = 0;    // of these: that have all of `where`
    bool refutes = false;    // more fail that do not have what the finding's `where` says
    std::function<bool(const Request&)> there = {};  // as that of a finding
    int plainly = 0;  // of `failed`: with wrong elements in a plain execution
  };
  // What some of the failures are about, told by their verdicts.
  struct Finding {
    std::string clause;  // of the document, or empty
    Duty duty = Duty::none;
    std::string says;                  // what is wrong, in a sentence
    std::vector<std::string> besides;  // the other duties that some of its failures break
    std::vector<std::string> clauses;  // of its parts, where several were one
    // Clauses besides, that its cases ask for and few passing ones do.
    std::vector<std::string> asks;
    std::vector<std::string> where;  // what its requests have and few passing ones
    // Whether any request has all of `where`. Empty where that is, and in a report that was read.
    std::function<bool(const Request&)> there = {};
    int failures = 0;
    int failures_there = 0;  // that have all of `where`: nearly all of them
    int passes_there = 0;    // of the passing cases: that have all of `where`
    int passes = 0;          // passing cases that this mistake could have met
    // What most of its requests have and few passing ones, where `where` is empty; and how many.
    std::string mostly;
    int failures_mostly = 0, passes_mostly = 0;
    // Where in the library's source most of its crashes and accesses out of bounds lie: "copy at
    // mine.c:104"; and how many of how many of which the place is known.
    std::string place;
    int at_place = 0, with_place = 0;
    std::string example;  // id of its plainest case
    Around around;        // it, where the failures are few or have nothing in common
    // Its failures may have the cause of those of the first finding; or a known mistake, the only one,
    // explains all of them that were compared with it.
    bool as_the_first = false, as_known = false;

    // Whether it is of answers that hang on earlier requests.
    bool of_history() const { return clause.empty() && duty == Duty::C17; }
  };
  struct Step {
    std::string clause;
    std::string says;
  };
  int failures = 0;     // of the run, without those in the baseline
  int executed = 0;     // cases of the run
  int unstable = 0;     // of the failures asked again: right then, or wrong in another way
  int right_again = 0;  // of these: right
  int compared = 0;     // of the failures: asked again, and wrong in the same way
  // Whether most of the failures (at least a few) were right when asked again, which may explain
  // the rest.
  bool most_are_right_again() const {
    constexpr int kFew = 3;
    return right_again >= kFew && 2 * right_again > unstable + compared;
  }
  int passes_compared = 0;
  int mistakes = 0;        // that could be compared with
  int mistakes_asked = 0;  // within the time there was
  double seconds = 0;
  std::vector<Cause> causes;  // the one that explains most first; they explain disjoint failures
  // Whether one of them answers by earlier requests.
  bool explains_history() const {
    return std::ranges::any_of(causes,
                               [](const Cause& cause) { return cause.breaks == name(Duty::C17); });
  }
  std::vector<ByAnotherDocument> by_another_document;
  std::vector<Finding> findings;  // the one with the most failures first; see put_history_first
  std::string example;            // id of the simplest failure of the first finding
  std::string line;               // its request
  std::string right;              // its right answer: "produces [2,3]"
  std::vector<Step> steps;        // its derivation from the document
  // Of right_again: wrong first, and right when the same process is asked again.
  int right_later = 0;
};

}  // namespace reshape::conformance
