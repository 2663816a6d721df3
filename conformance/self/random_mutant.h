#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/self/mutant.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/layout.h"
#include "reference/tensor/shape_pattern.h"

// Mutants that nobody wrote: a step of the implementation, a condition, and what is wrong under it, all
// drawn. They say how much of what nobody thought of is detected.
namespace reshape::conformance::self {

// A request as a condition sees it.
struct Seen {
  ElementType data_type = ElementType::f32;
  ElementType pattern_type = ElementType::i64;
  Shape data;
  std::vector<PatternValue> pattern;
  std::int32_t special_zero = RESHAPE_FLAG_MISSING;
  Strides strides;      // of the data; empty where it is dense
  Strides out_strides;  // the same of the output
};

struct RandomMutant {
  Mutant mutant;          // named "random/SEED/NUMBER"
  std::string_view step;  // "resolve", "infer", "refuse", "copy", "write"
  // Whether it can be wrong about a request, as far as that is decided by the request alone.
  std::function<bool(const Seen&)> concerns;
  bool by_sequence = false;  // and what was asked before decides too
};

// The same one for the same seed and number, on every platform. Made once in a process.
const RandomMutant& random_mutant(std::uint64_t seed, std::uint64_t number);

// The one of the name "random/SEED/NUMBER"; null where the name is not of this form.
const Mutant* random_mutant_named(std::string_view name);

}  // namespace reshape::conformance::self
