// Mistakes that break the contract itself: statuses, messages, descriptions, inconstant answers,
// and false promises.
#include <bit>
#include <cstring>

#include "conformance/self/displace.h"
#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

// What most rows are caught by.
constexpr Notes kShapeStatus{.by = {"shape", "status"}};
constexpr Notes kBytesStatus{.by = {"bytes", "status"}};
constexpr Notes kSameAnswer{.by = {"shape", "same-answer"}};
constexpr Notes kMessage{.by = {"shape", "message"}};
constexpr Notes kProcess{.by = {"shape", "process"}};

// Execution answers with `status` where unwilling(data) says so.
Steps does_not_execute(reshape_status status, std::function<bool(const DLTensor&)> unwilling) {
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

const EffectOn<Asked> kPromisedInVain{
    " is promised with the others, and called unsupported", [](Condition<Asked> where) {
      return does_not_infer(RESHAPE_UNSUPPORTED,
                            [=](const reshape_request& request, const reshape_shape&) {
                              return where(Asked(request));
                            });
    }};

Steps executes_then(
    std::function<reshape_status(const DLTensor&, reshape_status, reshape_message&)> change) {
  return executing([=](const reshape_request* request, DLTensor* output, reshape_message* why) {
    return change(*request->data, right().execute(request, output, why), *why);
  });
}

// Answers status `to` instead of `from`.
Steps infers_as(reshape_status from, reshape_status to) {
  return infers_then([=](reshape_status status, reshape_shape&, reshape_message&) {
    return status == from ? to : status;
  });
}
Steps executes_as(reshape_status from, reshape_status to) {
  return executes_then([=](const DLTensor&, reshape_status status, reshape_message&) {
    return status == from ? to : status;
  });
}

// Refuses correctly, then calls writes(message).
Steps refuses_with(void (*writes)(reshape_message&)) {
  return infers_then([=](reshape_status status, reshape_shape&, reshape_message& why) {
    if (status != RESHAPE_OK) writes(why);
    return status;
  });
}

}  // namespace

Mutants families::contract() {
  Table table;
  table[Duty::C18] = {
      {"one-pattern-type-promised-in-vain", "integers-*", kPromisedInVain,
       pattern_is({ElementType::u16})},
      {"one-data-type-promised-in-vain", "*e5m2", kPromisedInVain, data_is({ElementType::f8e5m2})},
      {"one-dialect-promised-in-vain", "onednn-static-reshape/example-*", kPromisedInVain,
       dialect_is("onednn-static-reshape")},
      {"unsupported-when-empty", "*empty*", kPromisedInVain, kEmptyData},
      {"unsupported-for-the-promised", "", kPromisedInVain,
       worded("data of rank 3", kDataRank == 3)},
      {"unsupported-instead-of-rejected", "", "what must be refused is called unsupported",
       infers_as(RESHAPE_REJECTED, RESHAPE_UNSUPPORTED)},
      {"execute-unsupported", "", "inference answers, execution calls the same request unsupported",
       does_not_execute(RESHAPE_UNSUPPORTED, [](const DLTensor&) { return true; }), kBytesStatus},
      {"strides-must-not-be-given", "count-2.u8",
       "execution calls dense data unsupported where its strides are written out",
       does_not_execute(RESHAPE_UNSUPPORTED,
                        [](const DLTensor& data) { return data.strides != nullptr; }),
       kBytesStatus},
      {"broadcast-promised-in-vain", "repeated-rows.u8",
       "strides of 0 are promised with the others, and called unsupported",
       does_not_execute(RESHAPE_UNSUPPORTED,
                        [](const DLTensor& data) { return Walk(data).repeats(); }),
       kBytesStatus},
      {"larger-requests-not-executed", kExamples,
       "a request of a later version is inferred, and not executed",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         if (request->struct_size != sizeof(reshape_request)) {
           return answer(RESHAPE_UNSUPPORTED, "another version", why);
         }
         return right().execute(request, output, why);
       }),
       kBytesStatus},
  };
  table[Duty::C4] = {
      {"execute-does-not-refuse", "", "execution relies on inference to have refused",
       executes_as(RESHAPE_REJECTED, RESHAPE_OK), kShapeStatus},
      {"rejections-called-failures-in-execute", "empty-to-ones",
       "what inference refuses, execution fails at", executes_as(RESHAPE_REJECTED, RESHAPE_FAILED),
       kShapeStatus},
      {"status-of-a-byte", "indivisible-*",
       "a refusal is answered with 256, which is 0 in its lowest byte",
       infers_then([](reshape_status status, reshape_shape&, reshape_message&) {
         return std::bit_cast<reshape_status>(status == RESHAPE_OK ? 0 : 256);
       }),
       kProcess},
      {"executes-what-inference-refuses", "data-rank-5-*",
       "inference knows what to refuse, execution above rank 4 does not",
       executes_then([](const DLTensor& data, reshape_status status, reshape_message&) {
         return status == RESHAPE_REJECTED && data.ndim > 4 ? RESHAPE_OK : status;
       }),
       kShapeStatus},
  };
  table[Duty::C3] = {
      {"failed-instead-of-rejected", "", "what must be refused is answered with the status failed",
       infers_as(RESHAPE_REJECTED, RESHAPE_FAILED), kProcess},
      {"status-out-of-range", "", "a status of 42 is answered",
       infers_then([](reshape_status, reshape_shape&, reshape_message& why) {
         answer(RESHAPE_OK, "42", &why);
         // A C implementation can return any int; the enum's own values end at 3.
         return std::bit_cast<reshape_status>(42);
       }),
       kProcess},
      {"negative-rank", "", "a rank of -1 is answered",
       after_infer([](const reshape_request&, reshape_shape& shape) { shape.rank = -1; }),
       kProcess},
      {"rank-without-sizes", kExamples,
       "the rank is written, and the sizes of more than two are not",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         const RightAnswer right = right_answer(*request, why);
         if (!right.produces() || right.sizes.size() < 3) {
           return answer_inference(right, none(), shape, why);
         }
         shape->rank = static_cast<std::int32_t>(right.sizes.size());
         return RESHAPE_OK;
       }),
       kProcess},
      {"sizes-without-a-rank", kExamples, "the sizes are written, and the rank is not",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         const std::int32_t rank = shape->rank;
         const reshape_status status = right().infer_shape(request, shape, why);
         shape->rank = rank;
         return status;
       }),
       caught("memory", "process")},
      {"rank-of-the-array", kExamples,
       "the rank that is answered is the room there is, filled up with ones",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         while (shape.rank < shape.capacity) shape.sizes[shape.rank++] = 1;
       })},
  };
  table[Duty::C19] = {
      {"refuses-without-a-word", "", "a refusal carries no message",
       refuses_with([](reshape_message& why) { why.text[0] = '\0'; }), kMessage},
      {"message-without-an-end", "", "the message fills its array to the last byte",
       refuses_with([](reshape_message& why) { std::memset(why.text, 'x', sizeof why.text); }),
       caught("memory", "message")},
      {"execute-refuses-without-a-word", "empty-to-ones",
       "a refusal by execution carries no message",
       executes_then([](const DLTensor&, reshape_status status, reshape_message& why) {
         if (status != RESHAPE_OK) why.text[0] = '\0';
         return status;
       }),
       kMessage},
      {"blank-message", "indivisible-*", "a refusal carries a message of blanks",
       refuses_with([](reshape_message& why) { std::strcpy(why.text, "   "); }), kMessage},
  };
  table[Duty::C17] = {
      {"one-entry-to-spare-wanted", "count-2.u8",
       "a shape is not written unless the array has one entry more than it needs",
       does_not_infer(RESHAPE_FAILED,
                      [](const reshape_request& request, const reshape_shape& shape) {
                        return shape.capacity <=
                               element_count(shape_of(*request.pattern)).value_or(0);
                      }),
       kSameAnswer},
      {"pattern-offset-ignored", "count-2.u8",
       "the pattern is read at its pointer, without its byte_offset",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         DLTensor pattern = *request->pattern;
         pattern.byte_offset = 0;
         reshape_request other = *request;
         other.pattern = &pattern;
         return right().infer_shape(&other, shape, why);
       }),
       kSameAnswer},
      {"pattern-strides-refused", "count-2.u8",
       "a dense pattern is refused where its stride of 1 is written out",
       does_not_infer(RESHAPE_REJECTED,
                      [](const reshape_request& request, const reshape_shape&) {
                        return request.pattern->strides != nullptr;
                      }),
       kSameAnswer},
      {"negative-strides-promised-in-vain", "both-backwards-rows.bf16",
       "negative strides are promised, and refused when they come",
       does_not_execute(RESHAPE_REJECTED,
                        [](const DLTensor& data) { return Walk(data).backwards(); }),
       kBytesStatus},
      {"alignment-of-8-wanted", "count-2.u8",
       "data that does not start at 8 bytes is refused, and no alignment was asked for",
       does_not_execute(
           RESHAPE_REJECTED,
           [](const DLTensor& data) { return data.data != nullptr && address_of(data) % 8 != 0; }),
       kBytesStatus},
      {"execute-reads-the-flag-anew", "zero-moves-to-the-front",
       "inference minds special_zero, execution takes every 0 for a copy",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         Asked asked(*request);
         if (asked.special_zero == RESHAPE_FLAG_FALSE) asked.special_zero = RESHAPE_FLAG_TRUE;
         return right().execute(asked.request(), output, why);
       }),
       kBytesStatus | like("apache/tvm#20151")},
      {"null-pattern-refused", "to-scalar-with-strides.bf16",
       "an empty pattern with a null pointer is refused",
       does_not_infer(RESHAPE_REJECTED,
                      [](const reshape_request& request, const reshape_shape&) {
                        return request.pattern->data == nullptr;
                      }),
       kSameAnswer | like("GHSA-jjr8-m8g8-p6wv")},
      {"larger-requests-refused", kExamples,
       "a request of a later version, longer than it was when this was built, is refused",
       does_not_infer(RESHAPE_UNSUPPORTED,
                      [](const reshape_request& request, const reshape_shape&) {
                        return request.struct_size != sizeof request;
                      }),
       kSameAnswer},
      {"infers-what-execution-refuses", "data-rank-5-*",
       "inference knows data of any rank, execution refuses it above 4",
       does_not_execute(RESHAPE_REJECTED, [](const DLTensor& data) { return data.ndim > 4; }),
       kBytesStatus},
  };
  table["output.shape"] = {Row{
      "inference-wants-data", "count-2.u8",
      "inference refuses data without a pointer, though it needs the sizes only",
      does_not_infer(RESHAPE_REJECTED, [](const reshape_request& request, const reshape_shape&) {
        return request.data->data == nullptr;
      })}};
  table[Duty::C5] = {
      {"strides-have-to-be-given", "count-2.u8",
       "execution fails where strides are null, the older of DLPack's ways to say dense",
       does_not_execute(
           RESHAPE_FAILED,
           [](const DLTensor& data) { return data.strides == nullptr && data.ndim > 0; }),
       kBytesStatus},
      {"null-data-fails", "infer-zero-first-true",
       "empty data with a null pointer fails to execute",
       does_not_execute(RESHAPE_FAILED, [](const DLTensor& data) { return data.data == nullptr; }),
       kBytesStatus},
  };
  table[Duty::C20] = {
      {"any-output-of-the-volume", kExamples,
       "execution looks at the volume of the output, and not at its sizes",
       takes_outputs([](const Sizes&, const Shape&) { return true; }), kShapeStatus},
      {"any-output-of-the-rank", kExamples,
       "execution looks at the volume and the rank of the output, and not at its sizes",
       takes_outputs(
           [](const Sizes& right, const Shape& given) { return right.size() == given.rank(); }),
       kShapeStatus},
      {"ones-in-front-not-looked-at", "",
       "execution takes an output with 1s in front for one without",
       takes_outputs([](const Sizes& right, const Shape& given) {
         if (given.rank() < right.size()) return false;
         const auto from = given.begin() + static_cast<std::ptrdiff_t>(given.rank() - right.size());
         return std::count(given.begin(), from, 1) == from - given.begin() &&
                std::equal(right.begin(), right.end(), from, given.end());
       }),
       kShapeStatus},
      {"last-size-not-looked-at", "infer-zero-larger-size",
       "execution looks at every size of the output but the last, which the volume tells unless it "
       "is 0",
       takes_outputs([](const Sizes& right, const Shape& given) {
         return right.size() == given.rank() && !right.empty() &&
                std::equal(right.begin(), right.end() - 1, given.begin());
       }),
       kShapeStatus},
      {"output-sizes-in-32-bits", "infer-zero-larger-size",
       "the sizes of the output are compared in 32 bits",
       takes_outputs([](const Sizes& right, const Shape& given) {
         return std::equal(right.begin(), right.end(), given.begin(), given.end(),
                           [](std::int64_t one, std::int64_t other) {
                             return static_cast<std::int32_t>(one) ==
                                    static_cast<std::int32_t>(other);
                           });
       }),
       kShapeStatus},
      {"large-outputs-not-looked-at", "large-64-kib",
       "from 16384 elements on execution looks at the volume of the output, and not at its sizes",
       takes_outputs([](const Sizes&, const Shape& given) {
         return element_count(given).value_or(0) >= 16384;
       }),
       kShapeStatus},
      {"overlaps-are-moved-first", "count-11.bf16",
       "an output that begins within dense data of as many bytes is moved before it is looked at",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         const DLTensor& data = *request->data;
         const bool dense = data.strides == nullptr && output->strides == nullptr;
         const bool within =
             dense && address_of(*output) > address_of(data) &&
             address_of(*output) - address_of(data) < static_cast<std::uintptr_t>(bytes_of(data)) &&
             bytes_of(*output) == bytes_of(data);
         if (!within) return right().execute(request, output, why);
         std::memmove(start_of(*output), start_of(data), static_cast<std::size_t>(bytes_of(data)));
         return RESHAPE_OK;
       }),
       kShapeStatus},
      {"in-place-is-done-already", "count-2.u8",
       "an output on top of dense data of as many bytes is taken as done, before anything is "
       "looked at",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         const DLTensor& data = *request->data;
         const bool done = data.data != nullptr && data.data == output->data &&
                           data.byte_offset == output->byte_offset && data.strides == nullptr;
         return done ? RESHAPE_OK : right().execute(request, output, why);
       }),
       kShapeStatus},
  };
  table[Duty::C10] = {Row{
      "reads-strides-that-are-not-there", "",
      "the strides of the output are read up to the inferred rank, before its rank is looked at",
      executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
        const RightAnswer inferred = right_answer(*request, why);
        for (std::size_t at = 0; output->strides != nullptr && at < inferred.sizes.size(); ++at) {
          [[maybe_unused]] const volatile std::int64_t read = output->strides[at];
        }
        return right().execute(request, output, why);
      }),
      caught("memory", "guard-page") | kHostile}};
  table[Duty::C3].push_back(
      {"answers-what-there-is-room-for", "",
       "where there is no room for all sizes, the first ones are the answer",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         RightAnswer inferred = right_answer(*request, why);
         const auto room = static_cast<std::size_t>(shape->capacity);
         if (inferred.produces() && inferred.sizes.size() > room) inferred.sizes.resize(room);
         return answer_inference(inferred, none(), shape, why);
       }),
       kSameAnswer});
  table[Duty::C9] = {
      Row{"writes-what-there-is-room-for", "",
          "where there is no room for all sizes, the first ones are written before it fails",
          inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
            const RightAnswer inferred = right_answer(*request, why);
            const auto room = static_cast<std::size_t>(shape->capacity);
            if (inferred.produces() && inferred.sizes.size() > room) {
              std::copy_n(inferred.sizes.begin(), room, shape->sizes);
            }
            return answer_inference(inferred, none(), shape, why);
          }),
          caught("memory", "shape-canary")}};
  table[Duty::C7] = {Row{"message-beyond-its-array", "indivisible-true",
                         "a message longer than its array is written to its end",
                         refuses_with([](reshape_message& why) {
                           constexpr std::size_t kRoom = sizeof why.text;
                           volatile char* text = why.text;
                           for (std::size_t at = 0; at < kRoom + 8; ++at)
                             text[at] = at < kRoom ? 'e' : '\0';
                         }),
                         caught("memory", "guard-page") | kHostile}};
  return table.of(Kind::answers, {"shape", "shape"});
}

}  // namespace reshape::conformance::self
