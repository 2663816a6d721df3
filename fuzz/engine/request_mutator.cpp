// For targets whose inputs are requests: libFuzzer mutates and crosses requests, not bytes. Linked
// into fuzzers only; a replay mutates nothing.
#include <cstdint>

#include "fuzz/input/decode.h"
#include "fuzz/input/mutate.h"

extern "C" {
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned int seed);
std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* left, std::size_t left_size,
                                      const std::uint8_t* right, std::size_t right_size,
                                      std::uint8_t* out, std::size_t most, unsigned int seed);
}

using reshape::conformance::Request;

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned int seed) {
  reshape::fuzz::QuickChoices choices(seed);
  // One time in 16, libFuzzer's own mutation of the bytes, which uses the dictionary and operands
  // of comparisons in the code. In the packed form even that changes mostly a single field.
  if (choices.below(16) == 0) return LLVMFuzzerMutate(data, size, most);
  static Request request;
  reshape::fuzz::decode({data, size}, request);
  reshape::fuzz::mutate(request, choices);
  return reshape::fuzz::encode_into(request, {data, most});
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* left, std::size_t left_size,
                                      const std::uint8_t* right, std::size_t right_size,
                                      std::uint8_t* out, std::size_t most, unsigned int seed) {
  reshape::fuzz::QuickChoices choices(seed);
  static Request request;
  static Request other;
  reshape::fuzz::decode({left, left_size}, request);
  reshape::fuzz::decode({right, right_size}, other);
  reshape::fuzz::cross_over(request, other, choices);
  return reshape::fuzz::encode_into(request, {out, most});
}
