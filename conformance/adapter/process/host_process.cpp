#include <algorithm>
#include <bit>
#include <cerrno>
#include <span>
#include <utility>

#include "conformance/adapter/examine/first_use.h"
#include "conformance/adapter/examine/growth_suspicions.h"
#include "conformance/adapter/examine/lasting_growth.h"
#include "conformance/adapter/examine/long_copy.h"
#include "conformance/adapter/examine/wrong_volume.h"
#include "conformance/adapter/memory/memory_left.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/adapter/not_tried.h"
#include "conformance/adapter/process/child.h"
#include "conformance/adapter/process/message.h"
#include "conformance/adapter/process/process_adapter.h"
#include "conformance/adapter/process/supervisor.h"
#include "conformance/adapter/ways.h"
#include "conformance/model/refused.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// How a host ended, with all details: "died of SIGSEGV (...): wrote 4 bytes past the end of the
// output; it printed last: ...".
std::string exit_report(const Child& child, bool was_to_end = false) {
  std::string words = child.death();
  constexpr std::string_view kUnanswered = " instead of answering";
  if (was_to_end && words.ends_with(kUnanswered)) words.resize(words.size() - kUnanswered.size());
  if (const std::string seen = what_was_seen(child.note()); !seen.empty()) words += ": " + seen;
  if (const std::string last = child.last_words(); !last.empty()) {
    words += "; it printed last: " + last;
  }
  return words;
}

// Copies of a tensor in a host: the data, the right output, the output, and both before the call.
constexpr std::uint64_t kTensorsHeld = 5;

// The bytes of an answer beside the elements that it tells: far more than any has.
constexpr std::size_t kLongestWords = std::size_t{16} << 20;

// The longest frame that can answer one of these requests. Each execution may tell all elements.
std::size_t longest_frame(std::span<const Request> requests) {
  constexpr std::size_t kMostExecutions = 128;
  std::size_t elements = 0;
  for (const Request& request : requests) {
    const std::optional<std::int64_t> count = element_count(request.data);
    if (request.shape_only || !count || *count > kLargestBuffer) continue;
    elements = std::max(elements, static_cast<std::size_t>(bytes_for(request.data_type, *count)));
  }
  return kLongestWords + kMostExecutions * elements;
}

class HostProcess : public ProcessAdapter {
 public:
  explicit HostProcess(AdapterOptions options) : ProcessAdapter(std::move(options)) {}

  std::optional<Error> start_once() override {
    Result<std::unique_ptr<Child>> child = Child::start(options_.library);
    refused_ = !child;
    if (!child) return child.error();
    child_ = std::move(child).value();
    first_use_.new_process();
    asked_lines_.new_process();
    reloads_ = 0;
    std::string greeting;
    const double patience = std::max(options_.deadline_seconds, kLeastToLoad);
    TimeToAnswer time = leniency_.within(patience);
    const Child::Reply reply = child_->exchange(0, nullptr, kLongestWords, time, greeting);
    std::string wrong;
    switch (reply) {
      case Child::Reply::answered: {
        Result<Capabilities> can = decode_greeting(greeting);
        if (can) {
          description_.heard(*can);
          return std::nullopt;
        }
        wrong = can.error().message;
        break;
      }
      case Child::Reply::died: {
        const std::string why = child_->refusal().empty() ? child_->limit() : child_->refusal();
        refused_ = !why.empty();
        wrong = refused_ ? kNoHost + why
                         : "while it was loaded, the host process " + exit_report(*child_);
        break;
      }
      case Child::Reply::late: wrong = "it was not loaded within " + seconds_text(patience); break;
      case Child::Reply::garbled:
        wrong = "while it was loaded, something else wrote into the host's connection";
        break;
    }
    child_.reset();
    return Error{std::move(wrong), options_.library};
  }

  Outcome ask(const Request& request) override {
    const auto begin = std::chrono::steady_clock::now();
    Outcome outcome = answer(request);
    outcome.seconds = elapsed_seconds(begin);
    settle_growth(request, false, outcome);
    settle_first_use(request, outcome);
    description_.tell(outcome);
    return outcome;
  }

  std::vector<Outcome> ask_together(const std::vector<Request>& requests, int times) override {
    std::vector<Outcome> outcomes =
        all_answers(several(requests, times), requests.size(), requests);
    if (requests.size() == 1) settle_growth(requests.front(), true, outcomes.front());
    return outcomes;
  }

  std::vector<Outcome> ask_in_turn(const std::vector<Request>& requests, int times) override {
    HostCommand command = several(requests, times);
    command.in_turn = true;
    return all_answers(command, requests.size(), requests);
  }

  std::optional<Outcome> ask_under(const Request& request, Hardship hardship) override {
    HostCommand command = several({request}, 0);
    command.hardship = hardship;
    command.milliseconds /= 2;
    return all_answers(command, 1, {&request, 1}).front();
  }

  std::optional<Outcome> ask_swept(const std::vector<Request>& requests) override {
    HostCommand command = several(requests, 0);
    command.sweep = true;
    command.milliseconds /= 2;
    return all_answers(command, 1, requests).front();
  }

  bool can_reload() const override { return true; }
  std::optional<Error> reload() override {
    // What a library leaves behind at each unloading, mainly threads, adds up: start a fresh
    // process now and then.
    constexpr int kMostReloads = 8;
    if (++reloads_ > kMostReloads || stuck_) {
      child_.reset();
      std::optional<Error> error = start();
      return error ? error : stuck_;
    }
    const Outcome outcome = all_answers({.lines = {}, .reload = true}, 1, {}).front();
    if (outcome.kind == Outcome::Kind::produced) return std::nullopt;
    const Error error{outcome.message, options_.library};
    if (outcome.kind == Outcome::Kind::timed_out) stuck_ = error;
    return error;
  }
  std::optional<BadEnd> end_process() override {
    if (!child_ || child_->gone()) return std::nullopt;
    TimeToAnswer time = leniency_.within(options_.deadline_seconds);
    std::string bytes;
    const Child::Reply reply = child_->exchange(++asked_, &kGoodbye, kLongestWords, time, bytes);
    std::optional<BadEnd> bad;
    if (reply == Child::Reply::died && child_->ended_badly()) {
      bad = {exit_report(*child_, true), false};
    }
    if (reply == Child::Reply::late) {
      leniency_.ended_in_vain(time);
      if (!time.was_kept()) bad = {"had not ended after " + seconds_text(time.seconds()), true};
    }
    child_.reset();
    return bad;
  }
  bool refused() const override { return refused_; }

 private:
  HostCommand several(const std::vector<Request>& requests, int times) const {
    HostCommand command;
    command.times = times;
    // A slow library is asked fewer times; one that hangs gets the time of one request.
    command.milliseconds =
        static_cast<int>(std::clamp(options_.deadline_seconds, 0.001, 1e6) * 1000);
    for (const Request& request : requests) command.lines.push_back(print_line(request));
    return command;
  }

  // Checks suspected leaks in a fresh process before they are reported.
  void settle_growth(const Request& request, bool long_use, Outcome& outcome) {
    const auto ask = [&](HostProcess& whom, Sites sites, int milliseconds) {
      const HostCommand command = {
          .lines = {print_line(request)}, .milliseconds = milliseconds, .lasting = sites};
      return whom.all_answers(command, 1, {&request, 1}).front();
    };
    const auto apart = [&](Sites sites, int milliseconds) -> std::optional<Outcome> {
      HostProcess fresh(options_);
      if (fresh.start()) return std::nullopt;
      return ask(fresh, sites, milliseconds);
    };
    const auto here = [&](Sites sites, int milliseconds) -> std::optional<Outcome> {
      return ask(*this, sites, milliseconds);
    };
    growth_.settle(outcome, long_use, apart, here);
  }

  void settle_first_use(const Request& request, Outcome& outcome) {
    first_use_.settle(outcome, [&]() -> std::optional<std::pair<Outcome, Outcome>> {
      HostProcess fresh(options_);
      if (fresh.start()) return std::nullopt;
      Outcome first = fresh.answer(request);
      // Still alive, even if the first request threw.
      if (!fresh.child_ || fresh.child_->gone()) return std::nullopt;
      return std::pair(std::move(first), fresh.answer(request));
    });
  }

  // `count` outcomes; after a death or a hang, that outcome for all of them.
  std::vector<Outcome> all_answers(const HostCommand& command, std::size_t count,
                                   std::span<const Request> requests) {
    if (child_ && child_->gone()) child_.reset();
    if (!child_) {
      if (const std::optional<Error> error = start()) return {count, not_loaded(*error)};
    }
    const std::string question = encode_command(command);
    double seconds = options_.deadline_seconds * (command.times > 0 ? 2 : 1);
    if (command.lasting != 0) {
      seconds +=
          LastingGrowth::kMostWall * std::popcount(command.lasting) * command.milliseconds / 1e3;
    }
    if (command.hardship == Hardship::long_copy) seconds += kLongCopySetUp;
    TimeToAnswer time = leniency_.within(seconds);
    std::vector<Outcome> outcomes;
    Outcome nothing;
    const auto keep = [&](Outcome&& one) { outcomes.push_back(std::move(one)); };
    Outcome last = last_answer(question, longest_frame(requests), time, nothing, keep);
    if (is_short_of_memory(last)) {
      child_.reset();
      last = not_asked(limited_memory());
    }
    if (!child_) return {count, last};
    keep(std::move(last));
    outcomes.resize(count, outcomes.back());
    return outcomes;
  }

  // Asks, and gives all answers before the last to `take`. Where that one does not come, the
  // process has ended: returns what is known of its end, and what `so_far` tells.
  template <typename Take>
  Outcome last_answer(const std::string& question, std::size_t longest, TimeToAnswer& time,
                      Outcome& so_far, Take take) {
    std::string bytes;
    Child::Reply reply = child_->exchange(++asked_, &question, longest, time, bytes);
    while (reply == Child::Reply::answered) {
      Result<AnswerRead> read = decode_answer(bytes);
      if (!read) return last_of_child(Outcome::Kind::malformed, read.error().message, so_far);
      if (read->answer == Answer::last) return std::move(read->outcome);
      take(std::move(read->outcome));
      reply = child_->exchange(asked_, nullptr, longest, time, bytes);
    }
    return silence(reply, so_far, time);
  }

  // Under a limit of the shell, what was asked before may have taken the memory that this program
  // lacks in the process: a fresh one decides. What is lacking there as well, the library has taken:
  // there was memory before it was loaded, and for the tensors.
  Outcome answer(const Request& request) {
    Outcome outcome = answer_once(request);
    if (!is_short_of_memory(outcome) || before_.count == 0) return outcome;
    child_.reset();
    return answer_once(request);
  }

  static bool is_short_of_memory(const Outcome& outcome) {
    const bool lacks =
        outcome.message == kNoMemoryToAsk || outcome.message.find("bad_alloc") != std::string::npos;
    return outcome.kind == Outcome::Kind::malformed && lacks &&
           memory_of_a_process() < most_data_bytes();
  }
  static std::string limited_memory() {
    return conformance::refused("more than " + std::to_string(memory_of_a_process() >> 20) +
                                    " MiB of memory (see ulimit -d and -v)",
                                ENOMEM);
  }

  Outcome answer_once(const Request& request) {
    before_ = asked_lines_.now();
    if (child_ && child_->gone()) {
      Outcome nothing;
      return last_of_child(Outcome::Kind::crashed,
                           "after the request before, the host process " + exit_report(*child_),
                           nothing);
    }
    if (!child_) {
      if (const std::optional<Error> error = start()) return not_loaded(*error);
    }
    if (const std::optional<std::string> why = lacks_memory_for(request, kTensorsHeld))
      return not_asked(*why);
    std::string line = print_line(request);
    const std::string question = encode_command({.lines = {line}});
    before_ = asked_lines_.add(std::move(line));
    TimeToAnswer time = leniency_.within(options_.deadline_seconds + patience_with(request));
    Outcome so_far;
    return last_answer(question, longest_frame({&request, 1}), time, so_far,
                       [&](Outcome&& one) { so_far = std::move(one); });
  }

  Outcome not_loaded(const Error& error) const {
    if (refused_) return not_asked(error.message);
    return broken(Outcome::Kind::crashed, "it cannot be loaded again: " + error.message);
  }

  Outcome silence(Child::Reply reply, Outcome& so_far, const TimeToAnswer& time) {
    switch (reply) {
      case Child::Reply::late:
        leniency_.ended_in_vain(time);
        so_far.kept_from_it = time.was_kept();
        return last_of_child(Outcome::Kind::timed_out,
                             "no answer within " + seconds_text(time.seconds()), so_far);
      case Child::Reply::garbled:
        return last_of_child(Outcome::Kind::malformed,
                             "something else wrote into the host's connection", so_far);
      default:
        if (const std::string limit = child_->limit(); !limit.empty()) {
          child_.reset();
          return not_asked("the host process could not finish: " + limit);
        }
        return last_of_child(Outcome::Kind::crashed, "the host process " + exit_report(*child_),
                             so_far);
    }
  }

  // Ends the child, and keeps what it had reported before.
  Outcome last_of_child(Outcome::Kind kind, std::string message, Outcome& so_far) {
    if (!so_far.executions.empty() &&
        so_far.executions.back().probe.ask == Probe::Ask::wrong_volume &&
        kind != Outcome::Kind::malformed) {
      return ended_with_wrong_volume(kind, message, so_far);
    }
    Outcome outcome = broken(kind, std::move(message), std::move(so_far));
    // It is arbitrary what the host was doing when the garbled connection was noticed.
    if (kind == Outcome::Kind::malformed) outcome.during = "inference";
    child_.reset();
    return outcome;
  }

  // The death was in an execution with the wrong volume that it had inferred, which remains its
  // answer.
  Outcome ended_with_wrong_volume(Outcome::Kind kind, const std::string& message, Outcome& so_far) {
    Outcome outcome = std::move(so_far);
    Execution& execution = outcome.executions.back();
    execution.timed_out = kind == Outcome::Kind::timed_out;
    const std::optional<Observation> seen = what_was_observed(child_->note());
    execution.observations.push_back(seen ? *seen : ended_in_wrong_volume(message));
    child_.reset();
    return outcome;
  }

  Outcome broken(Outcome::Kind kind, std::string message, Outcome outcome = {}) const {
    outcome.kind = kind;
    outcome.message = std::move(message);
    outcome.during = child_ ? what_was_called(child_->note()) : "inference";
    if (!child_) return outcome;
    if (const auto seen = what_was_observed(child_->note())) {
      outcome.observations.push_back(*seen);
    }
    if (kind == Outcome::Kind::crashed || kind == Outcome::Kind::timed_out) {
      outcome.crashed_at = where_it_crashed(child_->note());
    }
    return outcome;
  }

  GrowthSuspicions growth_;
  FirstUse first_use_;
  std::unique_ptr<Child> child_;
  std::uint32_t asked_ = 0;
  int reloads_ = 0;             // of the library in one process
  std::optional<Error> stuck_;  // of a reload that hung, which is not waited for again
};

}  // namespace

Result<std::unique_ptr<Adapter>> start_host_process(const AdapterOptions& options) {
  auto adapter = std::make_unique<HostProcess>(options);
  if (const std::optional<Error> error = adapter->start()) return *error;
  return std::unique_ptr<Adapter>(std::move(adapter));
}

}  // namespace reshape::conformance
