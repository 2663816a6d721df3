#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/adapter/memory/guarded_buffer.h"
#include "conformance/adapter/memory/tensor_image.h"

namespace reshape::conformance {

enum class CallKind : std::uint8_t { infer, execute, view };

// Bytes of the caller that must be unchanged after the call.
struct Argument {
  const char* name = "";  // "sizes of the data"
  const void* at = nullptr;
  std::size_t size = 0;
  const char* of = "";       // what it is a field of: "tensor of the data"; empty: of nothing
  bool set_by_view = false;  // by a call that makes a view, and by no other
};

// The output of one execution.
struct OutputSite {
  const GuardedBuffer* buffer = nullptr;
  ElementType type = ElementType::f32;
  const Layout* layout = nullptr;
  Extent extent;
  std::uint8_t filling = 0;  // what every byte held before the call
  // The buffer's bytes before the call, where not all of them were `filling`. Else empty.
  std::span<const std::byte> before = {};
  bool shared = false;  // by data and output, but the output does not cover all of it
};

// What receives a shape.
struct ShapeSite {
  const reshape_shape* shape = nullptr;
  const std::int64_t* sizes = nullptr;  // as handed over
  std::int32_t capacity = 0;
  std::int32_t rank_before = 0;  // poison
  std::int64_t size_before = 0;  // poison of every entry
};

// One call as the watches see it: the memory that it was given. Owns nothing; what does not apply
// to the call is null or empty.
struct CallSite {
  CallKind kind = CallKind::infer;
  std::span<const GuardedBuffer* const> buffers;  // everything that was passed
  std::span<const Argument> arguments;
  const GuardedBuffer* input = nullptr;  // the data, unless it is the output as well
  // The expected bytes of the input's buffer, where its elements fill it completely; else empty.
  std::span<const std::byte> input_bytes;
  const OutputSite* output = nullptr;
  const ShapeSite* shape = nullptr;
  const reshape_message* message = nullptr;
  bool little_room = false;  // for fewer sizes than an inferred shape has
  bool must_refuse = false;  // execute after inference refused
  // The caller has the floating-point unit flush denormals to zero, as programs do that are to be
  // fast.
  bool flushes_to_zero = false;
  // The caller has cleared errno; else it holds what an earlier call of the caller's own left.
  bool errno_cleared = false;
};

}  // namespace reshape::conformance
