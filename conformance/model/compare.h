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

// The right elements of one request over one shape. Each payload is computed once, however many
// executions are compared with it.
class RightElements {
 public:
  // `shape` is the output's. `answer`, when not null, holds the elements that a case writes out as
  // its answer; else the data's elements are right. All arguments must outlive this.
  RightElements(const Request& request, Shape shape, const std::vector<std::uint64_t>* answer);

  // Nothing when `execution` holds the right bits at every row-major position.
  std::optional<Difference> difference(const Execution& execution);

  // Whether a wrong execution holds the right elements of an execution `before` it, with another
  // payload: a stale result. A few bytes are needed to tell; zeros do not count, since an output
  // may be cleared.
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
  // Where the data's layout puts several elements in one place: for each position the first
  // position at that place, whose payload it holds. Empty where no place is shared, absent until it
  // is needed.
  std::optional<std::vector<std::int64_t>> first_there_;
  std::map<std::pair<Payload, int>, std::vector<std::byte>> laid_out_;
};

}  // namespace reshape::conformance
