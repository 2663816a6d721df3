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

// Random mutants: a step of the implementation, a condition and an effect, all drawn. They measure
// how many mistakes that nobody thought of are detected.
namespace reshape::conformance::self {

// A request, for conditions.
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
  // Whether its condition applies to a request, as far as the request alone decides.
  std::function<bool(const Seen&)> concerns;
  bool by_sequence = false;  // earlier requests matter as well
};

// The mutant of this seed and number, the same on every platform. Made once in a process.
const RandomMutant& random_mutant(std::uint64_t seed, std::uint64_t number);

// The mutant named "random/SEED/NUMBER"; null where the name has another form.
const Mutant* random_mutant_named(std::string_view name);

}  // namespace reshape::conformance::self
