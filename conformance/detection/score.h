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
  double seconds = 0;  // of one implementation asked all of them
};

// Each kind of question by itself, then all together ("full").
std::vector<Score> scores(const KillMatrix& matrix);

// Cases of the suite by what they are worth to the matrix.
struct Worth {
  int cases = 0;
  int kill_something = 0;
  int needed = 0;  // kill a mutant that no other case kills; the others kill nothing of their own
};
Worth worth(const KillMatrix& matrix);

// Which clauses the cases that killed a mutant are about: "zero.copies" -> 12 cases.
std::map<std::string, int> clauses_of(const KillMatrix& matrix, const Fate& fate);

// The few cases and laws that kill each mutant `times` times, where that many do, chosen by kills for
// their cost. Generated requests are not chosen: they change with the generator. A mutant that only
// dies when it was asked other things before is left to `verified_tier`.
Tier cover(const KillMatrix& matrix, int times);

// The cover, asked of every mutant as a tier by itself. For a mutant that lives through it a question
// is added that kills it when nothing else is asked: one of the matrix, or of all the suite and laws,
// so that a matrix over a part of the cases is enough. `left`: the mutants for which there is none.
struct VerifiedTier {
  Tier tier;
  std::vector<const self::Mutant*> left;
};
VerifiedTier verified_tier(const Suite& suite, const KillMatrix& matrix,
                           const MatrixOptions& options);

// The choice held to mutants that it was not made for. They are dealt into `folds` parts by `seed`; each
// part is asked the tier that cover() chooses twice over for the others: its cases with what cases_of() adds
// to them, its laws, and the generated requests of the matrix, which belong to every tier. A matrix over a
// part of the cases chooses from that part. Mutants that no question of the matrix kills, such as those that
// misread a document it does not ask about, are told apart: no choice could find them.
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
