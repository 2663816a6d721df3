#pragma once

#include <vector>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/memory/call_site.h"
#include "conformance/adapter/memory/guarded_buffer.h"
#include "reference/tensor/result.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// What an inference writes its answer into: full of poison, between canaries and guard pages, and
// with room for every right answer.
class ShapeReceiver {
 public:
  // Room for `most` sizes and some more. `other` takes another place and another poison, and leaves
  // no room to spare. False when there is no memory.
  bool arm(std::size_t most, bool other);

  reshape_shape* shape() const { return shape_; }
  const ShapeSite& site() const { return site_; }
  void append_buffers(std::vector<const GuardedBuffer*>& buffers) const;

  // The shape that was written; the error says in what way it is none.
  Result<Shape> read() const;

 private:
  GuardedBuffer sizes_{"array that receives the shape"};
  GuardedBuffer struct_{"struct that receives the shape"};
  reshape_shape* shape_ = nullptr;
  ShapeSite site_;
};

}  // namespace reshape::conformance
