#pragma once

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "conformance/model/judge.h"

namespace reshape::conformance {

// The first place where an output is not what it should be, in the words of a Fault.
struct Difference {
  std::string expected;  // "element 4 [1,1] is 0x40800000"
  std::string answered;  // "element 4 [1,1] is 0x00000000, 3 of 6 differ"
};

// The right elements of one request over one shape. Each payload is laid out once, however many
// executions are compared with it.
class RightElements {
 public:
  // `shape` is the output's. `answer`, when not null, are the elements that a case wrote out as its
  // answer; else what the request puts in the data is right. All of it outlives this.
  RightElements(const Request& request, Shape shape, const std::vector<std::uint64_t>* answer);

  // Nothing when `execution` holds the right bits at every row-major position.
  std::optional<Difference> difference(const Execution& execution);

  // Whether a wrong execution holds what was right of one of those `before` it, with another payload. Some
  // bytes are needed to tell, and zeros tell nothing: an output may be cleared.
  bool holds_earlier(const Execution& execution, std::span<const Execution> before);

  // Row-major and packed: what is right, and what `execution` came to.
  const std::vector<std::byte>& of(const Execution& execution);
  std::vector<std::byte> came(const Execution& execution) const;

 private:
  const std::vector<std::byte>& packed(Payload payload, int round);
  bool places_are_apart();
  std::uint64_t bits_at(std::int64_t position, Payload payload, int round) const;

  const Request& request_;
  ElementType type_;
  Shape shape_;
  std::int64_t count_;
  const std::vector<std::uint64_t>* answer_;
  // Where the data's layout puts several elements in one place: for each position the first one that
  // lies there, whose payload the place holds. Empty where every element has a place of its own,
  // absent until it is asked for.
  std::optional<std::vector<std::int64_t>> first_there_;
  std::map<std::pair<Payload, int>, std::vector<std::byte>> laid_out_;
};

}  // namespace reshape::conformance
