#include "conformance/adapter/examine/first_calls.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <csignal>
#include <functional>
#include <memory>
#include <utility>

#include "conformance/adapter/contract/bare_calls.h"
#include "conformance/adapter/examine/at_once.h"
#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/process/fault_handler.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostWords = PIPE_BUF;  // bytes
constexpr const char* kRight = "right";

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

// What each thread asks, one after the other.
using Asked = std::vector<std::vector<Request>>;
Asked rows_of(const std::vector<Request>& requests, const Capabilities& able) {
  Asked asked;
  for (const Request& request : requests) asked.push_back(row_of(request, able));
  return asked;
}

using Row = std::vector<std::unique_ptr<BareCalls>>;

// The requests of each thread, and their answers.
class Rows {
 public:
  Rows(const PluginLibrary& library, const Asked& asked) : library_(library), asked_(asked) {
    for (std::size_t at = 0; at < asked_.size(); ++at) {
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
  const Asked& asked_;
  std::vector<Row> rows_;
};

FirstCalls together(const PluginLibrary& library, const Asked& asked) {
  Rows rows(library, asked);
  FirstCalls found;
  found.refusal = at_once(asked.size(), [&](std::size_t at, Meeting& meeting) {
    rows.ask(at, [&] { meeting.come(); });
  });
  if (found.refusal == 0) {
    found.wrong = rows.differing("where several threads ask at once for the first time", "alone");
  }
  return found;
}

FirstCalls in_turn(const PluginLibrary& library, const Asked& asked) {
  Rows rows(library, asked);
  for (std::size_t at = 0; at < asked.size(); ++at) rows.ask(at, [] {});
  return {rows.differing("where it is asked for the first time", "asked again")};
}

using Clock = std::chrono::steady_clock;

// What a forked child says that is asked so; nothing where it died, or did not end in time.
std::optional<std::string> said_by_a_child(const PluginLibrary& library, const Asked& asked,
                                           FirstCalls (*ask)(const PluginLibrary&, const Asked&),
                                           Clock::time_point end) {
  std::array<int, 2> words = {};
  if (pipe2(words.data(), O_CLOEXEC) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    take_default_signals();
    const std::string said = ask(library, asked).wrong.value_or(kRight);
    // No more than a pipe takes at once: nobody may read it any more.
    const ssize_t written = write(words[1], said.data(), std::min(said.size(), kMostWords));
    _exit(written < 0 ? 1 : 0);
  }
  close(words[1]);
  std::string said;
  if (child > 0) {
    pollfd ready = {words[0], POLLIN, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    // It can be read from at its death as well: then there is nothing.
    if (poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) > 0) {
      said.resize(kMostWords);
      const ssize_t size = read(words[0], said.data(), said.size());
      said.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  close(words[0]);
  if (said.empty()) return std::nullopt;
  return said;
}

// Two threads of each child ask the same, and nothing else: one of `requests`, or one of the last
// two of its row. More threads would not run at once on a small machine.
std::optional<std::string> wrong_in_children(const PluginLibrary& library,
                                             const std::vector<Request>& requests,
                                             std::chrono::milliseconds most) {
  constexpr std::size_t kChildren = 8, kWays = 3;
  const Clock::time_point end = Clock::now() + most;
  for (std::size_t child = 0; child < kChildren && Clock::now() < end; ++child) {
    const std::vector<Request> row =
        row_of(requests[child / kWays % requests.size()], library.capabilities());
    const std::size_t way = child % kWays;
    const Asked both(2, {row[way == 0 ? 0 : row.size() - kWays + way]});
    const auto said = said_by_a_child(library, both, together, end);
    if (!said || *said == kRight) continue;
    // Where one thread of a child is answered wrongly as well, threads are not the cause.
    if (said_by_a_child(library, both, in_turn, Clock::now() + 3 * most) == kRight) {
      return *said + ", in a child of fork";
    }
  }
  return std::nullopt;
}

}  // namespace

void take_default_signals() {
  for (const int number : kFaultSignals) std::signal(number, SIG_DFL);
}

FirstCalls first_calls_together(const PluginLibrary& library, const std::vector<Request>& requests,
                                std::chrono::milliseconds most) {
  // Not with sanitizers, whose own threads do not survive a fork.
  if (auto wrong = kSanitized ? std::nullopt : wrong_in_children(library, requests, most)) {
    return {std::move(wrong)};
  }
  return together(library, rows_of(requests, library.capabilities()));
}

FirstCalls first_calls_in_turn(const PluginLibrary& library, const std::vector<Request>& requests) {
  return in_turn(library, rows_of(requests, library.capabilities()));
}

}  // namespace reshape::conformance
