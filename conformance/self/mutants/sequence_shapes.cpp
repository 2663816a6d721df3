// Shapes that depend on what was asked before. What is kept is locked, so that the mistake is what is
// kept and never the keeping.
#include <algorithm>
#include <mutex>
#include <string>

#include "conformance/self/kept.h"
#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Refuses where refuses(before, now) says so, given what state(asked, right) said of the call before.
// The first call is always answered rightly.
template <typename State, typename Refuses>
void minds_the_call_before(reshape_plugin& table, State, Refuses) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::mutex guard;
    static int before = -1;
    const std::lock_guard<std::mutex> lock(guard);
    const RightAnswer right = right_answer(*request, why);
    const int now = State{}(Asked(*request), right);
    const bool refuses = before != -1 && Refuses{}(before, now);
    before = now;
    return answer_inference(right, refuses ? Misreading::refusal() : Misreading::none(), shape,
                            why);
  };
}

// Refuses from call number Most + 1 on.
template <int Most>
void answers_so_often(reshape_plugin& table) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::mutex guard;
    static int calls = 0;
    {
      const std::lock_guard<std::mutex> lock(guard);
      if (++calls > Most) return answer(RESHAPE_REJECTED, "the table of calls is full", why);
    }
    return right().infer_shape(request, shape, why);
  };
}

int changed(int before, int now) { return before != now; }

}  // namespace

MUTANT(
    "kept-without-the-pattern", Breaks("C17"),
    Says("answers are kept by the data's sizes alone, so that another pattern gets the first's")) {
  keeps_answers(table, [](const Asked& asked) {
    return key_of(asked.data) + key_of_types(asked) + key_of_rest(asked);
  });
}

MUTANT("kept-without-the-flag", Breaks("C17"), LikePublicBug("microsoft/onnxruntime#28348"),
       Says("answers are kept without special_zero")) {
  keeps_answers(table, [](const Asked& asked) {
    return key_of(asked.data) + key_of_pattern(asked) + key_of_types(asked) + asked.dialect;
  });
}

MUTANT("kept-without-the-dialect", Breaks("C17"),
       Says("answers are kept without the dialect, and given to another one")) {
  keeps_answers(table, [](const Asked& asked) {
    return key_of(asked.data) + key_of_pattern(asked) + key_of_types(asked) +
           std::to_string(asked.special_zero);
  });
}

MUTANT(
    "kept-without-the-data-type", Breaks("C17"),
    Says("answers are kept without the data's type, so that a refused one passes or the reverse")) {
  keeps_answers(table, [](const Asked& asked) {
    return key_of(asked.data) + key_of_pattern(asked) + key_of_rest(asked) +
           std::to_string(static_cast<int>(asked.pattern_type));
  });
}

MUTANT("kept-without-the-pattern-type", Breaks("C17"),
       Says("answers are kept without the pattern's type")) {
  keeps_answers(table, [](const Asked& asked) {
    return key_of(asked.data) + key_of_pattern(asked) + key_of_rest(asked) +
           std::to_string(static_cast<int>(asked.data_type));
  });
}

MUTANT("kept-by-the-number-of-elements", Breaks("C17"),
       Says("answers are kept by the data's number of elements instead of its sizes")) {
  keeps_answers(table, [](const Asked& asked) {
    return std::to_string(element_count(asked.data).value_or(-1)) + "/" + key_of_pattern(asked) +
           key_of_types(asked) + key_of_rest(asked);
  });
}

MUTANT("kept-by-rank-and-ends", Breaks("C17"),
       Says("answers are kept by a hash of the data's rank, first and last size")) {
  keeps_answers(table, [](const Asked& asked) {
    const Sizes sizes = sizes_of(asked.data);
    const std::string ends =
        sizes.empty() ? "-" : std::to_string(sizes.front()) + "," + std::to_string(sizes.back());
    return std::to_string(sizes.size()) + ":" + ends + "/" + key_of_pattern(asked) +
           key_of_types(asked) + key_of_rest(asked);
  });
}

MUTANT("kept-by-the-sum-of-the-pattern", Breaks("C17"),
       Says("answers are kept by a hash of the pattern in which the places do not count")) {
  keeps_answers(table, [](const Asked& asked) {
    PatternValue sum = 0;
    for (const PatternValue value : asked.pattern) sum += value;
    return key_of(asked.data) + text(sum) + "," + std::to_string(asked.pattern.size()) + "/" +
           key_of(asked.pattern_shape) + key_of_types(asked) + key_of_rest(asked);
  });
}

MUTANT("refuses-after-a-refusal", Breaks("C17"),
       Says("the error of a refused call is still set in the next one")) {
  minds_the_call_before(
      table,
      [](const Asked&, const RightAnswer& right) { return right.status == RESHAPE_REJECTED; },
      [](int before, int now) { return before == 1 && now == 0; });
}

MUTANT("refuses-after-an-empty-one", Breaks("C17"),
       Says("the count of 0 of an empty tensor is still there in the next call")) {
  minds_the_call_before(
      table, [](const Asked& asked, const RightAnswer&) { return is_empty(asked.data) ? 1 : 0; },
      [](int before, int now) { return before == 1 && now == 0; });
}

MUTANT("refuses-after-a-scalar", Breaks("C17"),
       Says("the rank of 0 of a scalar is still there in the next call")) {
  minds_the_call_before(
      table, [](const Asked& asked, const RightAnswer&) { return asked.data.rank() == 0 ? 1 : 0; },
      [](int before, int now) { return before == 1 && now == 0; });
}

MUTANT("refuses-another-type", Breaks("C17"),
       Says("prepared for one element type, it refuses the next one of another")) {
  minds_the_call_before(
      table,
      [](const Asked& asked, const RightAnswer&) { return static_cast<int>(asked.data_type); },
      [](int before, int now) { return changed(before, now) != 0; });
}

MUTANT("refuses-another-flag", Breaks("C17"),
       Says("prepared for one value of special_zero, it refuses the next one of another")) {
  minds_the_call_before(
      table, [](const Asked& asked, const RightAnswer&) { return asked.special_zero + 1; },
      [](int before, int now) { return changed(before, now) != 0; });
}

MUTANT("refuses-a-higher-rank-than-before", Breaks("C17"),
       Says("the array of sizes is as long as the first shape that was inferred")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::mutex guard;
    static std::size_t room = 0;
    const std::lock_guard<std::mutex> lock(guard);
    const RightAnswer right = right_answer(*request, why);
    if (room == 0 && right.produces()) room = right.sizes.size();
    const bool refuses = right.produces() && right.sizes.size() > room;
    return answer_inference(right, refuses ? Misreading::refusal() : Misreading::none(), shape,
                            why);
  };
}

MUTANT("first-flag-stays", Breaks("C17"), LikePublicBug("openvinotoolkit/openvino#10189"),
       Says("special_zero is read in the first call and kept")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::mutex guard;
    static std::int32_t first = RESHAPE_FLAG_MISSING;
    Asked asked(*request);
    {
      const std::lock_guard<std::mutex> lock(guard);
      if (first == RESHAPE_FLAG_MISSING) first = asked.special_zero;
      if (asked.special_zero != RESHAPE_FLAG_MISSING) asked.special_zero = first;
    }
    return right().infer_shape(asked.request(), shape, why);
  };
}

MUTANT("second-call-fails", Breaks("C17"), Says("every second inference is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::mutex guard;
    static int calls = 0;
    {
      const std::lock_guard<std::mutex> lock(guard);
      if (++calls % 2 == 0) return answer(RESHAPE_REJECTED, "busy", why);
    }
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("every-97th-call-fails", Breaks("C17"),
       Says("every 97th inference finds its slot taken, and is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::mutex guard;
    static int calls = 0;
    {
      const std::lock_guard<std::mutex> lock(guard);
      if (++calls % 97 == 0) return answer(RESHAPE_REJECTED, "no slot", why);
    }
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("used-up-after-127-calls", Breaks("C17"),
       Says("calls are counted in 7 bits, and refused from then on")) {
  answers_so_often<127>(table);
}

MUTANT("used-up-after-500-calls", Breaks("C17"),
       Says("a handle is used up with each call, and there are 500")) {
  answers_so_often<500>(table);
}

MUTANT("rank-only-grows", Breaks("C17"),
       Says("the rank that is answered is the highest so far, with ones behind")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    static std::mutex guard;
    static std::int32_t highest = 0;
    const std::lock_guard<std::mutex> lock(guard);
    highest = std::min(std::max(highest, shape.rank), shape.capacity);
    for (; shape.rank < highest; ++shape.rank) shape.sizes[shape.rank] = 1;
  });
}

MUTANT("worn-out-by-loading-again", Breaks("C17"),
       Says("what the library sets up when it is loaded is not set up when it is loaded again")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    if (times_loaded("worn-out-by-loading-again") > 1) {
      return answer(RESHAPE_REJECTED, "not set up", why);
    }
    return right().infer_shape(request, shape, why);
  };
}

}  // namespace reshape::conformance::self
