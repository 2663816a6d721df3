// Promises of the description that do not hold for one word of it, and readings of the contract that are
// narrower than it.
#include <cstring>

#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

// Calls unsupported where is(asked).
template <typename Is>
void unsupported_where(reshape_plugin& table, Is) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    if (Is{}(Asked(*request))) return answer(RESHAPE_UNSUPPORTED, "not this one", why);
    return right().infer_shape(request, shape, why);
  };
}

}  // namespace

MUTANT("one-pattern-type-promised-in-vain", Breaks("C18"), Caught("shape", "shape"),
       On("openvino-reshape-1/integers-*"),
       Says("u16 patterns are promised with the others, and called unsupported")) {
  unsupported_where(table,
                    [](const Asked& asked) { return asked.pattern_type == ElementType::u16; });
}

MUTANT("one-data-type-promised-in-vain", Breaks("C18"), Caught("shape", "shape"),
       On("openvino-reshape-1/*e5m2"),
       Says("f8e5m2 data is promised with the others, and called unsupported")) {
  unsupported_where(table,
                    [](const Asked& asked) { return asked.data_type == ElementType::f8e5m2; });
}

MUTANT("one-dialect-promised-in-vain", Breaks("C18"), Caught("shape", "shape"),
       On("onednn-static-reshape/example-*"),
       Says("onednn-static-reshape is promised with the others, and called unsupported")) {
  unsupported_where(table,
                    [](const Asked& asked) { return asked.dialect == "onednn-static-reshape"; });
}

MUTANT("unsupported-when-empty", Breaks("C18"), Caught("shape", "shape"),
       On("openvino-reshape-1/*empty*"), Says("data without elements is called unsupported")) {
  unsupported_where(table, [](const Asked& asked) { return is_empty(asked.data); });
}

MUTANT("larger-requests-refused", Breaks("C17"), Caught("shape", "same-answer"), kExamples,
       Says("a request of a later version, longer than it was when this was built, is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    if (request->struct_size != sizeof(reshape_request)) {
      return answer(RESHAPE_UNSUPPORTED, "another version", why);
    }
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("larger-requests-not-executed", Breaks("C18"), Caught("bytes", "status"), kExamples,
       Says("a request of a later version is inferred, and not executed")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    if (request->struct_size != sizeof(reshape_request)) {
      return answer(RESHAPE_UNSUPPORTED, "another version", why);
    }
    return right().execute(request, output, why);
  };
}

MUTANT("status-of-a-byte", Breaks("C4"), Caught("shape", "process"),
       On("openvino-reshape-1/indivisible-*"),
       Says("a refusal is answered with 256, which is 0 in its lowest byte")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    int number = status == RESHAPE_OK ? 0 : 256;
    reshape_status answered = RESHAPE_OK;
    std::memcpy(&answered, &number, sizeof answered);
    return answered;
  };
}

MUTANT("rank-without-sizes", Breaks("C3"), Caught("shape", "process"), kExamples,
       Says("the rank is written, and the sizes of more than two are not")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const RightAnswer right = right_answer(*request, why);
    if (!right.produces() || right.sizes.size() < 3) {
      return answer_inference(right, Misreading::none(), shape, why);
    }
    shape->rank = static_cast<std::int32_t>(right.sizes.size());
    return RESHAPE_OK;
  };
}

MUTANT("sizes-without-a-rank", Breaks("C3"), Caught("memory", "process"), kExamples,
       Says("the sizes are written, and the rank is not")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const std::int32_t rank = shape->rank;
    const reshape_status status = right().infer_shape(request, shape, why);
    shape->rank = rank;
    return status;
  };
}

MUTANT("rank-of-the-array", Breaks("C3"), Caught("shape", "shape"), kExamples,
       Says("the rank that is answered is the room there is, filled up with ones")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    while (shape.rank < shape.capacity) shape.sizes[shape.rank++] = 1;
  });
}

MUTANT("blank-message", Breaks("C19"), Caught("shape", "message"),
       On("openvino-reshape-1/indivisible-*"), Says("a refusal carries a message of blanks")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    if (status != RESHAPE_OK) std::strcpy(why->text, "   ");
    return status;
  };
}

MUTANT("message-beyond-its-array", Breaks("C7"), Caught("memory", "guard-page"), Hostile{},
       On("openvino-reshape-1/indivisible-true"),
       Says("a message longer than its array is written to its end")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    if (status == RESHAPE_OK) return status;
    volatile char* at = why->text;
    for (std::size_t i = 0; i < sizeof why->text + 8; ++i)
      at[i] = i < sizeof why->text ? 'e' : '\0';
    return status;
  };
}

MUTANT("infers-what-execution-refuses", Breaks("C17"), Caught("bytes", "status"),
       On("openvino-reshape-1/data-rank-5-*"),
       Says("inference knows data of any rank, execution refuses it above 4")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    if (request->data->ndim > 4) return answer(RESHAPE_REJECTED, "rank", why);
    return right().execute(request, output, why);
  };
}

MUTANT("executes-what-inference-refuses", Breaks("C4"), Caught("shape", "status"),
       On("openvino-reshape-1/data-rank-5-*"),
       Says("inference knows what to refuse, execution above rank 4 does not")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const reshape_status status = right().execute(request, output, why);
    return status == RESHAPE_REJECTED && request->data->ndim > 4 ? RESHAPE_OK : status;
  };
}

}  // namespace reshape::conformance::self
