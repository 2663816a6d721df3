// Answers that break the contract itself: statuses, messages, descriptions, constancy.
#include <bit>
#include <cstring>

#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
MUTANT("unsupported-for-the-promised", Breaks("C18"), Caught("shape", "shape"),
       Says("data of rank 3 is promised and then called unsupported")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    if (request->data->ndim == 3) return answer(RESHAPE_UNSUPPORTED, "rank 3", why);
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("unsupported-instead-of-rejected", Breaks("C18"), Caught("shape", "shape"),
       Says("what must be refused is called unsupported")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    return status == RESHAPE_REJECTED ? RESHAPE_UNSUPPORTED : status;
  };
}

MUTANT("execute-unsupported", Breaks("C18"), Caught("bytes", "status"),
       Says("inference answers, execution calls the same request unsupported")) {
  table.execute = [](const reshape_request*, DLTensor*, reshape_message* why) {
    return answer(RESHAPE_UNSUPPORTED, "only shapes here", why);
  };
}

MUTANT("execute-does-not-refuse", Breaks("C4"), Caught("shape", "status"),
       Says("execution relies on inference to have refused")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const reshape_status status = right().execute(request, output, why);
    return status == RESHAPE_REJECTED ? RESHAPE_OK : status;
  };
}

MUTANT("failed-instead-of-rejected", Breaks("C3"), Caught("shape", "process"),
       Says("what must be refused is answered with the status failed")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    return status == RESHAPE_REJECTED ? RESHAPE_FAILED : status;
  };
}

MUTANT("status-out-of-range", Breaks("C3"), Caught("shape", "process"),
       Says("a status of 42 is answered")) {
  table.infer_shape = [](const reshape_request*, reshape_shape*, reshape_message* why) {
    answer(RESHAPE_OK, "42", why);
    // A C implementation can return any int; the enum's own values end at 3.
    const int status = 42;
    return std::bit_cast<reshape_status>(status);
  };
}

MUTANT("negative-rank", Breaks("C3"), Caught("shape", "process"),
       Says("a rank of -1 is answered")) {
  table.infer_shape =
      after_infer([](const reshape_request&, reshape_shape& shape) { shape.rank = -1; });
}

MUTANT("refuses-without-a-word", Breaks("C19"), Caught("shape", "message"),
       Says("a refusal carries no message")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    if (status != RESHAPE_OK) why->text[0] = '\0';
    return status;
  };
}

MUTANT("message-without-an-end", Breaks("C19"), Caught("memory", "message"),
       Says("the message fills its array to the last byte")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    if (status != RESHAPE_OK) std::memset(why->text, 'x', sizeof why->text);
    return status;
  };
}

MUTANT("one-entry-to-spare-wanted", Breaks("C17"), Caught("shape", "same-answer"),
       On("openvino-reshape-1/count-2.u8"),
       Says("a shape is not written unless the array has one entry more than it needs")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const auto length = element_count(shape_of(*request->pattern)).value_or(0);
    if (shape->capacity <= length) return answer(RESHAPE_FAILED, "no room", why);
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("pattern-offset-ignored", Breaks("C17"), Caught("shape", "same-answer"),
       On("openvino-reshape-1/count-2.u8"),
       Says("the pattern is read at its pointer, without its byte_offset")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    DLTensor pattern = *request->pattern;
    pattern.byte_offset = 0;
    reshape_request other = *request;
    other.pattern = &pattern;
    return right().infer_shape(&other, shape, why);
  };
}

MUTANT("pattern-strides-refused", Breaks("C17"), Caught("shape", "same-answer"),
       On("openvino-reshape-1/count-2.u8"),
       Says("a dense pattern is refused where its stride of 1 is written out")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    if (request->pattern->strides != nullptr) return answer(RESHAPE_REJECTED, "strides", why);
    return right().infer_shape(request, shape, why);
  };
}

}  // namespace reshape::conformance::self
