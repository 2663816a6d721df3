// Requests that end the process, each of a kind that a library once died of.
#include <cstdlib>
#include <stdexcept>

#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

// Does something in every inference that concerns(asked) picks, before answering rightly.
template <typename Concerns, typename Do>
void where(reshape_plugin& table, Concerns, Do) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const Asked asked(*request);
    if (Concerns{}(asked)) Do{}(asked);
    return right().infer_shape(request, shape, why);
  };
}

}  // namespace

MUTANT("divides-by-an-empty-product", Breaks("C16"), Caught("shape", "process"),
       On("openvino-reshape-1/plain-zero-minus-one-empty"), LikePublicBug("pytorch/pytorch#8302"),
       Hostile{}, Says("the -1 is divided out by a product of 0, which ends the process")) {
  where(
      table, [](const Asked& asked) { return asked.minus_ones() == 1; },
      [](const Asked& asked) {
        volatile std::int64_t count = 6, known = 1;
        for (const PatternValue value : asked.with_zeros_copied()) known = value == 0 ? 0 : known;
        count = count / known;
      });
}

MUTANT("aborts-above-int64", Breaks("C16"), Caught("shape", "process"),
       On("openvino-reshape-1/beyond-plain-true"), LikePublicBug("tensorflow/tensorflow#46693"),
       Hostile{}, Says("a number of elements above 2^63-1 is asserted not to happen")) {
  where(
      table, [](const Asked& asked) { return !element_count(asked.data); },
      [](const Asked&) { std::abort(); });
}

MUTANT("aborts-at-rank-255", Breaks("C16"), Caught("shape", "process"),
       On("openvino-reshape-1/rank-255-of-zeros"), LikePublicBug("GHSA-f4w6-h4f5-wx45"), Hostile{},
       Says("255 sizes are asserted not to happen")) {
  where(
      table, [](const Asked& asked) { return asked.pattern.size() >= 255; },
      [](const Asked&) { std::abort(); });
}

MUTANT("aborts-on-empty-data", Breaks("C16"), Caught("bytes", "process"),
       On("openvino-reshape-1/infer-zero-view-empty"), LikePublicBug("opencv/opencv#18209"),
       Hostile{}, Says("execution asserts that there is something to copy")) {
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    if (is_empty(shape_of(*request->data))) std::abort();
    return right().execute(request, output, why);
  };
}

MUTANT("throws-on-refusal", Breaks("C16"), Caught("shape", "process"),
       On("openvino-reshape-1/in-place-two-minus-ones"), Hostile{}, Says("a refusal is thrown")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const reshape_status status = right().infer_shape(request, shape, why);
    if (status == RESHAPE_REJECTED) throw std::invalid_argument(why->text);
    return status;
  };
}

MUTANT("null-pattern-read", Breaks("C16"), Caught("memory", "process"),
       On("openvino-reshape-1/integers-empty-pattern.i32"), LikePublicBug("GHSA-jjr8-m8g8-p6wv"),
       Hostile{}, Says("the first value of a pattern is read before its length is looked at")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const volatile char* first = static_cast<const volatile char*>(request->pattern->data);
    [[maybe_unused]] const char read = *first;
    return right().infer_shape(request, shape, why);
  };
}

}  // namespace reshape::conformance::self
