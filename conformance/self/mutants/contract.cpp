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

// A step answers with `status` where unwilling(call) says so.
Steps does_not_execute(reshape_status status, bool (*unwilling)(const Execution&)) {
  return executing([=](const Execution& call) {
    return unwilling(call) ? call.answer(status, "not this one") : call.right();
  });
}
Steps does_not_infer(reshape_status status, std::function<bool(const Inference&)> unwilling) {
  return inferring([=](const Inference& call) {
    return unwilling(call) ? call.answer(status, "not this one") : call.right();
  });
}

// Executes into an output of the right volume where fits(the right sizes, the given shape) says so.
Steps takes_outputs(bool (*fits)(const Sizes&, const Shape&)) {
  return executing([=](const Execution& call) {
    const RightAnswer answer = right_answer(call);
    const Shape given = shape_of(call.output);
    const bool as_many = element_count(given) == element_count(shape_of(call.data()));
    return answer.produces() && as_many && fits(answer.sizes, given)
               ? copy_what_fits(call.data(), call.output)
               : call.right();
  });
}

const EffectOn<Asked> kPromisedInVain{
    " is promised with the others, and called unsupported", [](Condition<Asked> where) {
      return does_not_infer(RESHAPE_UNSUPPORTED,
                            [=](const Inference& call) { return where(Asked(call.request)); });
    }};

Steps executes_then(std::function<reshape_status(reshape_status, const Execution&)> change) {
  return executing([=](const Execution& call) { return change(call.right(), call); });
}

// Answers status `to` instead of `from`.
Steps infers_as(reshape_status from, reshape_status to) {
  return infers_then(
      [=](reshape_status status, const Inference&) { return status == from ? to : status; });
}
Steps executes_as(reshape_status from, reshape_status to) {
  return executes_then(
      [=](reshape_status status, const Execution&) { return status == from ? to : status; });
}

// Refuses correctly, then calls writes(message).
Steps refuses_with(void (*writes)(reshape_message&)) {
  return infers_then([=](reshape_status status, const Inference& call) {
    if (status != RESHAPE_OK) writes(call.why);
    return status;
  });
}

}  // namespace

Mutants families::contract() {
  Table table(Kind::answers, {"shape", "shape"});
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
  };
  table.rows(Duty::C18, kBytesStatus) = {
      {"execute-unsupported", "", "inference answers, execution calls the same request unsupported",
       does_not_execute(RESHAPE_UNSUPPORTED, [](const Execution&) { return true; })},
      {"strides-must-not-be-given", "count-2.u8",
       "execution calls dense data unsupported where its strides are written out",
       does_not_execute(RESHAPE_UNSUPPORTED,
                        [](const Execution& call) { return call.data().strides != nullptr; })},
      {"broadcast-promised-in-vain", "repeated-rows.u8",
       "strides of 0 are promised with the others, and called unsupported",
       does_not_execute(RESHAPE_UNSUPPORTED,
                        [](const Execution& call) { return Walk(call.data()).repeats(); })},
      {"larger-requests-not-executed", kExamples,
       "a request of a later version is inferred, and not executed",
       does_not_execute(RESHAPE_UNSUPPORTED,
                        [](const Execution& call) {
                          return call.request.struct_size != sizeof(reshape_request);
                        })},
  };
  table.rows(Duty::C4, kShapeStatus) = {
      {"execute-does-not-refuse", "", "execution relies on inference to have refused",
       executes_as(RESHAPE_REJECTED, RESHAPE_OK)},
      {"rejections-called-failures-in-execute", "empty-to-ones",
       "what inference refuses, execution fails at", executes_as(RESHAPE_REJECTED, RESHAPE_FAILED)},
      {"executes-what-inference-refuses", "data-rank-5-*",
       "inference knows what to refuse, execution above rank 4 does not",
       executes_then([](reshape_status status, const Execution& call) {
         return status == RESHAPE_REJECTED && call.data().ndim > 4 ? RESHAPE_OK : status;
       })},
  };
  table[Duty::C4] = {Mutant{"status-of-a-byte", "indivisible-*",
                            "a refusal is answered with 256, which is 0 in its lowest byte",
                            infers_then([](reshape_status status, const Inference&) {
                              return std::bit_cast<reshape_status>(status == RESHAPE_OK ? 0 : 256);
                            }),
                            kProcess}};
  table.rows(Duty::C3, kProcess) = {
      {"failed-instead-of-rejected", "", "what must be refused is answered with the status failed",
       infers_as(RESHAPE_REJECTED, RESHAPE_FAILED)},
      {"status-out-of-range", "", "a status of 42 is answered",
       infers_then([](reshape_status, const Inference& call) {
         call.answer(RESHAPE_OK, "42");
         // A C implementation can return any int; the enum's own values end at 3.
         return std::bit_cast<reshape_status>(42);
       })},
      {"negative-rank", "", "a rank of -1 is answered",
       after_infer([](const reshape_request&, reshape_shape& shape) { shape.rank = -1; })},
      {"rank-without-sizes", kExamples,
       "the rank is written, and the sizes of more than two are not",
       inferring([](const Inference& call) {
         const RightAnswer right = right_answer(call);
         if (!right.produces() || right.sizes.size() < 3) {
           return answer_inference(call, right, none());
         }
         call.shape.rank = static_cast<std::int32_t>(right.sizes.size());
         return RESHAPE_OK;
       })},
  };
  table[Duty::C3] = {
      {"sizes-without-a-rank", kExamples, "the sizes are written, and the rank is not",
       inferring([](const Inference& call) {
         const std::int32_t rank = call.shape.rank;
         const reshape_status status = call.right();
         call.shape.rank = rank;
         return status;
       }),
       caught("shape", "process")},
      {"rank-of-the-array", kExamples,
       "the rank that is answered is the room there is, filled up with ones",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         while (shape.rank < shape.capacity) shape.sizes[shape.rank++] = 1;
       })},
  };
  table.rows(Duty::C19, kMessage) = {
      {"refuses-without-a-word", "", "a refusal carries no message",
       refuses_with([](reshape_message& why) { why.text[0] = '\0'; })},
      {"execute-refuses-without-a-word", "empty-to-ones",
       "a refusal by execution carries no message",
       executes_then([](reshape_status status, const Execution& call) {
         if (status != RESHAPE_OK) call.why.text[0] = '\0';
         return status;
       })},
      {"blank-message", "indivisible-*", "a refusal carries a message of blanks",
       refuses_with([](reshape_message& why) { std::strcpy(why.text, "   "); })},
  };
  table[Duty::C19] = {Mutant{
      "message-without-an-end", "", "the message fills its array to the last byte",
      refuses_with([](reshape_message& why) { std::memset(why.text, 'x', sizeof why.text); }),
      caught("memory", "message")}};
  table.rows(Duty::C17, kSameAnswer) = {
      {"one-entry-to-spare-wanted", "count-2.u8",
       "a shape is not written unless the array has one entry more than it needs",
       does_not_infer(RESHAPE_FAILED,
                      [](const Inference& call) {
                        return call.shape.capacity <=
                               element_count(shape_of(*call.request.pattern)).value_or(0);
                      })},
      {"pattern-offset-ignored", "count-2.u8",
       "the pattern is read at its pointer, without its byte_offset",
       inferring([](const Inference& call) {
         DLTensor pattern = *call.request.pattern;
         pattern.byte_offset = 0;
         reshape_request other = call.request;
         other.pattern = &pattern;
         return call.right(other);
       })},
      {"pattern-strides-refused", "count-2.u8",
       "a dense pattern is refused where its stride of 1 is written out",
       does_not_infer(
           RESHAPE_REJECTED,
           [](const Inference& call) { return call.request.pattern->strides != nullptr; })},
      {"null-pattern-refused", "to-scalar-with-strides.bf16",
       "an empty pattern with a null pointer is refused",
       does_not_infer(RESHAPE_REJECTED,
                      [](const Inference& call) { return call.request.pattern->data == nullptr; }),
       like("GHSA-jjr8-m8g8-p6wv")},
      {"larger-requests-refused", kExamples,
       "a request of a later version, longer than it was when this was built, is refused",
       does_not_infer(
           RESHAPE_UNSUPPORTED,
           [](const Inference& call) { return call.request.struct_size != sizeof call.request; })},
  };
  table.rows(Duty::C17, kBytesStatus) = {
      {"negative-strides-promised-in-vain", "both-backwards-rows.bf16",
       "negative strides are promised, and refused when they come",
       does_not_execute(RESHAPE_REJECTED,
                        [](const Execution& call) { return Walk(call.data()).backwards(); })},
      {"alignment-of-8-wanted", "count-2.u8",
       "data that does not start at 8 bytes is refused, and no alignment was asked for",
       does_not_execute(RESHAPE_REJECTED,
                        [](const Execution& call) {
                          return call.data().data != nullptr && address_of(call.data()) % 8 != 0;
                        })},
      {"execute-reads-the-flag-anew", "zero-moves-to-the-front",
       "inference minds special_zero, execution takes every 0 for a copy",
       executing([](const Execution& call) {
         Asked asked(call.request);
         if (asked.special_zero == RESHAPE_FLAG_FALSE) asked.special_zero = RESHAPE_FLAG_TRUE;
         return call.right(*asked.request());
       }),
       like("apache/tvm#20151")},
      {"infers-what-execution-refuses", "data-rank-5-*",
       "inference knows data of any rank, execution refuses it above 4",
       does_not_execute(RESHAPE_REJECTED,
                        [](const Execution& call) { return call.data().ndim > 4; })},
  };
  table["output.shape"] = {
      Mutant{"inference-wants-data", "count-2.u8",
             "inference refuses data without a pointer, though it needs the sizes only",
             does_not_infer(RESHAPE_REJECTED,
                            [](const Inference& call) { return call.data().data == nullptr; })}};
  table.rows(Duty::C5, kBytesStatus) = {
      {"strides-have-to-be-given", "count-2.u8",
       "execution fails where strides are null, the older of DLPack's ways to say dense",
       does_not_execute(RESHAPE_FAILED,
                        [](const Execution& call) {
                          return call.data().strides == nullptr && call.data().ndim > 0;
                        })},
      {"null-data-fails", "infer-zero-first-true",
       "empty data with a null pointer fails to execute",
       does_not_execute(RESHAPE_FAILED,
                        [](const Execution& call) { return call.data().data == nullptr; })},
  };
  table.rows(Duty::C20, kShapeStatus) = {
      {"any-output-of-the-volume", kExamples,
       "execution looks at the volume of the output, and not at its sizes",
       takes_outputs([](const Sizes&, const Shape&) { return true; })},
      {"any-output-of-the-rank", kExamples,
       "execution looks at the volume and the rank of the output, and not at its sizes",
       takes_outputs(
           [](const Sizes& right, const Shape& given) { return right.size() == given.rank(); })},
      {"ones-in-front-not-looked-at", "",
       "execution takes an output with 1s in front for one without",
       takes_outputs([](const Sizes& right, const Shape& given) {
         if (given.rank() < right.size()) return false;
         const auto from = given.begin() + static_cast<std::ptrdiff_t>(given.rank() - right.size());
         return std::count(given.begin(), from, 1) == from - given.begin() &&
                std::equal(right.begin(), right.end(), from, given.end());
       })},
      {"last-size-not-looked-at", "infer-zero-larger-size",
       "execution looks at every size of the output but the last, which the volume tells unless it "
       "is 0",
       takes_outputs([](const Sizes& right, const Shape& given) {
         return right.size() == given.rank() && !right.empty() &&
                std::equal(right.begin(), right.end() - 1, given.begin());
       })},
      {"output-sizes-in-32-bits", "infer-zero-larger-size",
       "the sizes of the output are compared in 32 bits",
       takes_outputs([](const Sizes& right, const Shape& given) {
         return std::equal(right.begin(), right.end(), given.begin(), given.end(),
                           [](std::int64_t one, std::int64_t other) {
                             return static_cast<std::int32_t>(one) ==
                                    static_cast<std::int32_t>(other);
                           });
       })},
      {"large-outputs-not-looked-at", "large-64-kib",
       "from 16384 elements on execution looks at the volume of the output, and not at its sizes",
       takes_outputs([](const Sizes&, const Shape& given) {
         return element_count(given).value_or(0) >= 16384;
       })},
      {"overlaps-are-moved-first", "count-11.bf16",
       "an output that begins within dense data of as many bytes is moved before it is looked at",
       executing([](const Execution& call) {
         const DLTensor& data = call.data();
         const bool dense = data.strides == nullptr && call.output.strides == nullptr;
         const bool within = dense && address_of(call.output) > address_of(data) &&
                             address_of(call.output) - address_of(data) <
                                 static_cast<std::uintptr_t>(bytes_of(data)) &&
                             bytes_of(call.output) == bytes_of(data);
         if (!within) return call.right();
         std::memmove(start_of(call.output), start_of(data),
                      static_cast<std::size_t>(bytes_of(data)));
         return RESHAPE_OK;
       })},
      {"in-place-is-done-already", "count-2.u8",
       "an output on top of dense data of as many bytes is taken as done, before anything is "
       "looked at",
       executing([](const Execution& call) {
         const DLTensor& data = call.data();
         const bool done = data.data != nullptr && data.data == call.output.data &&
                           data.byte_offset == call.output.byte_offset && data.strides == nullptr;
         return done ? RESHAPE_OK : call.right();
       })},
  };
  table[Duty::C10] = {Mutant{
      "reads-strides-that-are-not-there", "",
      "the strides of the output are read up to the inferred rank, before its rank is looked at",
      executing([](const Execution& call) {
        const RightAnswer inferred = right_answer(call);
        for (std::size_t at = 0; call.output.strides != nullptr && at < inferred.sizes.size();
             ++at) {
          [[maybe_unused]] const volatile std::int64_t read = call.output.strides[at];
        }
        return call.right();
      }),
      caught("memory", "guard-page") | kHostile}};
  table[Duty::C3].push_back({"answers-what-there-is-room-for", "",
                             "where there is no room for all sizes, the first ones are the answer",
                             inferring([](const Inference& call) {
                               RightAnswer inferred = right_answer(call);
                               const auto room = static_cast<std::size_t>(call.shape.capacity);
                               if (inferred.produces() && inferred.sizes.size() > room)
                                 inferred.sizes.resize(room);
                               return answer_inference(call, inferred, none());
                             }),
                             kSameAnswer});
  table[Duty::C9] = {
      Mutant{"writes-what-there-is-room-for", "",
             "where there is no room for all sizes, the first ones are written before it fails",
             inferring([](const Inference& call) {
               const RightAnswer inferred = right_answer(call);
               const auto room = static_cast<std::size_t>(call.shape.capacity);
               if (inferred.produces() && inferred.sizes.size() > room) {
                 std::copy_n(inferred.sizes.begin(), room, call.shape.sizes);
               }
               return answer_inference(call, inferred, none());
             }),
             caught("memory", "shape-canary")}};
  table[Duty::C7] = {Mutant{"message-beyond-its-array", "indivisible-true",
                            "a message longer than its array is written to its end",
                            refuses_with([](reshape_message& why) {
                              constexpr std::size_t kRoom = sizeof why.text;
                              volatile char* text = why.text;
                              for (std::size_t at = 0; at < kRoom + 8; ++at)
                                text[at] = at < kRoom ? 'e' : '\0';
                            }),
                            caught("memory", "guard-page") | kHostile}};
  return table.mutants();
}

}  // namespace reshape::conformance::self
