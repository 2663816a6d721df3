#pragma once

#include <string>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/contract/shape_receiver.h"
#include "conformance/model/outcome.h"

namespace reshape::conformance {

// The status behind a number that an implementation returned.
Status status_of(int answer);
// The implementation's message, fit for reports.
std::string text_of(const reshape_message& message);

// The answer to one inference.
struct Inferred {
  Status status = Status::unknown;
  Shape shape;
  std::string message;
  std::string malformed;  // why the answer cannot be read, or empty
};
Inferred read_inference(int answer, const ShapeReceiver& receiver, const reshape_message& message);

// "[2,3]", "rejected", "a rank of 100000, the capacity is 72"
std::string text(const Inferred& inferred);

}  // namespace reshape::conformance
