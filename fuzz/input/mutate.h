#pragma once

#include <cstdint>

#include "conformance/model/request.h"
#include "conformance/property/choices.h"

namespace reshape::fuzz {

// Choices from a small and fast generator (splitmix64): a mutator makes millions of them.
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

// Makes one to three changes that are meaningful for tensors: an axis is split, merged, moved or
// made huge, a size is scaled on both sides, a -1 or a 0 is placed where it has a meaning, strides
// are permuted, stretched or negated, type, dialect or flag is replaced; rarely a new request is
// drawn. The result is askable.
void mutate(conformance::Request& request, conformance::Choices& choices);

// Replaces some fields of `request` by those of `other`, for instance the pattern. The result is
// askable.
void cross_over(conformance::Request& request, const conformance::Request& other,
                conformance::Choices& choices);

}  // namespace reshape::fuzz
