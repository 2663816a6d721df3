// How a law is asked.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "conformance/adapter/more_threads.h"
#include "conformance/adapter/process/patience.h"
#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/law.h"
#include "conformance/property/shown_alone.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr int kMostWrongAlone = 20;  // draws; more would say the same

// The request that got another answer than at another time: "where several threads ask at once for
// the first time: f32[2] i64[2]: inference ...". It need not be one of those that the law was asked
// with.
std::optional<std::string> request_named(const std::string& says) {
  if (!says.starts_with("where ")) return std::nullopt;
  constexpr std::string_view kThen = ": ";
  const std::size_t begin = says.find(kThen);
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = says.find(kThen, begin + kThen.size());
  if (end == std::string::npos) return std::nullopt;
  const std::string line = says.substr(begin + kThen.size(), end - begin - kThen.size());
  return parse_line(line) ? std::optional(line) : std::nullopt;
}

std::string join(const std::string& text, const std::string& end) {
  return text.empty() ? end : text + "; " + end;
}

}  // namespace

Request draw_input(const Law& law, const Dialect& dialect, const Abilities& abilities,
                   Choices& choices) {
  switch (law.input) {
    case Law::Input::produces:
      return generate_in_class(dialect, {Ruling::Kind::produces, {}}, abilities, choices).request;
    case Law::Input::rejects: {
      std::vector<Aim> aims = aims_of(dialect);
      std::erase_if(aims, [](const Aim& aim) { return aim.kind != Ruling::Kind::rejects; });
      return generate_in_class(dialect, choices.one_of(aims), abilities, choices).request;
    }
    case Law::Input::any: break;
  }
  return generate(dialect, abilities, choices).request;
}

Tried try_law(const Law& law, const Dialect& dialect, const Request& input, Adapter& adapter,
              std::uint64_t property_seed, std::optional<TimePoint> end, bool in_turn) {
  PropertyCheck property(adapter, dialect, property_seed);
  if (in_turn) property.without_threads();
  if (end) property.end_at(*end);
  const Expectation expectation{ruling_of(dialect, input), std::nullopt};
  if (const auto outside = why_unsupported(input, expectation, adapter.capabilities())) {
    return {Trial::discarded(*outside), {}, false};
  }
  Trial trial = law.check(input, property);
  // Requests that could not be asked must not count as equal answers, nor as a broken law.
  if (!property.refused().empty()) {
    return {Trial::unfinished(property.refused()), property.lines(), false, true};
  }
  // The law was asked of what the first process of the run declares, which this one does not.
  if (const std::string otherwise = adapter.declares_otherwise(); !otherwise.empty()) {
    return {Trial::broken(otherwise), property.lines(), property.hung()};
  }
  std::vector<std::string> lines = property.lines();
  const auto and_the_one_named = [&lines](const std::string& says) {
    const std::optional<std::string> named = request_named(says);
    if (named && (lines.empty() || lines.back() != *named)) lines.push_back(*named);
    return named.has_value();
  };
  // A crash or a hang breaks every law: two crashes must not count as equal answers. What answers
  // otherwise than before is neither.
  if (trial.kind == Trial::Kind::broken) {
    and_the_one_named(trial.says);
  } else if (property.breakdown()) {
    const Outcome& last = *property.breakdown();
    const bool answered = last.kind == Outcome::Kind::malformed && and_the_one_named(last.message);
    trial = Trial::broken(answered ? "answered wrongly " + last.message : text(last));
  }
  const bool has_died = property.breakdown() && died(*property.breakdown());
  return {std::move(trial), std::move(lines), property.hung(), false, has_died};
}

namespace {

using Clock = std::chrono::steady_clock;

struct Drawn {
  const Dialect& dialect;
  std::uint64_t seed;
  Request input;
};

// The documents take turns.
Drawn drawn(const Law& law, const Suite& suite, const std::vector<std::string>& dialects,
            const Abilities& abilities, std::uint64_t seed_of_all, int draw) {
  const std::string& name = dialects[static_cast<std::size_t>(draw) % dialects.size()];
  const Dialect& dialect = suite.document(name)->dialect;
  const std::uint64_t seed =
      seed_of_all * 1'000'003 + static_cast<std::uint64_t>(draw) * 7919 + law.name.size();
  SeededChoices choices(seed);
  return {dialect, seed, draw_input(law, dialect, abilities, choices)};
}

// A broken law, and what is needed to make further trials of it.
struct Asking {
  const Law& law;
  const Dialect& dialect;
  const Suite& suite;
  const LawOptions& options;
  std::uint64_t seed;
  TimePoint end;

  bool breaks_alone(const Request& input) const {
    return !options.start || conformance::breaks_alone(law, dialect, input, seed, options, end);
  }
};

// Laws may ask the drawn input only in a changed form. If one of the requests that were asked,
// taken as the input, makes the same trial, that one is shown instead: it was really asked. Where
// threads race, which of the requests is answered wrongly and named last differs from try to try.
Breaking begun_as_asked(const Asking& asking, Breaking found) {
  constexpr std::size_t kMostTried = 4;
  const int tries = asking.law.of_threads ? 5 : 1;
  const std::vector<std::string> lines = found.tried.lines;
  const std::set<std::string_view> requests(lines.begin(), lines.end());
  if (requests.contains(print_line(found.input))) return found;
  for (std::size_t at = 0; at < std::min(lines.size(), kMostTried); ++at) {
    const Result<Request> asked = parse_line(lines[at]);
    if (!asked) continue;
    for (int time = 0; time < tries && Clock::now() <= asking.end; ++time) {
      const Result<std::unique_ptr<Adapter>> adapter = asking.options.start();
      if (!adapter) return found;
      Tried tried = try_law(asking.law, asking.dialect, *asked, **adapter, asking.seed, asking.end);
      const auto& again = tried.lines;
      if (std::set<std::string_view>(again.begin(), again.end()) != requests) break;
      if (tried.trial.kind == Trial::Kind::broken) return {*asked, std::move(tried)};
    }
  }
  return found;
}

struct Shown {
  Breaking breaking;
  bool replays = false;  // in a fresh process
};

// The shrunk trial, if it breaks the law in a fresh process as well; else the whole one.
Shown as_it_is_shown(const Asking& asking, const Breaking& whole, Adapter& adapter) {
  const LawOptions& options = asking.options;
  const bool hung = whole.tried.hung;
  Breaking shown = whole;
  if (options.shrinks && asking.law.shrinks && !hung) {
    shown = smallest_input(asking.law, asking.dialect, whole, adapter, asking.seed, asking.end);
    // A shrunk input may be answered wrongly alone, which says nothing about the law.
    if (options.start &&
        shown_without(asking.law, asking.suite, asking.dialect, shown, asking.seed, options)) {
      shown = whole;
    }
  }
  bool replays = asking.breaks_alone(shown.input);
  if (!replays && shown.input != whole.input && asking.breaks_alone(whole.input)) {
    shown = whole;
    replays = true;
  }
  if (replays && options.start && !hung) shown = begun_as_asked(asking, std::move(shown));
  return {std::move(shown), replays};
}

Clock::duration as_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Makes further trials of a broken law, each in a fresh process, since its cause may persist in a
// process. Where the trial that was found does not show there, the first of these that does
// replaces it.
void compare(const Law& law, const Suite& suite, const std::vector<std::string>& dialects,
             const Abilities& abilities, const LawOptions& options, int broken_at,
             LawResult& result) {
  constexpr int kMostTrials = 40;
  if (law.cost >= Law::kOnce) return;
  const TimePoint end = Clock::now() + as_duration(options.comparing_seconds);
  for (int draw = 0; draw < kMostTrials && Clock::now() < end; ++draw) {
    if (options.stop && options.stop()) return;
    // The draw that broke the law was checked already.
    if (draw == broken_at) continue;
    const Drawn one = drawn(law, suite, dialects, abilities, options.seed, draw);
    const Result<std::unique_ptr<Adapter>> adapter = options.start();
    if (!adapter) return;
    const Tried tried = try_law(law, one.dialect, one.input, **adapter, one.seed, end);
    if (tried.hung) return;
    const bool broken = tried.trial.kind == Trial::Kind::broken;
    if (!broken && tried.trial.kind != Trial::Kind::held) continue;
    // If some requests are answered wrongly alone, that may be what broke this trial.
    if (broken && result.wrong_alone > 0 &&
        shown_without(law, suite, one.dialect, {one.input, tried}, one.seed, options)) {
      continue;
    }
    LawTrial trial{print_line(one.input), one.seed, broken ? tried.trial.says : ""};
    if (broken && result.input.empty()) {
      const Asking asking{law, one.dialect, suite, options, one.seed, end};
      const Breaking shown = begun_as_asked(asking, {one.input, tried});
      result.input = trial.input = print_line(shown.input);
      result.seed = one.seed;
      result.broken = shown.tried.trial.says;
      result.lines = shown.tried.lines;
    }
    result.trials.push_back(std::move(trial));
  }
}

}  // namespace

LawResult ask_law(const Law& law, const Suite& suite, const std::vector<std::string>& dialects,
                  Adapter& adapter, const LawOptions& asked) {
  const auto began = Clock::now();
  LawOptions options = asked;
  options.start = held_to(adapter.capabilities(), asked.start);
  LawResult result;
  result.name = law.name;
  result.rests_on = name(law.rests_on);
  result.says = law.says;
  std::string discarded;
  std::optional<WrongAlone> first_alone;
  std::uint64_t first_alone_seed = 0;
  int broken_at = 0;  // the draw
  if (dialects.empty()) result.not_asked = "no dialect that it declares is asked for";
  if (law.pointless != nullptr) {
    if (const auto why = law.pointless(adapter.capabilities())) result.not_asked = *why;
  }
  // One trial is enough where it costs as much as all trials of another law.
  const int inputs = law.cost >= options.requests
                         ? 1
                         : std::max(options.requests / law.cost, static_cast<int>(dialects.size()));
  const auto length = as_duration(options.seconds);
  const TimePoint end = began + length;
  if (options.stop && result.not_asked.empty()) {
    if (const auto why = options.stop()) result.not_asked = *why;
  }
  // Inputs that the law does not speak about are drawn again, up to a point.
  for (int draw = 0;
       result.not_asked.empty() && result.holds() && result.tried < inputs && draw < 8 * inputs;
       ++draw) {
    if (draw > 0) {
      if (Clock::now() > end) result.unfinished = "its time was over";
      if (const auto why = options.stop ? options.stop() : std::nullopt) result.unfinished = *why;
      if (!result.unfinished.empty()) break;
    }
    const auto [dialect, seed, input] =
        drawn(law, suite, dialects, abilities_of(adapter.capabilities()), options.seed, draw);
    std::unique_ptr<Adapter> fresh;
    if (law.fresh && options.start) {
      if (Result<std::unique_ptr<Adapter>> started = options.start()) {
        fresh = std::move(started).value();
      }
    }
    Adapter& whom = fresh ? *fresh : adapter;
    Tried tried = try_law(law, dialect, input, whom, seed, end);
    if (tried.trial.kind == Trial::Kind::discarded) {
      discarded = tried.trial.says;
      continue;
    }
    if (tried.trial.kind == Trial::Kind::unfinished) {
      result.unfinished = tried.trial.says;
      if (result.tried == 0) result.not_asked = tried.trial.says;
      result.refused = tried.refused;
      break;
    }
    if (tried.trial.kind == Trial::Kind::held) {
      if (result.trials.empty()) result.trials = {{print_line(input), seed, ""}};
      ++result.tried;
      continue;
    }
    if (options.start && whom.declares_otherwise().empty()) {
      if (auto alone = shown_without(law, suite, dialect, {input, tried}, seed, options)) {
        if (!first_alone || (alone->inconstant && !first_alone->inconstant)) {
          first_alone = std::move(alone);
          first_alone_seed = seed;
        }
        result.hung |= tried.hung;  // each further draw would cost a deadline
        if (++result.wrong_alone >= kMostWrongAlone || result.hung) break;
        continue;
      }
    }
    ++result.tried;
    result.hung = tried.hung;
    const Asking asking{law, dialect, suite, options, seed, Clock::now() + length};
    const Shown shown = as_it_is_shown(asking, {input, std::move(tried)}, adapter);
    result.broken = shown.breaking.tried.trial.says;
    if (const auto duty = shown.breaking.tried.trial.duty) {
      result.rests_on = name(*duty);
      result.says = expects(*duty);
    }
    result.lines = shown.breaking.tried.lines;
    if (shown.replays) result.input = print_line(shown.breaking.input);
    result.seed = seed;
    broken_at = draw;
  }
  if (!result.holds() && !result.hung && options.start && options.comparing_seconds > 0) {
    result.trials.clear();
    if (!result.input.empty()) result.trials = {{result.input, result.seed, result.broken}};
    compare(law, suite, dialects, abilities_of(adapter.capabilities()), options, broken_at, result);
  }
  if (result.holds() && first_alone && first_alone->inconstant) {
    // No thread is to blame, but the duty that the law rests on is broken.
    ++result.tried;
    result.broken =
        "also by one thread that asks the same in turn, in a fresh process: " + first_alone->says;
    result.input = first_alone->line;
    result.seed = first_alone_seed;
    result.lines = std::move(first_alone->lines);
  } else if (result.holds() && first_alone) {
    result.undecided = true;
    result.broken = std::to_string(result.wrong_alone) +
                    (result.wrong_alone == 1 ? " draw was" : " draws were");
    if (first_alone->in_turn) {
      result.broken +=
          " answered wrongly also by one thread that asked the same in turn, in a fresh process; "
          "the first: ";
      result.input = first_alone->line;
      result.seed = first_alone_seed;
    } else {
      result.broken +=
          " answered wrongly already when each request was asked alone, in a fresh process; "
          "the first: ";
      result.lines = {first_alone->line};
    }
    result.broken += first_alone->says;
  } else if (result.tried == 0 && result.not_asked.empty()) {
    result.not_asked = join(discarded, "no request drawn is one that it speaks about");
  }
  result.seconds = elapsed_seconds(began);
  return result;
}

std::vector<LawResult> ask_laws(std::span<const Law* const> laws, const Suite& suite,
                                const std::vector<std::string>& dialects, Adapter& adapter,
                                const LawOptions& options) {
  const StartAdapter start = held_to(adapter.capabilities(), options.start);
  std::vector<LawResult> results(laws.size());
  // The costly laws first, so that no job idles at the end while another runs a costly one.
  std::vector<std::size_t> order(laws.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t at) { return laws[at]->cost; });
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  const auto work = [&](Adapter& asked) {
    for (std::size_t turn = next++; turn < laws.size(); turn = next++) {
      LawResult& result = results[order[turn]];
      result = ask_law(*laws[order[turn]], suite, dialects, asked, options);
      const std::lock_guard lock(telling);
      if (options.told) options.told(result);
    }
  };
  const auto work_apart = [&] {
    const Result<std::unique_ptr<Adapter>> another = start();
    if (another) work(**another);
  };
  const std::size_t jobs = options.start ? static_cast<std::size_t>(std::max(options.jobs, 1)) : 1;
  const std::size_t at_once = std::min(jobs, laws.size());
  Jobs others;
  others.start(at_once > 0 ? at_once - 1 : 0, work_apart);
  work(adapter);
  others.wait();
  return results;
}

}  // namespace reshape::conformance
