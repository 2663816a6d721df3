#include "conformance/run/replays.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "conformance/adapter/examine/request_between.h"
#include "conformance/model/judge.h"
#include "conformance/run/oracle.h"
#include "conformance/run/request_parts.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using Lines = std::vector<std::string>;
using Fails = std::function<bool(const Lines&)>;
using Enough = std::function<bool()>;

// Whether it is the same failure: on the same plane and by the same watch.
bool fails_as(const CaseResult& before, const CaseResult& now) {
  if (!now.failed() || before.verdict.faults.empty()) return now.failed();
  const Fault& fault = before.verdict.faults.front();
  return std::ranges::any_of(now.verdict.faults, [&](const Fault& other) {
    return other.plane == fault.plane && other.watch == fault.watch;
  });
}

// A failure whose request is asked again in fresh processes.
struct Retrial {
  const CaseResult& failed;
  const Suite& suite;
  const StartAdapter& start;

  // Its result in a process that was asked `lines` before. Nothing where there was no process, or
  // no time. `before` receives the kind of outcome of the last of `lines`.
  std::optional<CaseResult> asked_after(const Lines& lines, const Enough& enough,
                                        Outcome::Kind* before = nullptr) const {
    const Result<std::unique_ptr<Adapter>> adapter = start();
    if (!adapter) return std::nullopt;
    for (const std::string& line : lines) {
      if (enough()) return std::nullopt;
      const Result<Request> request = parse_line(line);
      if (!request) continue;
      const Outcome outcome = (*adapter)->ask(*request);
      if (before != nullptr) *before = outcome.kind;
    }
    return ask(suite, *failed.asked, **adapter);
  }

  // Whether it fails there in the same way.
  bool fails_after(const Lines& lines, const Enough& enough,
                   Outcome::Kind* before = nullptr) const {
    const std::optional<CaseResult> now = asked_after(lines, enough, before);
    return now && fails_as(failed, *now);
  }
};

bool died(const CaseResult& result) {
  return std::ranges::any_of(result.verdict.faults,
                             [](const Fault& one) { return one.watch == CaughtBy::process; });
}

// Makes the requests before, if they are few, as similar to the failing one as possible: the
// remaining differences show what the implementation confuses.
Lines alike(Lines lines, const Request& request, const Fails& fails, const Enough& enough) {
  constexpr std::size_t kFew = 3;
  for (std::size_t at = 0; at < lines.size() && lines.size() <= kFew; ++at) {
    const Result<Request> before = parse_line(lines[at]);
    if (!before) continue;
    const auto holds = [&](const Request& tried) {
      Lines other = lines;
      other[at] = print_line(tried);
      return fails(other);
    };
    lines[at] = print_line(made_alike(*before, request, holds, enough));
  }
  return lines;
}

// If many requests are needed, perhaps only their number matters. Then repeating the failing
// request itself is enough, and the smallest number of repetitions is searched for.
std::optional<Lines> asked_often(const Request& request, std::size_t most, const Fails& fails,
                                 const Enough& enough) {
  constexpr std::size_t kFew = 3, kTried = 12;
  const std::string line = print_line(request);
  // Where every fifth call is wrong, say, the request fails after some numbers of repetitions only.
  const std::size_t least = std::max(kFew, most - std::min(most, kTried));
  while (most > least && !fails(Lines(most, line))) {
    if (enough()) return std::nullopt;
    --most;
  }
  if (most <= least) return std::nullopt;
  std::size_t too_few = 0;
  while (most - too_few > 1 && !enough()) {
    const std::size_t middle = too_few + (most - too_few) / 2;
    (fails(Lines(middle, line)) ? most : too_few) = middle;
  }
  return Lines(most, line);
}

// The clause by which the document refuses a request, in brackets; empty where it does not.
std::string refused_by(const Suite& suite, const Request& request) {
  const Result<Expectation> right = oracle(suite, request);
  const bool refuses = right && right->ruling.kind == Ruling::Kind::rejects;
  return refuses ? " (" + right->ruling.clause + ")" : "";
}

// Whether what the failing request is answered with is the right answer to `other`.
bool is_answer_to(const Suite& suite, const Request& other, const CaseResult& failed) {
  if (!failed.produced) return false;
  const Result<Expectation> right = oracle(suite, other);
  return right && right->ruling.kind == Ruling::Kind::produces &&
         right->ruling.permits(*failed.produced) && !failed.asked->expect.permits(*failed.produced);
}

// How many requests of a kind were tried before a failing one, and after how many it fails.
struct Tried {
  int all = 0, fail = 0;

  void add(bool fails) {
    ++all;
    fail += fails;
  }
  // One or two of a kind show no difference between the kinds.
  bool tells() const { return all >= kFew; }
  bool most_do() const { return tells() && 2 * fail > all; }
  bool nearly_all_do() const { return tells() && kOneIn * (all - fail) <= all; }
  std::string text() const {
    return (fail == 0 ? "none" : std::to_string(fail)) + " of " + std::to_string(all);
  }

  static constexpr int kFew = 2, kOneIn = 5;
};

bool are_among(std::span<const std::string> some, std::span<const std::string> all) {
  return std::ranges::all_of(
      some, [&](const std::string& one) { return std::ranges::find(all, one) != all.end(); });
}

// Whether what is asked before `request` differs from it in all of `parts`: itself, or in what its
// examination infers.
bool differs_in(std::span<const std::string> parts, const Request& before, const Request& request) {
  std::vector<std::string> all = differing_parts(before, request);
  if (const std::optional<Request> other = with_other_flag(before)) {
    const std::vector<std::string> flag = differing_parts(*other, before);
    all.insert(all.end(), flag.begin(), flag.end());
  }
  return are_among(parts, all);
}

// Whether `one` differs from `request` in some of the parts alone in which `other` does.
bool differs_in_less(const Request& one, const Request& other, const Request& request) {
  const std::vector<std::string> less = differing_parts(one, request);
  const std::vector<std::string> more = differing_parts(other, request);
  return less.size() < more.size() && are_among(less, more);
}

// For a failure that needs one request before: tries others in its place, to see what they have in
// common.
void try_others_before(const Request& before, const Retrial& trial, std::span<const Request> others,
                       const Enough& over, Replays& replays) {
  Tried refused, answered, refused_alike;  // alike: by the same document
  Tried without;                           // the parts in which the one that was found differs
  bool as_similar = false;                 // one of these that differs in no more causes it
  const Request& request = trial.failed.asked->request;
  const std::vector<std::string> parts = differing_parts(before, request);
  const bool one_part = parts.size() == 1 && before.pattern == request.pattern;
  const auto fails = [&](const Request& other, Outcome::Kind& came) {
    return trial.fails_after({print_line(other)}, over, &came);
  };
  Outcome::Kind came = Outcome::Kind::not_asked;
  const std::optional<CaseResult> again = trial.asked_after({print_line(before)}, over, &came);
  const bool is_refused = came == Outcome::Kind::rejected;
  for (const Request& other : others) {
    if (other == before) continue;
    if (over()) break;
    const bool does = fails(other, came);
    if (came != Outcome::Kind::rejected && came != Outcome::Kind::produced) continue;
    (came == Outcome::Kind::rejected ? refused : answered).add(does);
    const std::vector<std::string> other_parts = differing_parts(other, request);
    if (!differs_in(parts, other, request)) {
      without.add(does);
      as_similar |= does && other_parts.size() <= parts.size();
    }
    if (came != Outcome::Kind::rejected || other.dialect != request.dialect) continue;
    if (!one_part || other_parts != parts) refused_alike.add(does);
  }
  // If no other refusal by the document causes it, and what is before is another document's or
  // differs in one part only, that part is confused, and its refusal not the cause.
  const bool confused = refused_alike.tells() && refused_alike.fail == 0 &&
                        (before.dialect != request.dialect || one_part);
  replays.after_refusal =
      is_refused && refused.nearly_all_do() && answered.tells() && answered.fail == 0 && !confused;
  replays.others_too = as_similar || without.most_do();
  const std::string alike = how_alike_before(replays, request);
  replays.says = "only after another request in the same process";
  if (is_refused) replays.says += ", one that is refused" + refused_by(trial.suite, before);
  if (!alike.empty()) replays.says += (is_refused ? " and " : ", one ") + alike;
  if (!is_refused && alike.empty() && !replays.others_too) {
    replays.says += ", one that differs from it in many parts";
  }
  if (again && is_answer_to(trial.suite, before, *again)) replays.says += kItsAnswer;
  if (!refused.tells() && !answered.tells()) return;
  replays.says += "; of others it fails after ";
  if (refused.tells()) replays.says += refused.text() + " that are refused";
  if (refused.tells() && answered.tells()) replays.says += " and after ";
  if (answered.tells()) replays.says += answered.text() + " that are answered with a shape";
}

Replays failing_at_times() { return {Replays::How::at_times, {}, kFailsAtTimes}; }

// An examination of the request infers it with the other flag, too. Nothing where the request
// fails after its own inference, or does not after that.
std::optional<Lines> after_other_flag(const Request& request, const Fails& fails) {
  const std::optional<Request> other = with_other_flag(request);
  if (!other) return std::nullopt;
  const auto inferred = [](Request one) {
    one.shape_only = true;
    return Lines{print_line(one)};
  };
  if (fails(inferred(request)) || !fails(inferred(*other))) return std::nullopt;
  return Lines{print_line(*other)};
}

// For a case that does not fail alone in the same way: searches until `enough` for the requests
// after which it fails, and verifies them until `over`. `first` is the index of the made-up request
// that was found for the previous failure, which is tried first; updated.
Replays replays_after(const Retrial& trial, std::span<const Request> made_up, std::size_t& first,
                      const Enough& enough, const Enough& over) {
  const CaseResult& failed = trial.failed;
  const Request& request = failed.asked->request;
  Replays unknown{Replays::How::not_alone, {}};
  const auto fails = [&](const Lines& lines) { return trial.fails_after(lines, enough); };
  // Repeats the trial twice, to exclude failures that occur at random.
  const auto surely = [&](const Lines& lines) {
    return trial.fails_after(lines, over) && trial.fails_after(lines, over);
  };
  const auto alone_at_times = [&] {
    constexpr int kTimes = 2;
    for (int time = 1; time <= kTimes && !over(); ++time) {
      if (trial.fails_after({}, over)) return true;
    }
    return false;
  };
  const auto found = [&](Lines lines) {
    if (alone_at_times()) return failing_at_times();
    Replays replays{Replays::How::after, std::move(lines)};
    if (replays.lines.size() != 1 || after_itself(replays, request)) return replays;
    const Result<Request> before = parse_line(replays.lines.front());
    if (before) try_others_before(*before, trial, made_up, over, replays);
    return replays;
  };
  for (std::size_t turn = 0; turn < made_up.size() && !enough(); ++turn) {
    const std::size_t at = (first + turn) % made_up.size();
    const auto does = [&](const Request& before) {
      const Lines lines = {print_line(before)};
      return fails(lines) && surely(lines);
    };
    if (!does(made_up[at])) continue;
    first = at;
    // One that differs in less says more.
    const Request* nearest = &made_up[at];
    for (const Request& other : made_up) {
      if (differs_in_less(other, *nearest, request) && does(other)) nearest = &other;
    }
    if (*nearest == request) {
      const std::optional<Lines> flag = after_other_flag(request, fails);
      if (flag && surely(*flag)) return found(*flag);
    }
    return found({print_line(*nearest)});
  }
  if (!failed.before.lines) return unknown;
  const auto begin = failed.before.lines->begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(failed.before.count);
  // Usually the requests directly before are the cause: tries longer and longer suffixes first.
  for (std::ptrdiff_t length = 1; !enough(); length = std::min(length * 8, end - begin)) {
    Lines lines(end - std::min(length, end - begin), end);
    if (fails(lines)) {
      if (std::optional<Lines> often = asked_often(request, lines.size(), fails, enough)) {
        lines = *std::move(often);
      } else {
        lines = fewest(std::move(lines), fails, enough);
        lines = alike(std::move(lines), request, fails, enough);
      }
      if (surely(lines)) return found(std::move(lines));
      return over() ? unknown : Replays{Replays::How::not_again, {}};
    }
    if (length >= end - begin) break;
  }
  return enough() ? unknown : Replays{Replays::How::not_again, {}};
}

}  // namespace

std::vector<std::string> fewest(Lines lines, const Fails& fails, const Enough& enough) {
  std::size_t parts = 2;
  while (lines.size() > 1 && !enough()) {
    parts = std::min(parts, lines.size());
    bool fewer = false;
    for (std::size_t part = 0; part < parts && !fewer && !enough(); ++part) {
      const std::size_t from = lines.size() * part / parts;
      const std::size_t to = lines.size() * (part + 1) / parts;
      Lines rest(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(from));
      rest.insert(rest.end(), lines.begin() + static_cast<std::ptrdiff_t>(to), lines.end());
      if (!fails(rest)) continue;
      lines = std::move(rest);
      parts = std::max<std::size_t>(parts - 1, 2);
      fewer = true;
    }
    if (!fewer && parts == lines.size()) break;
    if (!fewer) parts *= 2;
  }
  return lines;
}

std::string how_alike_before(const Replays& replays, const Request& request) {
  if (replays.lines.size() != 1 || replays.others_too) return "";
  const Result<Request> before = parse_line(replays.lines.front());
  return before ? how_alike(*before, request) : "";
}

bool after_itself(const Replays& replays, const Request& request) {
  const std::string line = print_line(request);
  return !replays.lines.empty() &&
         std::ranges::all_of(replays.lines, [&](const auto& one) { return one == line; });
}

void look_how_they_replay(const StartAdapter& start, const Bounds& bounds, LookingSeconds seconds,
                          const Suite& suite, std::span<CaseResult* const> failed) {
  constexpr int kTimesAlone = 3;
  const auto from_now = [](double some) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(some));
  };
  const auto over = [&](Clock::time_point time) { return Clock::now() > time || bounds.reached(); };
  std::vector<CaseResult*> not_alone;
  const Clock::time_point end_alone = from_now(seconds.alone);
  for (CaseResult* one : failed) {
    if (over(end_alone)) break;
    int time = 1;
    std::optional<CaseResult> now;
    for (; time <= kTimesAlone && !(now && now->failed()) && !over(end_alone); ++time) {
      now = Retrial{*one, suite, start}.asked_after({}, [&] { return over(end_alone); });
    }
    const bool fails = now && now->failed();
    if (fails && time > 2) {
      one->replays = failing_at_times();
      continue;
    }
    const bool otherwise = fails && !fails_as(*one, *now);
    if (otherwise) {
      const Fault& fault = now->verdict.faults.front();
      one->replays.alone = std::string(name(fault.watch)) + ": " + fault.answered;
    }
    one->replays.how = fails ? Replays::How::alone : Replays::How::not_alone;
    // Of a process that died nothing more is seen, and how it dies depends on where its data lies.
    if (!fails || (otherwise && !died(*now))) not_alone.push_back(one);
  }
  if (not_alone.empty()) return;
  const Result<std::unique_ptr<Adapter>> adapter = start();
  if (!adapter) return;
  const Capabilities capabilities = (*adapter)->capabilities();
  const Clock::time_point end = from_now(seconds.before);
  std::size_t first = 0;
  bool found = false;
  for (std::size_t at = 0; at < not_alone.size() && !over(end); ++at) {
    // Until one failure is explained, each gets half of the remaining time; then an equal share.
    const std::size_t left = not_alone.size() - at;
    const std::size_t shares = found ? left : std::min<std::size_t>(left, 2);
    const Clock::time_point now = Clock::now();
    const Clock::duration share = (end - now) / static_cast<Clock::duration::rep>(shares);
    CaseResult& one = *not_alone[at];
    const std::vector<Request> made_up = made_up_before(suite, one.asked->request, capabilities);
    Replays replays = replays_after(
        {one, suite, start}, made_up, first, [&] { return over(now + share / 2); },
        [&] { return over(now + share); });
    const bool after = replays.how == Replays::How::after;
    found |= after;
    // Where nothing before makes it fail as it did, it may be the same failure all the same.
    if (!after && !one.replays.alone.empty()) continue;
    replays.alone = std::move(one.replays.alone);
    one.replays = std::move(replays);
  }
}

}  // namespace reshape::conformance
