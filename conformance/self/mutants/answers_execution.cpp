// Executions that do not keep what the description or the inference said.
#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Execution answers with `status` where unwilling(data) says so.
template <reshape_status Status, typename Unwilling>
void unwilling_where(reshape_plugin& table, Unwilling) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    if (Unwilling{}(*request->data)) return answer(Status, "not this one", why);
    return right().execute(request, output, why);
  };
}

}  // namespace

MUTANT("inference-wants-data", Breaks("output.shape"), Caught("shape", "shape"),
       On("openvino-reshape-1/count-2.u8"),
       Says("inference refuses data without a pointer, though it needs the sizes only")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    if (request->data->data == nullptr) return answer(RESHAPE_REJECTED, "no data", why);
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("strides-have-to-be-given", Breaks("C5"), Caught("bytes", "status"),
       On("openvino-reshape-1/count-2.u8"),
       Says("execution fails where strides are null, the older of DLPack's ways to say dense")) {
  unwilling_where<RESHAPE_FAILED>(
      table, [](const DLTensor& data) { return data.strides == nullptr && data.ndim > 0; });
}

MUTANT("strides-must-not-be-given", Breaks("C18"), Caught("bytes", "status"),
       On("openvino-reshape-1/count-2.u8"),
       Says("execution calls dense data unsupported where its strides are written out")) {
  unwilling_where<RESHAPE_UNSUPPORTED>(
      table, [](const DLTensor& data) { return data.strides != nullptr; });
}

MUTANT("null-data-fails", Breaks("C5"), Caught("bytes", "status"),
       On("openvino-reshape-1/infer-zero-first-true"),
       Says("empty data with a null pointer fails to execute")) {
  unwilling_where<RESHAPE_FAILED>(table, [](const DLTensor& data) { return data.data == nullptr; });
}

MUTANT("negative-strides-promised-in-vain", Breaks("C17"), Caught("bytes", "status"),
       On("openvino-reshape-1/both-backwards-rows.bf16"),
       Says("negative strides are promised, and refused when they come")) {
  unwilling_where<RESHAPE_REJECTED>(table,
                                    [](const DLTensor& data) { return Walk(data).backwards(); });
}

MUTANT("broadcast-promised-in-vain", Breaks("C18"), Caught("bytes", "status"),
       On("openvino-reshape-1/repeated-rows.u8"),
       Says("strides of 0 are promised with the others, and called unsupported")) {
  unwilling_where<RESHAPE_UNSUPPORTED>(table,
                                       [](const DLTensor& data) { return Walk(data).repeats(); });
}

MUTANT("alignment-of-8-wanted", Breaks("C17"), Caught("bytes", "status"),
       On("openvino-reshape-1/count-2.u8"),
       Says("data that does not start at 8 bytes is refused, and no alignment was asked for")) {
  unwilling_where<RESHAPE_REJECTED>(table, [](const DLTensor& data) {
    return data.data != nullptr && address_of(data) % 8 != 0;
  });
}

MUTANT("rejections-called-failures-in-execute", Breaks("C4"), Caught("shape", "status"),
       On("openvino-reshape-1/empty-to-ones"), Says("what inference refuses, execution fails at")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const reshape_status status = right().execute(request, output, why);
    return status == RESHAPE_REJECTED ? RESHAPE_FAILED : status;
  };
}

MUTANT("execute-reads-the-flag-anew", Breaks("C17"), Caught("bytes", "status"),
       On("openvino-reshape-1/zero-moves-to-the-front"), LikePublicBug("apache/tvm#20151"),
       Says("inference minds special_zero, execution takes every 0 for a copy")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    Asked asked(*request);
    if (asked.special_zero == RESHAPE_FLAG_FALSE) asked.special_zero = RESHAPE_FLAG_TRUE;
    return right().execute(asked.request(), output, why);
  };
}

MUTANT("null-pattern-refused", Breaks("C17"), Caught("shape", "same-answer"),
       On("openvino-reshape-1/to-scalar-with-strides.bf16"), LikePublicBug("GHSA-jjr8-m8g8-p6wv"),
       Says("an empty pattern with a null pointer is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    if (request->pattern->data == nullptr) return answer(RESHAPE_REJECTED, "no pattern", why);
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("execute-refuses-without-a-word", Breaks("C19"), Caught("shape", "message"),
       On("openvino-reshape-1/empty-to-ones"), Says("a refusal by execution carries no message")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const reshape_status status = right().execute(request, output, why);
    if (status != RESHAPE_OK) why->text[0] = '\0';
    return status;
  };
}

}  // namespace reshape::conformance::self
