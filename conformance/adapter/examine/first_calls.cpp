#include "conformance/adapter/examine/first_calls.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "conformance/adapter/contract/bare_calls.h"
#include "conformance/adapter/more_threads.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// A barrier that spins: a thread that slept would be microseconds late.
class Meeting {
 public:
  explicit Meeting(std::size_t threads) : threads_(threads) {}
  void come() {
    constexpr int kSpins = 2000;  // after these it yields the processor
    const std::size_t all = (come_.fetch_add(1) / threads_ + 1) * threads_;
    for (int spin = 0; come_ < all; ++spin) {
      if (spin > kSpins) std::this_thread::yield();
    }
  }

 private:
  std::size_t threads_;
  std::atomic<std::size_t> come_ = 0;
};

// `request`, which may have to be refused, and then small ones with its document and types, whose
// sizes fit any type of the pattern; and reversed ones of one and two bytes, whose tables are of a
// size that takes time to fill.
std::vector<Request> row_of(const Request& request, const Capabilities& able) {
  std::vector<Request> row = {request};
  const auto add = [&](const Shape& data, std::int64_t size) -> Request& {
    Request& small = row.emplace_back();
    small.dialect = request.dialect;
    small.data_type = request.data_type;
    small.pattern.type = request.pattern.type;
    small.special_zero = request.special_zero;
    small.data = data;
    small.pattern.values = {size};
    return small;
  };
  for (const std::int64_t size : {3, 5, 7}) add(Shape{1, size}, size);
  if (!able.strided_input || !able.negative_strides) return row;
  constexpr std::int64_t kReversed = 7;
  for (const ElementType type : {ElementType::u8, ElementType::f16}) {
    if (!able.element_types.contains(type)) continue;
    Request& reversed = add(Shape{kReversed}, kReversed);
    reversed.data_type = type;
    reversed.strides = Strides{-1};
    reversed.offset = kReversed - 1;
  }
  return row;
}

using Row = std::vector<std::unique_ptr<BareCalls>>;

// The requests of each thread, and their answers.
class Rows {
 public:
  Rows(const PluginLibrary& library, const std::vector<Request>& requests) : library_(library) {
    for (std::size_t at = 0; at < requests.size(); ++at) {
      asked_.push_back(row_of(requests[at], library.capabilities()));
      Row& row = rows_.emplace_back();
      for (std::size_t turn = 0; turn < asked_[at].size(); ++turn) row.push_back(calls(at, turn));
    }
  }

  void ask(std::size_t at, const std::function<void()>& meet) {
    for (const auto& one : rows_[at]) one->ask_first(meet);
  }

  // The first answer that differs from the one that this thread gets for the same request and
  // elements now, in a sentence that begins with `where`; `how` says how this thread asks.
  std::optional<std::string> differing(const char* where, const char* how) {
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      for (std::size_t turn = 0; turn < rows_[at].size(); ++turn) {
        const auto again = calls(at, turn);
        again->ask_first([] {});
        const auto differs = rows_[at][turn]->differs_from(*again, how);
        if (differs) return where + (": " + print_line(asked_[at][turn])) + ": " + *differs;
      }
    }
    return std::nullopt;
  }

 private:
  // With different elements for each turn and thread; the first ones include denormals of every
  // float type.
  std::unique_ptr<BareCalls> calls(std::size_t at, std::size_t turn) const {
    return std::make_unique<BareCalls>(library_, asked_[at][turn],
                                       static_cast<unsigned>(at + turn + 1), kMostCopied,
                                       BareCalls::Alone::later);
  }

  const PluginLibrary& library_;
  std::vector<std::vector<Request>> asked_;
  std::vector<Row> rows_;
};

}  // namespace

FirstCalls first_calls_together(const PluginLibrary& library,
                                const std::vector<Request>& requests) {
  Rows rows(library, requests);
  enum Go { wait, now, never };
  std::atomic<int> go = wait;
  Meeting meeting(requests.size());
  FirstCalls found;
  {
    std::vector<std::jthread> threads;
    for (std::size_t at = 0; at < requests.size() && found.refusal == 0; ++at) {
      found.refusal = start_thread(threads, [&, at] {
        go.wait(wait);
        if (go == now) rows.ask(at, [&] { meeting.come(); });
      });
    }
    go = found.refusal == 0 ? now : never;
    go.notify_all();
  }
  if (found.refusal == 0) {
    found.wrong = rows.differing("where several threads ask at once for the first time", "alone");
  }
  return found;
}

FirstCalls first_calls_in_turn(const PluginLibrary& library, const std::vector<Request>& requests) {
  Rows rows(library, requests);
  for (std::size_t at = 0; at < requests.size(); ++at) rows.ask(at, [] {});
  return {rows.differing("where it is asked for the first time", "asked again")};
}

}  // namespace reshape::conformance
