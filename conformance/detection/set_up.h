#pragma once

#include <optional>
#include <span>
#include <string>

#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// A call of execute or view with the inferred shape.
struct Executed {
  const Request* request;
  Probe probe;
  bool fails;
};

struct SetUp {
  // To be appended to a sentence: ", in each of 90 executions with a byte_offset of the output, and
  // in none of 110 others".
  std::string says;
  // Hardly any execution of a request that passes has it, so that it does not matter which request
  // it is.
  bool alone = false;
};

// What those executions of the failing requests have that fail, and no other of these requests.
// Nothing where there is no such thing, or the executions are too few. Some requests have to be
// executed rightly as well as wrongly, else what they have in common may be what matters.
std::optional<SetUp> set_up_behind(std::span<const Executed> executions);

}  // namespace reshape::conformance
