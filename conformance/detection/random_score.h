#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/detection/kill_matrix.h"
#include "conformance/self/random_mutant.h"

namespace reshape::conformance {

// A random mutant that is observably wrong, and its result.
struct RandomFate {
  const self::RandomMutant* drawn = nullptr;
  std::string witness;   // the line of a drawn request that it answers wrongly
  double frequency = 0;  // the share of drawn requests that it answers wrongly
  bool quick = false;    // the quick tier fails it
  bool full = false;     // all cases, generated requests and laws do
  std::string killer;    // the first question that killed it
};

struct RandomScore {
  std::uint64_t seed = 0;
  int drawn = 0;                  // those without a witness among them
  std::vector<RandomFate> fates;  // in the order in which they were drawn
};

struct RandomOptions {
  int count = 0;  // of mutants with a witness
  std::uint64_t seed = 1;
  int requests = 20000;  // drawn once; none is in the generated tier
  MatrixOptions matrix;  // its deadline must be long enough for a busy machine
};

// Mutants with a witness, and the requests among which it was sought.
struct DrawnMutants {
  int drawn = 0;
  std::vector<RandomFate> fates;
  std::vector<Case> requests;
  std::vector<self::Seen> as_seen;  // each of them

  // Those that the mutant can be wrong about.
  std::vector<const Case*> concerned_by(const self::RandomMutant& mutant) const;
};

// Draws mutants until `count` of them have a witness, or 20 times as many were drawn. How often one
// is wrong is estimated: the share of requests that its condition concerns, times the share of some
// of them that it answers wrongly.
DrawnMutants draw_mutants(const Suite& suite, const RandomOptions& options);

// Draws mutants; then asks them the quick tier (`quick`), and those that live through it everything
// (`all`). The same for the same options, but for mutants that wait for other threads.
RandomScore ask_random_mutants(const Suite& suite, const std::vector<Question>& quick,
                               const std::vector<Question>& all, const RandomOptions& options);

// The shares by step and by frequency, and the survivors as sentences with their witnesses.
std::string text(const RandomScore& score);
std::string json(const RandomScore& score);

}  // namespace reshape::conformance
