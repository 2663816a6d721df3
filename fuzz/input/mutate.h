#pragma once

#include <cstdint>

#include "conformance/model/request.h"
#include "conformance/property/choices.h"

namespace reshape::fuzz {

// Decisions of a small fast generator: a mutator makes millions of them.
class QuickChoices : public conformance::Choices {
 public:
  explicit QuickChoices(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t bound) override { return next() % bound; }

 private:
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

// Changes one to three things of a request as somebody would who means tensors: an axis split, merged,
// moved or made huge, a size scaled on both sides, a -1 or a 0 put where it means something, strides
// permuted, stretched or turned around, another type, dialect or flag; rarely, a new request drawn by
// the class of its answer. The result is askable.
void mutate(conformance::Request& request, conformance::Choices& choices);

// A request with some fields of each: the data of one and the pattern of the other, say. Askable.
void cross_over(conformance::Request& request, const conformance::Request& other,
                conformance::Choices& choices);

}  // namespace reshape::fuzz
