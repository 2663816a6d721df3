#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/adapter/child/command_words.h"
#include "conformance/adapter/child/line_process.h"
#include "conformance/adapter/child/protocol.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/adapter/not_tried.h"
#include "conformance/adapter/process/process_adapter.h"
#include "conformance/adapter/ways.h"
#include "conformance/model/payload.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Kind = Outcome::Kind;
using Reply = LineProcess::Reply;

constexpr std::int64_t kHuge = std::int64_t{8}
                               << 20;  // bytes: sent as seldom as shows every element
constexpr int kRoundsOfHuge = 2;
// The exit code of the Python module when its last line says why it failed.
constexpr int kSaidWhy = 3;
constexpr const char* kNoModule = "No module named reshape_conformance";
// Copies of a tensor on both sides together: as bytes, in base64, in lines and as parsed.
constexpr std::uint64_t kTensorsHeld = 15;
constexpr std::size_t kMostSpelledOut = std::size_t{1} << 16;

// The payloads to send, one for each question. Zeros only if the request names them: they serve to
// find memory that was never written, which an answer cannot have.
std::vector<Probe> probes_for(const Request& request) {
  std::vector<Probe> probes;
  const auto add = [&](Payload payload, int round = 0) {
    Probe& probe = probes.emplace_back();
    probe.ask = Probe::Ask::sent;
    probe.payload = payload;
    probe.round = round;
  };
  const Payload wanted = request.payload.value_or(Payload::distinct);
  const std::int64_t count = element_count(request.data).value_or(0);
  if (request.elements || count == 0 || wanted != Payload::distinct) {
    add(wanted);
    return probes;
  }
  const bool huge = bytes_for(request.data_type, count) > kHuge;
  const int rounds = distinct_rounds(request.data_type, count);
  for (int round = 0; round < (huge ? std::min(rounds, kRoundsOfHuge) : rounds); ++round) {
    add(Payload::distinct, round);
  }
  if (!request.payload && !huge) add(Payload::hard);
  return probes;
}

bool can_be_sent(const Request& request) {
  const std::optional<std::int64_t> count = element_count(request.data);
  return count && *count <= kLargestBuffer &&
         bytes_for(request.data_type, *count) <= kLargestBuffer && row_major_strides(request.data);
}

bool has_layout(const Request& request) {
  return request.strides || request.out_strides || request.offset != 0 || request.out_offset != 0;
}

class ChildProcess : public ProcessAdapter {
 public:
  ChildProcess(AdapterOptions options, std::vector<std::string> words)
      : ProcessAdapter(std::move(options)), words_(std::move(words)) {}

  std::optional<Error> start_once() override {
    Result<std::unique_ptr<LineProcess>> process = LineProcess::start(words_);
    refused_ = !process;
    if (!process) return Error{process.error().message, options_.library};
    process_ = std::move(process).value();
    asked_lines_.new_process();
    std::string line;
    const double patience = std::max(options_.deadline_seconds, kLeastToLoad);
    TimeToAnswer time = leniency_.within(patience);
    const Reply reply = process_->exchange(nullptr, kLongestHello, time, line);
    std::string wrong;
    if (reply == Reply::answered) {
      Result<Capabilities> can = read_hello(line);
      if (can && !process_->says_more()) {
        description_.heard(*can);
        return std::nullopt;
      }
      wrong = can ? "it says more than its hello before it is asked" : can.error().message;
    } else if (!process_->not_run().empty()) {
      wrong = "it cannot be run: " + process_->not_run();
      refused_ = process_->refused();
    } else if (reply == Reply::late) {
      wrong = "it said no hello within " + seconds_text(patience) +
              ": its first line is to be its hello, ended and flushed";
    } else if (reply == Reply::flooded) {
      wrong = "its first line, which is to be its hello, is longer than " +
              std::to_string(kLongestHello) + " bytes";
    } else if (!process_->limit().empty()) {
      wrong = kNoChild + process_->limit();
      refused_ = true;
    } else {
      wrong = why_not_started();
    }
    process_.reset();
    return Error{std::move(wrong), options_.library};
  }

  Outcome ask(const Request& request) override {
    const auto begin = std::chrono::steady_clock::now();
    Outcome outcome = answer(request);
    outcome.seconds = elapsed_seconds(begin);
    description_.tell(outcome);
    return outcome;
  }

  std::optional<BadEnd> end_process() override {
    if (!process_) return std::nullopt;
    std::optional<BadEnd> bad;
    if (process_->gone()) {
      bad = {"ended before that: " + ending(), false};
    } else {
      TimeToAnswer time = leniency_.within(options_.deadline_seconds);
      const std::optional<std::string> how = process_->leave(time);
      if (time.was_over()) leniency_.ended_in_vain(time);
      const bool refused = !process_->limit().empty() || time.was_kept();
      if (how && !refused) {
        bad = {time.was_over() ? *how : with_last_words(*how), time.was_over()};
      }
    }
    process_.reset();
    return bad;
  }

 private:
  // How the child ended, with all details: "died of SIGSEGV (...); it printed last: ...".
  std::string ending(const std::string& instead = "") const {
    return with_last_words(process_->death() + instead);
  }

  std::string with_last_words(std::string words) const {
    if (const std::string last = process_->last_words(); !last.empty()) {
      words += "; it printed last: " + last;
    }
    return words;
  }

  std::string why_not_started() const {
    const std::string last = process_->last_words();
    if (options_.library.starts_with(kPythonPrefix)) {
      if (process_->exit_code() == kSaidWhy && !last.empty()) return last;
      if (last.ends_with(kNoModule)) {
        return words_.front() +
               " has no module reshape_conformance: install this project's wheel there, or name "
               "the Python that has it by RESHAPE_PYTHON";
      }
    }
    return "before its hello it " + ending();
  }

  Outcome answer(const Request& request) {
    before_ = asked_lines_.now();
    Asking asking{request, leniency_.within(options_.deadline_seconds + patience_with(request))};
    if (process_ && process_->gone()) {
      return died("after the request before, the child ", "", asking);
    }
    if (!process_) {
      if (const std::optional<Error> error = start()) {
        if (refused_) return not_asked(error->message);
        return broken(Kind::crashed, "it cannot be started again: " + error->message, asking);
      }
    }
    before_ = asked_lines_.add(print_line(request));
    const Capabilities& can = description_.first();
    const bool alone = request.shape_only || can.shape_only || !can_be_sent(request);
    if (has_layout(request) || (alone && !can.infers_alone)) {
      asking.outcome.kind = Kind::unsupported;
      asking.outcome.message = has_layout(request) ? "strides and offsets are not sent to a child"
                                                   : "a shape without data is not promised";
      return asking.outcome;
    }
    if (!alone) {
      if (const auto why = lacks_memory_for(request, kTensorsHeld)) return not_asked(*why);
    }
    asking.time = leniency_.within(asking.time.seconds());
    if (alone) {
      exchange(nullptr, asking);
      return asking.outcome;
    }
    for (const Probe& probe : probes_for(request)) {
      exchange(&probe, asking);
      if (!process_ || asking.outcome.kind != Kind::produced || !asking.right_volume) break;
    }
    return std::move(asking.outcome);
  }

  // The state of one request while its questions are asked.
  struct Asking {
    const Request& request;
    TimeToAnswer time;
    Outcome outcome{};
    bool answered = false;
    bool right_volume = false;  // of the answered shape, so that there are elements to compare
  };

  // Sends one question and takes its answer. `probe` says what data is sent; null: only the shape
  // is asked.
  void exchange(const Probe* probe, Asking& asking) {
    std::optional<std::vector<std::byte>> data;
    if (probe != nullptr) data = packed_payload(asking.request, probe->payload, probe->round);
    // Not 1, 2, 3: a child that numbers its answers itself would be right by chance.
    constexpr std::int64_t kApart = 1000003;
    id_ += kApart;
    const std::string question = question_line(id_, asking.request, data);
    const std::size_t longest = longest_answer(data ? data->size() : 0);
    asking.outcome.during = asking.answered && probe != nullptr ? text(*probe) : "inference";
    std::string line;
    switch (process_->exchange(&question, longest, asking.time, line)) {
      case Reply::answered: break;
      case Reply::died:
        if (const std::string limit = process_->limit(); !limit.empty()) {
          process_.reset();
          asking.outcome = not_asked("the child could not finish: " + limit);
          return;
        }
        died("the child ", " instead of answering", asking);
        return;
      case Reply::late:
        leniency_.ended_in_vain(asking.time);
        asking.outcome.kept_from_it = asking.time.was_kept();
        broken(Kind::timed_out, "no answer within " + seconds_text(asking.time.seconds()), asking);
        return;
      case Reply::flooded:
        broken(Kind::malformed, "its answer is longer than " + std::to_string(longest) + " bytes",
               asking);
        return;
      case Reply::spoke:
        broken(Kind::malformed, "it wrote a line before it had read a question", asking);
        return;
    }
    Result<ChildAnswer> read = read_answer(line, id_, asking.request, data.has_value());
    if (!read) {
      broken(Kind::malformed, read.error().message, asking);
    } else if (process_->says_more()) {
      broken(Kind::malformed, "it wrote more than one line as its answer", asking);
    } else {
      asking.outcome.during.clear();
      if (!asking.answered) take_first(*read, asking);
      if (probe != nullptr) take_execution(std::move(*read), *probe, *data, asking);
      asking.answered = true;
    }
  }

  static void take_first(const ChildAnswer& answer, Asking& asking) {
    Outcome& outcome = asking.outcome;
    outcome.kind = answer.kind;
    outcome.shape = answer.shape;
    outcome.message = answer.message;
    asking.right_volume = answer.data.has_value();
  }

  // Takes the answer to a further question, which must give the same shape as the first.
  static void take_execution(ChildAnswer answer, const Probe& probe,
                             const std::vector<std::byte>& sent, Asking& asking) {
    Outcome& outcome = asking.outcome;
    if (outcome.kind != Kind::produced || !asking.right_volume) return;
    Execution execution;
    execution.probe = probe;
    if (answer.kind != Kind::produced) {
      const bool rejected = answer.kind == Kind::rejected;
      execution.status = rejected ? Status::rejected : Status::unsupported;
      execution.message = std::move(answer.message);
    } else if (answer.shape != outcome.shape) {
      outcome.observations.push_back(
          {CaughtBy::same_answer, Plane::shape, Duty::C17,
           "it answered " + text(outcome.shape) + ", and to other data " + text(answer.shape)});
      return;
    } else if (sent.size() > kMostSpelledOut && answer.data == sent) {
      execution.as_placed = true;
    } else {
      execution.elements = *std::move(answer.data);
    }
    outcome.executions.push_back(std::move(execution));
  }

  // Ends the child, and keeps what it had answered before.
  Outcome broken(Kind kind, std::string message, Asking& asking) {
    process_.reset();
    asking.outcome.kind = kind;
    asking.outcome.message = std::move(message);
    if (asking.outcome.during.empty()) asking.outcome.during = "inference";
    return asking.outcome;
  }

  // Who closes its connection and lives on costs as much as who hangs.
  Outcome died(const std::string& head, const std::string& instead, Asking& asking) {
    const bool lives = process_->outlived();
    return broken(lives ? Kind::timed_out : Kind::crashed,
                  head + ending(instead + (lives ? ", and did not end" : "")), asking);
  }

  std::vector<std::string> words_;
  std::unique_ptr<LineProcess> process_;
  std::int64_t id_ = 0;
};

}  // namespace

Result<std::unique_ptr<Adapter>> start_child(const AdapterOptions& options) {
  if (options.in_process) return Error{"a child cannot live in this process", options.library};
  Result<std::vector<std::string>> words = child_words(options.library);
  if (!words) return Error{words.error().message, options.library};
  auto adapter = std::make_unique<ChildProcess>(options, std::move(words).value());
  if (const std::optional<Error> error = adapter->start()) return *error;
  return std::unique_ptr<Adapter>(std::move(adapter));
}

}  // namespace reshape::conformance
