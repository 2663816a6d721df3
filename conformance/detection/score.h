#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/detection/kill_matrix.h"

namespace reshape::conformance {

// How many of the mutants some questions kill.
struct Score {
  std::string tier;  // "cases", "laws", "generated"
  int questions = 0;
  int killed = 0;
  int mutants = 0;
  double seconds = 0;  // to ask one implementation all of them
};

// The score of each kind of question, then of all together ("full").
std::vector<Score> scores(const KillMatrix& matrix);

// How many cases of the suite contribute to the matrix.
struct Worth {
  int cases = 0;
  int kill_something = 0;
  int needed = 0;  // kill a mutant that no other case kills; the others kill nothing of their own
};
Worth worth(const KillMatrix& matrix);

// Which clauses the cases that killed a mutant are about: "zero.copies" -> 12 cases.
std::map<std::string, int> clauses_of(const KillMatrix& matrix, const Fate& fate);

// Chooses few cases and laws that kill each mutant `times` times, if there are as many, by their
// kills per cost (a greedy set cover). Not generated requests, which change with the generator. A
// mutant that is only killed after other requests is left to verified_tier().
Tier cover(const KillMatrix& matrix, int times);

// The cover, verified by asking every mutant this tier alone. For each survivor adds a question
// that kills it when asked alone: one of the matrix, or of all cases and laws, so that a matrix
// over a part of the cases is enough. `left`: the mutants without such a question.
struct VerifiedTier {
  Tier tier;
  std::vector<const self::Mutant*> left;
};
VerifiedTier verified_tier(const Suite& suite, const KillMatrix& matrix,
                           const MatrixOptions& options);

// Cross-validation of cover(). The mutants are divided into `folds` parts by `seed`; each part is
// asked the tier that cover() chooses (with times = 2) for the others: its cases with those that
// cases_of() adds, its laws, and the generated requests of the matrix, which belong to every tier.
// A matrix over a part of the cases chooses from that part. Mutants that no question of the matrix
// kills are counted separately (`unshown`), since no choice could find them.
struct LeftOut {
  int mutants = 0;  // that some question of the matrix kills
  int killed = 0;
  int questions = 0;                         // of a tier, on average
  std::vector<const self::Mutant*> alive;    // of them, by name
  std::vector<const self::Mutant*> unshown;  // the others, by name
};
LeftOut left_out(const KillMatrix& matrix, int folds, std::uint64_t seed);

// The whole matrix for other programs: mutants, questions, who died of what.
std::string matrix_json(const KillMatrix& matrix);

}  // namespace reshape::conformance
