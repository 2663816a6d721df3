#include "conformance/adapter/examine/first_calls.h"

#include <atomic>
#include <memory>
#include <thread>

#include "conformance/adapter/contract/bare_calls.h"
#include "conformance/adapter/more_threads.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// Where all threads come before any goes on. They spin: one that slept would come microseconds late.
class Meeting {
 public:
  explicit Meeting(std::size_t threads) : threads_(threads) {}
  void come() {
    constexpr int kSpins = 2000;  // then another thread may need the processor
    const std::size_t all = (come_.fetch_add(1) / threads_ + 1) * threads_;
    for (int spin = 0; come_ < all; ++spin) {
      if (spin > kSpins) std::this_thread::yield();
    }
  }

 private:
  std::size_t threads_;
  std::atomic<std::size_t> come_ = 0;
};

// Small ones of the document and the types of the request, of sizes that fit any pattern type, and itself, which may
// have to be refused.
std::vector<Request> row_of(const Request& request) {
  std::vector<Request> row;
  for (const std::int64_t size : {3, 5, 7}) {
    Request& small = row.emplace_back();
    small.dialect = request.dialect;
    small.data_type = request.data_type;
    small.pattern.type = request.pattern.type;
    small.special_zero = request.special_zero;
    small.data = Shape{1, size};
    small.pattern.values = {size};
  }
  row.push_back(request);
  return row;
}

using Row = std::vector<std::unique_ptr<BareCalls>>;

}  // namespace

FirstCalls first_calls_together(const PluginLibrary& library, const std::vector<Request>& requests,
                                std::int64_t most_elements) {
  std::vector<std::vector<Request>> asked;
  std::vector<Row> rows;
  const auto calls = [&](std::size_t at, const Request& request) {
    return std::make_unique<BareCalls>(library, request, static_cast<unsigned>(at), most_elements,
                                       BareCalls::Alone::later);
  };
  for (std::size_t at = 0; at < requests.size(); ++at) {
    asked.push_back(row_of(requests[at]));
    Row& row = rows.emplace_back();
    for (const Request& request : asked.back()) row.push_back(calls(at, request));
  }
  enum Go { wait, now, never };
  std::atomic<int> go = wait;
  Meeting meeting(requests.size());
  FirstCalls found;
  {
    std::vector<std::jthread> threads;
    for (std::size_t at = 0; at < requests.size() && found.refusal == 0; ++at) {
      found.refusal = start_thread(threads, [&, at] {
        go.wait(wait);
        if (go == never) return;
        for (const auto& one : rows[at]) one->ask_first([&] { meeting.come(); });
      });
    }
    go = found.refusal == 0 ? now : never;
    go.notify_all();
  }
  if (found.refusal != 0) return found;
  Row alone_row;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const bool again = at > 0 && requests[at] == requests[at - 1];
    if (!again) alone_row.clear();
    for (std::size_t turn = 0; turn < rows[at].size(); ++turn) {
      if (!again) {
        alone_row.push_back(calls(at, asked[at][turn]));
        alone_row.back()->ask_first([] {});
      }
      const auto& alone = alone_row[turn];
      found.wrong = rows[at][turn]->differs_from(*alone);
      if (!found.wrong) continue;
      found.wrong =
          "where several threads ask at once for the first time: " + print_line(asked[at][turn]) +
          ": " + *found.wrong;
      return found;
    }
  }
  return found;
}

}  // namespace reshape::conformance
