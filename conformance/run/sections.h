#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace reshape::conformance {

// What a run can hold besides the cases of the suite.

// One law, asked of many requests.
struct LawResult {
  std::string name;    // "round-trip"
  std::string clause;  // of the documents, or the duty of the contract, that it rests on
  std::string says;
  int tried = 0;          // requests that the law speaks about and that were asked
  std::string not_asked;  // why none could be: "views are not promised"
  std::string broken;     // what was seen where it does not hold; empty: it holds
  std::vector<std::string>
      lines;          // of the requests that show it, in the order in which to ask them
  bool hung = false;  // the answer that broke it never came
  // Draws whose requests are answered wrongly even when each is asked alone, in a fresh process: they say
  // nothing about the law, and another was drawn. Where only such were found, `broken` and `lines` tell
  // the first of them, and the law is neither kept nor broken.
  int wrong_alone = 0;
  bool undecided = false;
  double seconds = 0;

  bool holds() const { return broken.empty(); }
};

// A failing generated request, made as small as it goes while it fails the same way.
struct Smallest {
  std::string id;  // of the request that it comes from: "generated/7/12"
  std::string line;
  std::string fails;  // "shape plane, shape: expected rejects volume.kept, answered ..."
  std::string yaml;   // a case that is ready for specs/
};

// How requests were generated, and what they are about.
struct Generation {
  std::uint64_t seed = 0;
  int requests = 0;
  // "family" -> "high-rank" -> 12
  std::map<std::string, std::map<std::string, int>> drawn;
  std::vector<Smallest> smallest;
};

// Every request within a bound, asked.
struct ExhaustiveResult {
  std::string bound;  // "ranks 0..4, sizes 0..3, patterns of length 0..4, values -2..4"
  std::map<std::string, std::uint64_t> asked;  // by dialect
  std::uint64_t requests = 0;
  std::uint64_t layouts = 0;  // requests of the byte plane
  std::uint64_t faults = 0;
  double seconds = 0;   // of the shape plane
  std::string stopped;  // why not all were asked; empty: all were
};

// What the failures of an implementation look like, told by known mistakes and by the document.
struct Diagnosis {
  // A known mistake that failures look like.
  struct Cause {
    std::string mutant;      // "minus-one-rounds-down"
    std::string says;        // the mistake in a sentence
    std::string breaks;      // clause or duty
    std::string public_bug;  // an issue of a public library that was like this, or empty
    std::vector<std::string>
        where;          // it is made only where a request has all of them: "data of f32"
    int same = 0;       // failures compared that are answered alike on every plane
    int otherwise = 0;  // failures there that the mistake answers wrongly in another way
    int beyond = 0;     // passes there that the mistake would have failed
    int passes = 0;     // compared there
    double chance = 1;  // that a mistake which has nothing to do with it agrees as well
  };
  // What some of the failures are about, told by their verdicts.
  struct Finding {
    std::string clause;  // of the document, or empty
    std::string duty;    // of the contract
    std::string says;    // what is wrong, in a sentence
    std::vector<std::string>
        asks;  // clauses besides, that its cases ask for and few passing ones do
    std::vector<std::string> where;  // what all its requests have and few passing ones
    int failures = 0;
    int passes_there = 0;  // of the passing cases: that have all of `where`
    int passes = 0;        // passing cases that this mistake could have met
    std::string example;   // id of its plainest case
  };
  struct Step {
    std::string clause;
    std::string says;
  };
  int failures = 0;  // of the run, without those that a baseline knows
  int executed = 0;  // cases of the run
  int unstable = 0;  // of the failures asked again: right then, or wrong in another way
  int compared = 0;  // of the failures: asked again, and wrong in the same way
  int passes_compared = 0;
  int mistakes = 0;        // that could be compared with
  int mistakes_asked = 0;  // within the time there was
  double seconds = 0;
  std::vector<Cause>
      causes;  // the one that explains most first; each of other failures than those before
  std::vector<Finding> findings;  // the one with the most failures first
  std::string example;            // id of the plainest failure of the first finding
  std::string line;               // its request
  std::string right;              // its right answer: "produces [2,3]"
  std::vector<Step> steps;        // how the document comes to it
};

}  // namespace reshape::conformance
