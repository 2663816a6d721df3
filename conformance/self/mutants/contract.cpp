// Answers that break the contract itself: statuses, messages, descriptions, constancy, and promises
// that do not hold.
#include <bit>
#include <cstring>

#include "conformance/self/displace.h"
#include "conformance/self/families.h"
#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

// Execution answers with `status` where unwilling(data) says so.
Steps unwilling_where(reshape_status status, std::function<bool(const DLTensor&)> unwilling) {
  return executing([=](const reshape_request* request, DLTensor* output, reshape_message* why) {
    if (unwilling(*request->data)) return answer(status, "not this one", why);
    return right().execute(request, output, why);
  });
}

// Inference answers with `status` where unwilling(request, shape) says so.
Steps does_not_infer(reshape_status status,
                     std::function<bool(const reshape_request&, const reshape_shape&)> unwilling) {
  return inferring([=](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
    if (unwilling(*request, *shape)) return answer(status, "not this one", why);
    return right().infer_shape(request, shape, why);
  });
}

// Executes into an output of the right volume where fits(the right sizes, the given shape) says so.
Steps takes_outputs(bool (*fits)(const Sizes&, const Shape&)) {
  return executing([=](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const RightAnswer answer = right_answer(*request, why);
    const Shape given = shape_of(*output);
    const bool as_many = element_count(given) == element_count(shape_of(*request->data));
    return answer.produces() && as_many && fits(answer.sizes, given)
               ? copy_what_fits(*request->data, *output)
               : right().execute(request, output, why);
  });
}

// Calls unsupported where is(asked).
Steps unsupported_where(WhereAsked is) {
  return does_not_infer(
      RESHAPE_UNSUPPORTED,
      [=](const reshape_request& request, const reshape_shape&) { return is(Asked(request)); });
}

Steps executes_then(
    std::function<reshape_status(const DLTensor&, reshape_status, reshape_message&)> change) {
  return executing([=](const reshape_request* request, DLTensor* output, reshape_message* why) {
    return change(*request->data, right().execute(request, output, why), *why);
  });
}

}  // namespace

Mutants families::contract() {
  Mutants table = {
      {"unsupported-for-the-promised", Duty::C18, "",
       "data of rank 3 is promised and then called unsupported",
       does_not_infer(RESHAPE_UNSUPPORTED,
                      [](const reshape_request& request, const reshape_shape&) {
                        return request.data->ndim == 3;
                      })},
      {"unsupported-instead-of-rejected", Duty::C18, "",
       "what must be refused is called unsupported",
       infers_then([](reshape_status status, reshape_shape&, reshape_message&) {
         return status == RESHAPE_REJECTED ? RESHAPE_UNSUPPORTED : status;
       })},
      {"execute-unsupported", Duty::C18, "",
       "inference answers, execution calls the same request unsupported",
       unwilling_where(RESHAPE_UNSUPPORTED, [](const DLTensor&) { return true; }),
       caught("bytes", "status")},
      {"execute-does-not-refuse", Duty::C4, "", "execution relies on inference to have refused",
       executes_then([](const DLTensor&, reshape_status status, reshape_message&) {
         return status == RESHAPE_REJECTED ? RESHAPE_OK : status;
       }),
       caught("shape", "status")},
      {"failed-instead-of-rejected", Duty::C3, "",
       "what must be refused is answered with the status failed",
       infers_then([](reshape_status status, reshape_shape&, reshape_message&) {
         return status == RESHAPE_REJECTED ? RESHAPE_FAILED : status;
       }),
       caught("shape", "process")},
      {"status-out-of-range", Duty::C3, "", "a status of 42 is answered",
       infers_then([](reshape_status, reshape_shape&, reshape_message& why) {
         answer(RESHAPE_OK, "42", &why);
         // A C implementation can return any int; the enum's own values end at 3.
         return std::bit_cast<reshape_status>(42);
       }),
       caught("shape", "process")},
      {"negative-rank", Duty::C3, "", "a rank of -1 is answered",
       after_infer([](const reshape_request&, reshape_shape& shape) { shape.rank = -1; }),
       caught("shape", "process")},
      {"refuses-without-a-word", Duty::C19, "", "a refusal carries no message",
       infers_then([](reshape_status status, reshape_shape&, reshape_message& why) {
         if (status != RESHAPE_OK) why.text[0] = '\0';
         return status;
       }),
       caught("shape", "message")},
      {"message-without-an-end", Duty::C19, "", "the message fills its array to the last byte",
       infers_then([](reshape_status status, reshape_shape&, reshape_message& why) {
         if (status != RESHAPE_OK) std::memset(why.text, 'x', sizeof why.text);
         return status;
       }),
       caught("memory", "message")},
      {"one-entry-to-spare-wanted", Duty::C17, "count-2.u8",
       "a shape is not written unless the array has one entry more than it needs",
       does_not_infer(RESHAPE_FAILED,
                      [](const reshape_request& request, const reshape_shape& shape) {
                        return shape.capacity <=
                               element_count(shape_of(*request.pattern)).value_or(0);
                      }),
       caught("shape", "same-answer")},
      {"pattern-offset-ignored", Duty::C17, "count-2.u8",
       "the pattern is read at its pointer, without its byte_offset",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         DLTensor pattern = *request->pattern;
         pattern.byte_offset = 0;
         reshape_request other = *request;
         other.pattern = &pattern;
         return right().infer_shape(&other, shape, why);
       }),
       caught("shape", "same-answer")},
      {"pattern-strides-refused", Duty::C17, "count-2.u8",
       "a dense pattern is refused where its stride of 1 is written out",
       does_not_infer(RESHAPE_REJECTED,
                      [](const reshape_request& request, const reshape_shape&) {
                        return request.pattern->strides != nullptr;
                      }),
       caught("shape", "same-answer")},
      {"inference-wants-data", "output.shape", "count-2.u8",
       "inference refuses data without a pointer, though it needs the sizes only",
       does_not_infer(RESHAPE_REJECTED,
                      [](const reshape_request& request, const reshape_shape&) {
                        return request.data->data == nullptr;
                      })},
      {"strides-have-to-be-given", Duty::C5, "count-2.u8",
       "execution fails where strides are null, the older of DLPack's ways to say dense",
       unwilling_where(
           RESHAPE_FAILED,
           [](const DLTensor& data) { return data.strides == nullptr && data.ndim > 0; }),
       caught("bytes", "status")},
      {"strides-must-not-be-given", Duty::C18, "count-2.u8",
       "execution calls dense data unsupported where its strides are written out",
       unwilling_where(RESHAPE_UNSUPPORTED,
                       [](const DLTensor& data) { return data.strides != nullptr; }),
       caught("bytes", "status")},
      {"null-data-fails", Duty::C5, "infer-zero-first-true",
       "empty data with a null pointer fails to execute",
       unwilling_where(RESHAPE_FAILED, [](const DLTensor& data) { return data.data == nullptr; }),
       caught("bytes", "status")},
      {"negative-strides-promised-in-vain", Duty::C17, "both-backwards-rows.bf16",
       "negative strides are promised, and refused when they come",
       unwilling_where(RESHAPE_REJECTED,
                       [](const DLTensor& data) { return Walk(data).backwards(); }),
       caught("bytes", "status")},
      {"broadcast-promised-in-vain", Duty::C18, "repeated-rows.u8",
       "strides of 0 are promised with the others, and called unsupported",
       unwilling_where(RESHAPE_UNSUPPORTED,
                       [](const DLTensor& data) { return Walk(data).repeats(); }),
       caught("bytes", "status")},
      {"alignment-of-8-wanted", Duty::C17, "count-2.u8",
       "data that does not start at 8 bytes is refused, and no alignment was asked for",
       unwilling_where(
           RESHAPE_REJECTED,
           [](const DLTensor& data) { return data.data != nullptr && address_of(data) % 8 != 0; }),
       caught("bytes", "status")},
      {"rejections-called-failures-in-execute", Duty::C4, "empty-to-ones",
       "what inference refuses, execution fails at",
       executes_then([](const DLTensor&, reshape_status status, reshape_message&) {
         return status == RESHAPE_REJECTED ? RESHAPE_FAILED : status;
       }),
       caught("shape", "status")},
      {"execute-reads-the-flag-anew", Duty::C17, "zero-moves-to-the-front",
       "inference minds special_zero, execution takes every 0 for a copy",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         Asked asked(*request);
         if (asked.special_zero == RESHAPE_FLAG_FALSE) asked.special_zero = RESHAPE_FLAG_TRUE;
         return right().execute(asked.request(), output, why);
       }),
       caught("bytes", "status") | like("apache/tvm#20151")},
      {"null-pattern-refused", Duty::C17, "to-scalar-with-strides.bf16",
       "an empty pattern with a null pointer is refused",
       does_not_infer(RESHAPE_REJECTED,
                      [](const reshape_request& request, const reshape_shape&) {
                        return request.pattern->data == nullptr;
                      }),
       caught("shape", "same-answer") | like("GHSA-jjr8-m8g8-p6wv")},
      {"execute-refuses-without-a-word", Duty::C19, "empty-to-ones",
       "a refusal by execution carries no message",
       executes_then([](const DLTensor&, reshape_status status, reshape_message& why) {
         if (status != RESHAPE_OK) why.text[0] = '\0';
         return status;
       }),
       caught("shape", "message")},
      {"one-pattern-type-promised-in-vain", Duty::C18, "integers-*",
       "u16 patterns are promised with the others, and called unsupported",
       unsupported_where(
           [](const Asked& asked) { return asked.pattern_type == ElementType::u16; })},
      {"one-data-type-promised-in-vain", Duty::C18, "*e5m2",
       "f8e5m2 data is promised with the others, and called unsupported",
       unsupported_where(
           [](const Asked& asked) { return asked.data_type == ElementType::f8e5m2; })},
      {"one-dialect-promised-in-vain", Duty::C18, "onednn-static-reshape/example-*",
       "onednn-static-reshape is promised with the others, and called unsupported",
       unsupported_where(
           [](const Asked& asked) { return asked.dialect == "onednn-static-reshape"; })},
      {"unsupported-when-empty", Duty::C18, "*empty*",
       "data without elements is called unsupported",
       unsupported_where([](const Asked& asked) { return is_empty(asked.data); })},
      {"larger-requests-refused", Duty::C17, kExamples,
       "a request of a later version, longer than it was when this was built, is refused",
       does_not_infer(RESHAPE_UNSUPPORTED,
                      [](const reshape_request& request, const reshape_shape&) {
                        return request.struct_size != sizeof request;
                      }),
       caught("shape", "same-answer")},
      {"larger-requests-not-executed", Duty::C18, kExamples,
       "a request of a later version is inferred, and not executed",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         if (request->struct_size != sizeof(reshape_request)) {
           return answer(RESHAPE_UNSUPPORTED, "another version", why);
         }
         return right().execute(request, output, why);
       }),
       caught("bytes", "status")},
      {"any-output-of-the-volume", Duty::C20, kExamples,
       "execution looks at the volume of the output, and not at its sizes",
       takes_outputs([](const Sizes&, const Shape&) { return true; }), caught("shape", "status")},
      {"any-output-of-the-rank", Duty::C20, kExamples,
       "execution looks at the volume and the rank of the output, and not at its sizes",
       takes_outputs(
           [](const Sizes& right, const Shape& given) { return right.size() == given.rank(); }),
       caught("shape", "status")},
      {"status-of-a-byte", Duty::C4, "indivisible-*",
       "a refusal is answered with 256, which is 0 in its lowest byte",
       infers_then([](reshape_status status, reshape_shape&, reshape_message&) {
         return std::bit_cast<reshape_status>(status == RESHAPE_OK ? 0 : 256);
       }),
       caught("shape", "process")},
      {"rank-without-sizes", Duty::C3, kExamples,
       "the rank is written, and the sizes of more than two are not",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         const RightAnswer right = right_answer(*request, why);
         if (!right.produces() || right.sizes.size() < 3) {
           return answer_inference(right, none(), shape, why);
         }
         shape->rank = static_cast<std::int32_t>(right.sizes.size());
         return RESHAPE_OK;
       }),
       caught("shape", "process")},
      {"sizes-without-a-rank", Duty::C3, kExamples, "the sizes are written, and the rank is not",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         const std::int32_t rank = shape->rank;
         const reshape_status status = right().infer_shape(request, shape, why);
         shape->rank = rank;
         return status;
       }),
       caught("memory", "process")},
      {"rank-of-the-array", Duty::C3, kExamples,
       "the rank that is answered is the room there is, filled up with ones",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         while (shape.rank < shape.capacity) shape.sizes[shape.rank++] = 1;
       })},
      {"blank-message", Duty::C19, "indivisible-*", "a refusal carries a message of blanks",
       infers_then([](reshape_status status, reshape_shape&, reshape_message& why) {
         if (status != RESHAPE_OK) std::strcpy(why.text, "   ");
         return status;
       }),
       caught("shape", "message")},
      {"message-beyond-its-array", Duty::C7, "indivisible-true",
       "a message longer than its array is written to its end",
       infers_then([](reshape_status status, reshape_shape&, reshape_message& why) {
         constexpr std::size_t kRoom = sizeof why.text;
         volatile char* text = why.text;
         for (std::size_t at = 0; status != RESHAPE_OK && at < kRoom + 8; ++at) {
           text[at] = at < kRoom ? 'e' : '\0';
         }
         return status;
       }),
       caught("memory", "guard-page") | kHostile},
      {"infers-what-execution-refuses", Duty::C17, "data-rank-5-*",
       "inference knows data of any rank, execution refuses it above 4",
       unwilling_where(RESHAPE_REJECTED, [](const DLTensor& data) { return data.ndim > 4; }),
       caught("bytes", "status")},
      {"executes-what-inference-refuses", Duty::C4, "data-rank-5-*",
       "inference knows what to refuse, execution above rank 4 does not",
       executes_then([](const DLTensor& data, reshape_status status, reshape_message&) {
         return status == RESHAPE_REJECTED && data.ndim > 4 ? RESHAPE_OK : status;
       }),
       caught("shape", "status")},
  };
  return family(Kind::answers, {"shape", "shape"}, std::move(table));
}

}  // namespace reshape::conformance::self
