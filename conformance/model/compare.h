#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/model/judge.h"

namespace reshape::conformance {

// The first place where an output is not what it should be, in the words of a Fault.
struct Difference {
  std::string expected;    // "element 4 [1,1] is 0x40800000"
  std::string answered;    // "element 4 [1,1] is 0x00000000, 3 of 6 differ"
};

// The right elements of one request over one shape. Each payload is laid out once, however many
// executions are compared with it.
class RightElements {
 public:
  // `written` are the elements that a case wrote out, row-major; null: the probe's payload.
  RightElements(ElementType type, Shape shape, const std::vector<std::uint64_t>* written);

  // Nothing when `execution` holds the right bits at every row-major position.
  std::optional<Difference> difference(const Execution& execution);

 private:
  const std::vector<std::byte>& packed(Payload payload, int round);

  ElementType type_;
  Shape shape_;
  std::int64_t count_;
  const std::vector<std::uint64_t>* written_;
  std::map<std::pair<Payload, int>, std::vector<std::byte>> laid_out_;
};

}  // namespace reshape::conformance
