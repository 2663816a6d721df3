#pragma once

#include <string>
#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/memory/call_site.h"
#include "conformance/model/outcome.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// The reshape_shape that an inference writes into: filled with poison, between canaries and guard
// pages, with room for every right answer.
class ShapeReceiver {
 public:
  // Prepares room for `most` sizes and some more. `other`: at another place, with another poison,
  // and with room for exactly `most` sizes. False when there is no memory.
  bool arm(std::size_t most, bool other);
  // Prepares room for `most` sizes, which may be none, where an answer has more of them.
  bool arm_short(std::size_t most);

  reshape_shape* shape() const { return shape_; }
  const ShapeSite& site() const { return site_; }
  void append_buffers(std::vector<const GuardedBuffer*>& buffers) const;

  // The shape that was written; the error says why it is not a shape.
  Result<Shape> read() const;

 private:
  bool place(std::size_t room, Probe::Placement placement, bool other);

  GuardedBuffer sizes_{"array that receives the shape"};
  GuardedBuffer struct_{"struct that receives the shape"};
  reshape_shape* shape_ = nullptr;
  ShapeSite site_;
};

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
