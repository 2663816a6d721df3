// What belongs to the caller beside the elements: sizes, strides, the request, the shape's receiver.
#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {

MUTANT("shape-written-on-rejection", Breaks("C9"), Caught("memory", "shape-canary"),
       Says("sizes are written before the request is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    if (status == RESHAPE_REJECTED && shape->capacity > 0) shape->sizes[0] = 0;
    return status;
  };
}

MUTANT("shape-filled-to-capacity", Breaks("C7"), Caught("memory", "shape-canary"),
       Says("the rest of the array that receives the shape is filled with ones")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    for (std::int32_t at = shape.rank; at < shape.capacity; ++at) shape.sizes[at] = 1;
  });
}

MUTANT("changes-the-pattern", Breaks("C11"), Caught("memory", "arguments-unchanged"),
       Says("the pattern is resolved where it lies")) {
  table.infer_shape = after_infer([](const reshape_request& request, reshape_shape& shape) {
    if (request.pattern->ndim != 1 || request.pattern->data == nullptr) return;
    Elements pattern(*request.pattern);
    for (std::int64_t at = 0; at < pattern.count(); ++at) {
      pattern.set(at, static_cast<std::uint64_t>(shape.sizes[at]));
    }
  });
}

MUTANT("changes-the-sizes", Breaks("C11"), Caught("memory", "arguments-unchanged"),
       Says("sizes of 1 are folded away in the caller's own array")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    for (std::int32_t axis = 0; axis < request.data->ndim; ++axis) request.data->shape[axis] = 1;
  });
}

MUTANT("rank-written-on-rejection", Breaks("C9"), Caught("memory", "shape-canary"),
       On("openvino-reshape-1/empty-to-ones"),
       Says("the rank is set before the request is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    if (status == RESHAPE_REJECTED) shape->rank = 0;
    return status;
  };
}

MUTANT("capacity-changed", Breaks("C11"), Caught("memory", "shape-canary"),
       On("openvino-reshape-1/count-2.u8"),
       Says("the capacity is lowered to the rank, as if the array had been shortened")) {
  table.infer_shape = after_infer(
      [](const reshape_request&, reshape_shape& shape) { shape.capacity = shape.rank; });
}

MUTANT("sizes-terminated-with-minus-one", Breaks("C7"), Caught("memory", "shape-canary"),
       On("openvino-reshape-1/count-2.u8"),
       Says("one entry behind the last size is written, a -1 that ends the list")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    if (shape.rank < shape.capacity) shape.sizes[shape.rank] = -1;
  });
}

MUTANT("request-flag-normalised", Breaks("C11"), Caught("memory", "arguments-unchanged"),
       On("openvino-reshape-1/count-3.f64"),
       Says("special_zero is normalised in the caller's own request")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    const_cast<reshape_request*>(request)->special_zero = RESHAPE_FLAG_TRUE;
    return status;
  };
}

MUTANT("offset-folded-into-the-pointer", Breaks("C11"), Caught("memory", "arguments-unchanged"),
       On("openvino-reshape-1/count-2.u8"),
       Says("byte_offset is added to the pointer in the caller's own tensor, and set to 0")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    DLTensor& data = *const_cast<DLTensor*>(request.data);
    if (data.data == nullptr) return;
    data.data = static_cast<char*>(data.data) + data.byte_offset;
    data.byte_offset = 0;
  });
}

MUTANT("output-strides-filled-in", Breaks("C11"), Caught("memory", "arguments-unchanged"),
       On("openvino-reshape-1/count-2.u8"),
       Says("an output without strides is given an array of them")) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    static std::int64_t strides[256];
    if (out.strides == nullptr) out.strides = strides;
  });
}

MUTANT("strides-of-one-normalised", Breaks("C11"), Caught("memory", "arguments-unchanged"),
       On("openvino-reshape-1/packed-1.i4"),
       Says("strides of axes of size 1 are set to 1 in the caller's own array")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor&) {
    const DLTensor& data = *request.data;
    for (std::int32_t axis = 0; data.strides != nullptr && axis < data.ndim; ++axis) {
      if (data.shape[axis] == 1) data.strides[axis] = 77;
    }
  });
}

MUTANT("message-longer-than-its-array", Breaks("C7"), Caught("memory", "guard-page"),
       On("openvino-reshape-1/in-place-two-minus-ones"), Hostile{},
       Says("the message of a refusal is filled up to 600 letters")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    volatile char* text = why->text;
    for (int at = 0; status != RESHAPE_OK && at < 600; ++at) text[at] = at < 599 ? 'x' : '\0';
    return status;
  };
}

}  // namespace reshape::conformance::self
