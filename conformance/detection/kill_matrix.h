#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "conformance/detection/tier.h"
#include "conformance/model/clause.h"
#include "conformance/property/law.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance {

// A case, law or generated request: it kills a mutant that fails it.
struct Question {
  enum class Kind : std::uint8_t { case_of_suite, law, generated };
  Kind kind = Kind::case_of_suite;
  const Case* asked = nullptr;  // a case of the suite, or a generated request
  const Law* law = nullptr;
  int times_named = 0;  // a tier's case: how often its name was asked, this time included

  std::string name() const;  // "case openvino-reshape-1/example-1", "law round-trip"
};

// Which of all the program's questions to use.
struct QuestionOptions {
  bool cases = true;
  bool laws = true;
  const std::vector<Case>* generated = nullptr;  // outlives the questions; may be null
  const Tier* tier = nullptr;                    // only its cases and laws; may be null
};
std::vector<Question> questions(const Suite& suite, const QuestionOptions& options = {});

// The result of one mutant.
struct Fate {
  const self::Mutant* mutant = nullptr;
  std::vector<std::uint32_t> killed_by;  // places among the questions, ascending
  int killers = 0;          // their number; a line that is asked in several types counts once
  std::string not_started;  // why it could not be started, which kills it too; or empty
  bool gave_up = false;     // too hostile to be asked the rest: see kMostDeaths
  // The last question that the machine, too busy or short of memory, let nobody finish, and why:
  // "law worn-by-use: so many requests take it too long". Kills nothing.
  std::string unfinished;
  // Somebody asked the command to end (see run/ask_to_end.h) before it was asked all questions.
  bool left_out = false;

  bool killed() const { return !killed_by.empty() || !not_started.empty(); }
};

// Every mutant against every question.
struct KillMatrix {
  std::vector<Question> questions;
  std::vector<Fate> fates;      // in the order of the mutants
  std::vector<double> seconds;  // the average time of each question, over all mutants asked
};

struct MatrixOptions {
  int jobs = 1;                 // mutants asked at the same time, each in a host process of its own
  double deadline_seconds = 5;  // for a case, on a busy machine too; each hang costs it
  int enough = 0;               // stop asking a mutant after this many kills; 0: never
  // Each mutant is asked first what is likely to kill it, which takes two thirds of the time where
  // one kill is enough. Without it the order is that of the questions.
  bool likely_first = false;
  std::function<void(int done, int all)> progress = {};  // called under a lock
};

// A mutant that crashes or hangs costs a host process each time; after this many it is not asked
// any more.
inline constexpr int kMostDeaths = 6;

KillMatrix ask_mutants(const Suite& suite, std::vector<Question> questions,
                       std::span<const self::Mutant* const> mutants, const MatrixOptions& options);

// Asks one mutant the questions, in a host process of its own.
Fate ask_mutant(const Suite& suite, std::span<const Question> questions, const self::Mutant& mutant,
                const MatrixOptions& options, std::vector<double>* seconds = nullptr);

}  // namespace reshape::conformance
