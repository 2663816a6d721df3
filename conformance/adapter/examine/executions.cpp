#include "conformance/adapter/examine/executions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/contract/inferred.h"
#include "conformance/adapter/contract/kept_registers.h"
#include "conformance/adapter/contract/thrown.h"
#include "conformance/adapter/examine/further.h"
#include "conformance/adapter/more_threads.h"
#include "conformance/model/refused.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr std::byte kHeld{0xa5};         // what the output held before
constexpr std::size_t kPage = 4096;      // a multiple of every alignment
constexpr int kOtherBytes = -1;          // as a status
constexpr int kThrew = -2;               // as a status
constexpr std::size_t kMostBytes = 512;  // of either side, with what lies behind it

struct alignas(kPage) Page {
  std::array<std::byte, kPage> bytes;
};

// A request, how it is inferred, and how it is executed directly after that.
struct Asked {
  Request request;
  std::string inferred;
  Shape output;
  int alone = 0;
};

// Does one thing after the other on a thread of its own.
class OtherThread {
 public:
  OtherThread() {
    refusal_ = start_thread(thread_, [this] {
      for (begin_.acquire(); work_; begin_.acquire()) {
        work_();
        done_.release();
      }
    });
  }
  ~OtherThread() {
    work_ = nullptr;
    begin_.release();
  }
  OtherThread(const OtherThread&) = delete;
  OtherThread& operator=(const OtherThread&) = delete;

  int refusal() const { return refusal_; }  // 0, or the error of the machine, which gave none
  // Returns when it is done. Precondition: refusal() is 0.
  void run(std::function<void()> work) {
    work_ = std::move(work);
    begin_.release();
    done_.acquire();
  }

 private:
  std::function<void()> work_;
  std::binary_semaphore begin_{0}, done_{0};
  int refusal_ = 0;
  std::vector<std::jthread> thread_;  // destroyed first: it uses the other members
};

std::string words(int status) {
  return status == kOtherBytes ? "wrote other bytes"
         : status == kThrew    ? "threw"
                               : std::string("answered ") + name(status_of(status));
}

class Executions {
 public:
  Executions(const PluginLibrary& library, std::chrono::steady_clock::time_point end)
      : table_(library.table()), end_(end) {}

  // False where it is answered in no way that can be compared, like another volume.
  bool take(Request request) {
    const auto inferred = infer(request);
    if (!inferred || !inferred->malformed.empty()) return false;
    const bool refused = inferred->status != Status::ok;
    Asked asked = {std::move(request), text(*inferred), {}, 0};
    asked.output = refused ? asked.request.data : inferred->shape;
    if (element_count(asked.output) != element_count(asked.request.data)) return false;
    asked.alone = execute(asked, false);
    if (refused ? asked.alone <= RESHAPE_OK : asked.alone != RESHAPE_OK) return false;
    asked_.push_back(std::move(asked));
    return true;
  }

  // Each three of them in turn, some of which are the same.
  void ask_each_three() {
    for (const Asked& one : asked_) {
      for (const Asked& other : asked_) {
        for (const Asked& third : asked_) {
          if (!ask(one) || !ask(other) || !ask(third)) return;
        }
      }
    }
  }

  // Each two whose data is what the one before has written, where it has written it.
  void ask_of_outputs() {
    for (const Asked& one : asked_) {
      for (const Asked& other : asked_) {
        const bool follows = one.alone == RESHAPE_OK && one.output == other.request.data;
        if (follows && (!ask(one) || !ask(other, ", of the output of the one before,", true))) {
          return;
        }
      }
    }
  }

  // Each two, the second of which another thread asks, and then the first again.
  void ask_from(OtherThread& elsewhere) {
    for (const Asked& one : asked_) {
      for (const Asked& other : asked_) {
        if (!ask(one) || !ask(other, ", on another thread,", false, &elsewhere) || !ask(one)) {
          return;
        }
      }
    }
  }

  // The inference of each directly after the execution of each, which may have been refused.
  void infer_after_each() {
    for (const Asked& one : asked_) {
      for (const Asked& other : asked_) {
        if (!ask(one)) return;
        last_ = nullptr;
        const auto inferred = infer(other.request);
        const std::string answer = inferred ? text(*inferred) : "nothing";
        if (answer == other.inferred) continue;
        wrong_ = "where it is asked directly after the execution of " + print_line(one.request) +
                 ": " + print_line(other.request) + ": inference answered " + answer + "; alone " +
                 other.inferred;
        return;
      }
    }
  }

  // What was not as it is alone, in a sentence; empty where nothing was.
  const std::string& wrong() const { return wrong_; }
  bool finished() const { return finished_; }

 private:
  // Takes what is asked as the last one. False where there is no more to ask.
  bool ask(const Asked& now, const char* how = "", bool of_output = false,
           OtherThread* elsewhere = nullptr) {
    constexpr int kLook = 64;  // executions between two readings of the clock
    if (++executed_ % kLook == 0 && std::chrono::steady_clock::now() > end_) finished_ = false;
    if (!wrong_.empty() || !finished_) return false;
    int answer = 0;
    const auto work = [&] { answer = execute(now, of_output); };
    elsewhere != nullptr ? elsewhere->run(work) : work();
    if (finished_ && answer != now.alone) {
      const std::string why = answer > RESHAPE_OK ? text_of(*arguments_.message()) : "";
      wrong_ = "where nothing is inferred in between: " + print_line(now.request) + ": execution" +
               how + " after " + (last_ != nullptr ? print_line(last_->request) : "an inference") +
               ' ' + words(answer) + (why.empty() ? "" : " (" + why + ")") + "; alone it " +
               words(now.alone);
    }
    last_ = &now;
    return wrong_.empty() && finished_;
  }

  std::optional<Inferred> infer(const Request& request) {
    arguments_.take(request);
    arguments_.data_at(data_->bytes.data(), 0, nullptr);
    if (!arguments_.arm() || !receiver_.arm(request.pattern.values.size(), false)) {
      return std::nullopt;
    }
    std::optional<Inferred> inferred;
    const auto thrown = thrown_by([&] {
      const int answer = call_and_restore(table_.infer_shape, arguments_.request(),
                                          receiver_.shape(), arguments_.message());
      inferred = read_inference(answer, receiver_, *arguments_.message());
    });
    return thrown ? std::nullopt : inferred;
  }

  // From the data to the output; or back, of what the output holds.
  int execute(const Asked& asked, bool of_output) {
    const ElementType type = asked.request.data_type;
    const auto size =
        static_cast<std::size_t>(bytes_for(type, element_count(asked.request.data).value_or(0)));
    auto& from = (of_output ? output_ : data_)->bytes;
    auto& into = (of_output ? data_ : output_)->bytes;
    // Bytes of 0 and 1 are valid in every type, booleans included.
    for (std::size_t at = 0; at < size && !of_output; ++at) {
      noise_ = noise_ * 1664525 + 1013904223;
      from[at] = static_cast<std::byte>(noise_ >> 31);
    }
    std::fill_n(into.begin(), kMostBytes, kHeld);
    arguments_.take(asked.request);
    arguments_.data_at(from.data(), 0, nullptr);
    arguments_.output_at(type, asked.output, into.data(), 0, nullptr);
    finished_ = finished_ && arguments_.arm();
    if (!finished_) return kThrew;
    int answer = kThrew;
    const auto thrown = thrown_by([&] {
      answer = call_and_restore(table_.execute, arguments_.request(), arguments_.output(),
                                arguments_.message());
    });
    if (thrown) return kThrew;
    const auto end = into.begin() + static_cast<std::ptrdiff_t>(answer == RESHAPE_OK ? size : 0);
    const bool as_it_should =
        std::equal(into.begin(), end, from.begin()) &&
        std::all_of(end, into.begin() + kMostBytes, [](std::byte byte) { return byte == kHeld; });
    return as_it_should ? answer : kOtherBytes;
  }

  const reshape_plugin& table_;
  const std::chrono::steady_clock::time_point end_;
  DlRequest arguments_;
  ShapeReceiver receiver_;
  std::unique_ptr<Page> data_ = std::make_unique<Page>(), output_ = std::make_unique<Page>();
  std::vector<Asked> asked_;
  const Asked* last_ = nullptr;
  std::string wrong_;
  std::uint32_t noise_ = 1;
  int executed_ = 0;
  bool finished_ = true;
};

// Of an even number of elements, so that those of 4 bits fill whole bytes.
struct Sizes {
  Shape data;
  std::vector<PatternValue> pattern;
};

}  // namespace

Outcome examine_executions(const PluginLibrary& library, const Request& request,
                           std::chrono::steady_clock::time_point end) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::unsupported;
  if (library.table().execute == nullptr) return outcome;
  const auto of = [&](const Sizes& sizes) {
    Request one = request;
    one.data = sizes.data;
    one.pattern.values = sizes.pattern;
    return one;
  };
  Executions executions(library, end);
  // Other values, the sizes in another order, and twice as many elements.
  for (const Sizes& sizes : {Sizes{{2, 3}, {3, 2}}, Sizes{{3, 2}, {2, 3}}, Sizes{{2, 3}, {1, 6}},
                             Sizes{{4, 3}, {6, 2}}}) {
    if (!executions.take(of(sizes))) return outcome;
  }
  // What else is asked depends on the document: none, what is refused in four ways, and a -1. What
  // is answered wrongly already alone is left out.
  std::vector<Sizes> others = {{{0, 3}, {3, 0}}, {{2, 3}, {4, 2}}, {{2, 3}, {0, 4}}};
  if (is_signed_integer(request.pattern.type)) {
    others.insert(others.end(), {{{2, 3}, {-1, -1}}, {{2, 3}, {-1, 4}}, {{2, 3}, {-1, 2}}});
  }
  for (const Sizes& sizes : others) static_cast<void>(executions.take(of(sizes)));
  executions.ask_each_three();
  executions.ask_of_outputs();
  executions.infer_after_each();
  if (executions.wrong().empty()) {
    OtherThread elsewhere;
    if (elsewhere.refusal() != 0) return not_asked(refused("another thread", elsewhere.refusal()));
    executions.ask_from(elsewhere);
  }
  if (!executions.wrong().empty()) return malformed("execution", executions.wrong());
  if (executions.finished()) outcome.kind = Outcome::Kind::produced;
  return outcome;
}

}  // namespace reshape::conformance
