// Answers that depend on who asks, and on who asks at the same time. Waiting is done only once a
// second thread was seen, so that a run without threads stays quick.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "conformance/self/displace.h"
#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

std::atomic<bool> several_threads = false;
std::atomic<std::thread::id> first_thread;
std::atomic<int> inside = 0;

void notice_threads() {
  const std::thread::id here = std::this_thread::get_id();
  std::thread::id nobody;
  if (!first_thread.compare_exchange_strong(nobody, here) && first_thread != here) {
    several_threads = true;
  }
}

// Long enough for the others to come to the same place.
void dawdle() {
  if (several_threads) usleep(200);
}

class Inside {
 public:
  Inside() {
    notice_threads();
    ++inside;
    dawdle();
  }
  ~Inside() { --inside; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

thread_local bool set_up = false;

}  // namespace

MUTANT("one-array-of-sizes-for-all", Breaks("C17"),
       Says("sizes go through one array that all threads share")) {
  table.infer_shape = after_infer([](const reshape_request&, reshape_shape& shape) {
    // Relaxed atomics: the race is over what is in the array, not over its words.
    static std::atomic<std::int64_t> shared[128];
    notice_threads();
    for (std::int32_t at = 0; at < std::min(shape.rank, 128); ++at) shared[at] = shape.sizes[at];
    dawdle();
    for (std::int32_t at = 0; at < std::min(shape.rank, 128); ++at) shape.sizes[at] = shared[at];
  });
}

MUTANT("one-buffer-of-elements-for-all", Breaks("C17"),
       Says("the first elements go through one buffer that all threads share")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    if (is_empty(shape_of(out)) || in_place(request, out)) return;
    static std::atomic<std::uint64_t> shared[64];
    notice_threads();
    Elements elements(out);
    const std::int64_t most = std::min<std::int64_t>(elements.count(), 64);
    for (std::int64_t at = 0; at < most; ++at) shared[at] = elements.get(at);
    dawdle();
    for (std::int64_t at = 0; at < most; ++at) elements.set(at, shared[at]);
  });
}

MUTANT("flag-in-a-global", Breaks("C17"),
       Says("special_zero is put into a global variable before the pattern is read")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    static std::atomic<std::int32_t> flag;
    notice_threads();
    flag = request->special_zero;
    dawdle();
    Asked asked(*request);
    asked.special_zero = flag;
    return right().infer_shape(asked.request(), shape, why);
  };
}

MUTANT("refuses-while-another-is-inside", Breaks("C17"),
       Says("a call that finds another one going on is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const Inside counted;
    if (inside > 1) return answer(RESHAPE_REJECTED, "busy", why);
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("two-slots-for-threads", Breaks("C17"),
       Says("there is room for two threads at once, and a third is refused")) {
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    const Inside counted;
    if (inside > 2) return answer(RESHAPE_REJECTED, "no slot", why);
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("set-up-in-the-loading-thread", Breaks("C17"),
       Says("what is thread-local is set up in the thread that loads the library, and no other")) {
  set_up = true;
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    if (!set_up) return answer(RESHAPE_REJECTED, "not set up", why);
    return right().infer_shape(request, shape, why);
  };
}

MUTANT("executes-in-the-loading-thread", Breaks("C17"),
       Says("the kernel of a thread that did not load the library is the one for odd sizes, and "
            "wrong")) {
  set_up = true;
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    if (set_up || is_empty(shape_of(out))) return;
    Elements elements(out);
    elements.set(0, elements.get(0) ^ 1);
  });
}

MUTANT("half-done-when-another-starts", Breaks("C17"),
       Says("an execution ends early when another one has begun")) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    const Inside counted;
    const bool early = inside > 1 && out->data != nullptr && !is_empty(shape_of(*out));
    const std::vector<std::uint64_t> before = early ? collect(*out) : std::vector<std::uint64_t>{};
    const reshape_status status = right().execute(request, out, why);
    if (status != RESHAPE_OK || !early) return status;
    Elements now(*out);
    now.set(now.count() - 1, before.back());
    return status;
  };
}

}  // namespace reshape::conformance::self
