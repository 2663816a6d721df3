// What holds for some time, and is used up by calls of one kind.
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "conformance/self/kept.h"
#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Refuses everything once counts(asked, right) was true of more than Most calls.
template <int Most, typename Counts>
void used_up(reshape_plugin& table, Counts) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::atomic<int> calls = 0;
    const RightAnswer right = right_answer(*request, why);
    if (Counts{}(Asked(*request), right)) ++calls;
    const bool worn = calls > Most;
    return answer_inference(right, worn ? Misreading::refusal() : Misreading::none(), shape, why);
  };
}

void lose(std::size_t size) {
  // Kept where the compiler must believe that somebody reads it.
  static volatile std::uintptr_t lost;
  lost = lost + reinterpret_cast<std::uintptr_t>(std::malloc(size));
}

// Refuses call number Most + 1, once.
template <int Most>
void fails_once(reshape_plugin& table) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::atomic<int> calls = 0;
    if (calls++ == Most) return answer(RESHAPE_REJECTED, "the counter ran over", why);
    return right().infer_shape(request, shape, why);
  };
}

// From the (Most + 1)-th execution on the last element is lost.
template <int Most>
void executions_used_up(reshape_plugin& table) {
  table.execute = after_execute([](const reshape_request&, DLTensor& output) {
    static std::atomic<int> calls = 0;
    if (++calls <= Most || empty(output)) return;
    Elements elements(output);
    elements.set(elements.count() - 1, ~elements.get(elements.count() - 1));
  });
}

// After Most different requests answers come from the slot of another one: the first that was kept.
template <std::size_t Most>
void room_for_different_ones(reshape_plugin& table) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::mutex guard;
    static std::map<std::string, bool> seen;
    const std::lock_guard<std::mutex> lock(guard);
    const Asked asked(*request);
    const std::string key =
        key_of(asked.data) + key_of_pattern(asked) + key_of_types(asked) + key_of_rest(asked);
    if (seen.size() >= Most && seen.find(key) == seen.end()) {
      return answer(RESHAPE_REJECTED, "no room for another plan", why);
    }
    seen[key] = true;
    return right().infer_shape(request, shape, why);
  };
}

}  // namespace

MUTANT("used-up-after-2000-calls", Breaks("C17"),
       Says("a handle is used up with each call, and there are 2000")) {
  used_up<2000>(table, [](const Asked&, const RightAnswer&) { return true; });
}

MUTANT("used-up-after-10000-calls", Breaks("C17"),
       Says("a handle is used up with each call, and there are 10000")) {
  used_up<10000>(table, [](const Asked&, const RightAnswer&) { return true; });
}

MUTANT("used-up-after-32767-calls", Breaks("C17"),
       Says("calls are counted in 15 bits, and refused from then on")) {
  used_up<32767>(table, [](const Asked&, const RightAnswer&) { return true; });
}

MUTANT(
    "call-65536-fails", Breaks("C17"),
    Says("calls are counted in 16 bits, and the one at which the counter is 0 again is refused")) {
  fails_once<65535>(table);
}

MUTANT("call-1000-fails", Breaks("C17"),
       Says("one call in which the log is turned over is refused, and no other")) {
  fails_once<999>(table);
}

MUTANT("used-up-after-100-refusals", Breaks("C17"),
       Says("each refusal keeps its message, and there is room for 100")) {
  used_up<100>(table, [](const Asked&, const RightAnswer& right) { return !right.produces(); });
}

MUTANT("used-up-after-255-inferred", Breaks("C17"),
       Says("each -1 that is inferred gets a number of 8 bits")) {
  used_up<255>(table, [](const Asked& asked, const RightAnswer& right) {
    return right.produces() && asked.minus_ones() == 1;
  });
}

MUTANT("used-up-after-100-empty-ones", Breaks("C17"),
       Says("each empty tensor takes a place of its own, and there are 100")) {
  used_up<100>(table, [](const Asked& asked, const RightAnswer&) { return is_empty(asked.data); });
}

MUTANT("worn-after-1000-executions", Breaks("C17"),
       Says("from the 1001st execution on the last element is lost")) {
  executions_used_up<1000>(table);
}

MUTANT("worn-after-5000-executions", Breaks("C17"),
       Says("from the 5001st execution on the last element is lost")) {
  executions_used_up<5000>(table);
}

MUTANT("room-for-64-plans", Breaks("C17"),
       Says("64 different requests are planned, and a further one is refused")) {
  room_for_different_ones<64>(table);
}

MUTANT("room-for-1000-plans", Breaks("C17"),
       Says("1000 different requests are planned, and a further one is refused")) {
  room_for_different_ones<1000>(table);
}

MUTANT(
    "hot-after-50-equal-calls", Breaks("C17"),
    Says("a request that was asked 50 times in a row is answered by a way of its own, wrongly")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::mutex guard;
    static std::string before;
    static int times = 0;
    const std::lock_guard<std::mutex> lock(guard);
    const Asked asked(*request);
    const std::string key =
        key_of(asked.data) + key_of_pattern(asked) + key_of_types(asked) + key_of_rest(asked);
    times = key == before ? times + 1 : 1;
    before = key;
    if (times > 50) return answer(RESHAPE_REJECTED, "the fast way is closed", why);
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("tail-of-a-longer-pattern", Breaks("C17"),
       Says("the pattern is read into an array that still holds the end of a longer one")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    static std::mutex guard;
    static Sizes array;
    const std::lock_guard<std::mutex> lock(guard);
    if (!right.produces()) return Misreading::none();
    const bool longer = array.size() > right.sizes.size() + 1;
    if (array.size() < right.sizes.size()) array.resize(right.sizes.size());
    std::copy(right.sizes.begin(), right.sizes.end(), array.begin());
    return longer && array.back() != 1 && asked.minus_ones() == 0 ? Misreading::refusal()
                                                                  : Misreading::none();
  });
}

MUTANT("minus-one-stays-where-it-was", Breaks("C17"),
       Says("where the -1 stands is kept, and not looked for in a pattern of as many values")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    static std::mutex guard;
    static std::map<std::size_t, std::size_t> places;
    const std::lock_guard<std::mutex> lock(guard);
    const auto plain = plain_pattern(asked);
    if (!right.produces() || !plain || !plain->minus_one) return Misreading::none();
    const std::size_t place =
        places.try_emplace(plain->sizes.size(), *plain->minus_one).first->second;
    if (place == *plain->minus_one) return Misreading::none();
    Sizes sizes = right.sizes;
    std::swap(sizes[place], sizes[*plain->minus_one]);
    return Misreading::of(std::move(sizes));
  });
}

MUTANT("leaks-at-every-second-call", Breaks("C15"),
       Says("of two sets of buffers that are used in turn one is allocated anew each time")) {
  before_each_call(table, [] {
    static std::atomic<int> calls = 0;
    if (++calls % 2 == 0) lose(64);
  });
}

MUTANT("leaks-at-every-12th-execution", Breaks("C15"),
       Says("every 12th execution starts a new block of its log, and forgets the old one")) {
  table.execute = after_execute([](const reshape_request&, DLTensor&) {
    static std::atomic<int> calls = 0;
    if (++calls % 12 == 0) lose(512);
  });
}

MUTANT("keeps-every-answer", Breaks("C15"),
       Says("each answer is appended to a list that is never emptied, and grows by doubling")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    static std::mutex guard;
    static std::vector<std::int32_t>& ranks = *new std::vector<std::int32_t>;
    const std::lock_guard<std::mutex> lock(guard);
    for (int entry = 0; entry < 16; ++entry) ranks.push_back(shape.rank);
  });
}

MUTANT(
    "first-inference-of-a-type-wrong", Breaks("C17"),
    Says("the first request of each element type finds its table not filled in, and is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::mutex guard;
    static std::map<ElementType, bool> seen;
    const std::lock_guard<std::mutex> lock(guard);
    if (!std::exchange(seen[Asked(*request).data_type], true)) {
      return answer(RESHAPE_REJECTED, "not filled in", why);
    }
    return right().infer_shape(request, shape, why);
  };
}

}  // namespace reshape::conformance::self
