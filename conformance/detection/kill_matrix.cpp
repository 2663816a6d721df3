#include "conformance/detection/kill_matrix.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "conformance/adapter/adapter.h"
#include "conformance/detection/ask_ledger.h"
#include "conformance/model/judge.h"
#include "conformance/run/ask_to_end.h"
#include "conformance/run/runner.h"
#include "conformance/run/selection.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;

// Asks one mutant questions, in a process of its own.
class Interview {
 public:
  Interview(const Suite& suite, const self::Mutant& mutant, const MatrixOptions& options)
      : suite_(suite), options_(options) {
    fate_.mutant = &mutant;
    for (const Document& document : suite.documents) dialects_.push_back(document.dialect.name);
    fate_.not_started = restart();
  }

  // True when no more questions need to be asked.
  bool over() const {
    return adapter_ == nullptr || fate_.gave_up ||
           (options_.enough > 0 && fate_.killers >= options_.enough);
  }

  void ask(const Question& question, std::uint32_t place) {
    const bool kills = question.law == nullptr ? case_kills(question) : law_kills(question);
    if (!kills) return;
    fate_.killed_by.push_back(place);
    const std::string name = question.name();
    lines_.insert(name.substr(0, name.rfind('.')));
    fate_.killers = static_cast<int>(lines_.size());
  }

  Fate fate() && {
    std::ranges::sort(fate_.killed_by);
    return std::move(fate_);
  }

 private:
  // Laws are asked of a fresh process, so that earlier questions do not influence them.
  // Empty, or why it could not be started.
  std::string restart() {
    adapter_.reset();
    Result<std::unique_ptr<Adapter>> adapter =
        start_adapter(reach(*fate_.mutant, options_.deadline_seconds));
    if (!adapter) return adapter.error().text();
    adapter_ = std::move(adapter).value();
    return {};
  }

  void left_open(const Question& question, const std::string& why) {
    if (!why.empty()) fate_.unfinished = question.name() + ": " + why;
  }

  bool case_kills(const Question& question) {
    const Case& one = *question.asked;
    if (why_unsupported(one.request, expectation_of(one), adapter_->capabilities())) return false;
    Outcome outcome;
    const CaseResult result = conformance::ask(suite_, one, *adapter_, &outcome);
    if (!result.executed) left_open(question, result.verdict.reason);
    if (died(outcome) && ++deaths_ == kMostDeaths) fate_.gave_up = true;
    return result.failed() || !result.at_first_use.empty();
  }

  bool law_kills(const Question& question) {
    // It could be started before, so that this says nothing about it.
    if (const std::string why = restart(); !why.empty()) {
      left_open(question, why);
      return false;
    }
    const LawResult result =
        ask_law(*question.law, suite_, dialects_, *adapter_, {.shrinks = false, .seconds = 120});
    left_open(question, result.unfinished);
    return !result.holds();
  }

  const Suite& suite_;
  const MatrixOptions& options_;
  std::vector<std::string> dialects_;
  std::unique_ptr<Adapter> adapter_;
  int deaths_ = 0;
  std::set<std::string> lines_;  // of the suite, that killed it
  Fate fate_;
};

// A request's cost: 0: microseconds; 1: milliseconds; 2: more.
int heaviness(const Request& request) {
  const std::int64_t count = element_count(request.data).value_or(0);
  if (request.shape_only || count < 1024) return 0;
  return count < std::int64_t{1} << 20 ? 1 : 2;
}

// Most mutants are killed by a cheap case in any dialect, so the cheap ones come first, and every
// name in one dialect before any in a second.
void put_deadly_first(std::vector<const Case*>& cases) {
  struct Turn {
    int heavy;
    int times;  // that the name was asked before
    const Case* asked;
  };
  std::unordered_map<std::string_view, int> times;
  std::vector<Turn> turns;
  for (const Case* one : cases) {
    turns.push_back({heaviness(one->request), times[one->name()]++, one});
  }
  std::ranges::stable_sort(turns, {},
                           [](const Turn& turn) { return std::pair(turn.heavy, turn.times); });
  std::ranges::transform(turns, cases.begin(), &Turn::asked);
}

// When a mutant is asked a question where what is likely to kill it comes first: what is cheap and
// kills many, and then what mistakes of its kind are seen by. Laws see what depends on earlier
// requests or on the process, and large data what depends on lengths. A stage, and the turn in it.
std::pair<int, int> turn_of(const Question& question, const self::Mutant& mutant) {
  enum Stage { tier_once, of_its_kind, tier_again, light, heavy, laws };
  using self::Kind;
  if (question.law != nullptr) {
    const bool of_laws = mutant.kind == Kind::sequence || mutant.kind == Kind::process;
    // Most laws rest on C17, so that it chooses none.
    const ClauseOrDuty& about = question.law->rests_on;
    const bool about_it = name(about) == name(mutant.breaks) && about.duty != Duty::C17;
    const auto place = static_cast<int>(question.law - all_laws().data());
    return {of_laws ? of_its_kind : laws, about_it ? -1 : place};
  }
  const int weight = heaviness(question.asked->request);
  const int times = question.times_named;
  if (weight == 0) return {times == 1 ? tier_once : times > 1 ? tier_again : light, 0};
  return {mutant.kind == Kind::bytes ? of_its_kind : heavy, times == 1 ? weight : 10 + weight};
}

}  // namespace

std::string Question::name() const {
  return law != nullptr ? "law " + std::string(law->name) : "case " + asked->id;
}

std::vector<Question> questions(const Suite& suite, const QuestionOptions& options) {
  std::vector<const Case*> cases;
  if (options.cases) {
    for (const Document& document : suite.documents) {
      for (const Case& one : document.cases) cases.push_back(&one);
    }
    if (options.tier != nullptr) {
      cases = cases_of(*options.tier, cases, nullptr);
    } else {
      ask_once(cases);
    }
  }
  put_deadly_first(cases);
  std::vector<Question> list;
  std::unordered_map<std::string_view, int> times_named;
  if (options.tier != nullptr) {
    for (const std::string& name : options.tier->cases) times_named[name] = 0;
  }
  for (const Case* one : cases) {
    const auto named = times_named.find(one->name());
    const int times = named == times_named.end() ? 0 : ++named->second;
    list.push_back({Question::Kind::case_of_suite, one, nullptr, times});
  }
  if (options.generated != nullptr) {
    for (const Case& one : *options.generated) {
      list.push_back({Question::Kind::generated, &one, nullptr});
    }
  }
  if (options.laws && options.tier != nullptr) {
    for (const std::string& name : options.tier->laws) {
      list.push_back({Question::Kind::law, nullptr, law_named(name)});
    }
  } else if (options.laws) {
    for (const Law& law : all_laws()) list.push_back({Question::Kind::law, nullptr, &law});
  }
  return list;
}

Fate ask_mutant(const Suite& suite, std::span<const Question> questions, const self::Mutant& mutant,
                const MatrixOptions& options, std::vector<double>* seconds) {
  if (request_to_end() != nullptr) {
    Fate fate;
    fate.mutant = &mutant;
    fate.left_out = true;
    return fate;
  }
  Interview interview(suite, mutant, options);
  std::vector<std::uint32_t> order(questions.size());
  std::iota(order.begin(), order.end(), 0U);
  if (options.likely_first) {
    std::ranges::stable_sort(
        order, {}, [&](std::uint32_t place) { return turn_of(questions[place], mutant); });
  }
  for (const std::uint32_t place : order) {
    if (interview.over()) break;
    if (request_to_end() != nullptr) {
      Fate fate = std::move(interview).fate();
      fate.left_out = !fate.killed();
      return fate;
    }
    const Clock::time_point began = Clock::now();
    interview.ask(questions[place], place);
    const std::chrono::duration<double> taken = Clock::now() - began;
    if (seconds != nullptr) (*seconds)[place] = taken.count();
  }
  return std::move(interview).fate();
}

KillMatrix ask_mutants(const Suite& suite, std::vector<Question> asked,
                       std::span<const self::Mutant* const> mutants, const MatrixOptions& options) {
  KillMatrix matrix;
  matrix.questions = std::move(asked);
  matrix.fates.resize(mutants.size());
  std::vector<double> total(matrix.questions.size(), 0.0);
  std::vector<int> times(matrix.questions.size(), 0);
  std::mutex lock;
  int done = 0;
  at_once(mutants.size(), options.jobs, [&](std::size_t turn) {
    std::vector<double> seconds(matrix.questions.size(), -1.0);
    Fate fate = ask_mutant(suite, matrix.questions, *mutants[turn], options, &seconds);
    const std::lock_guard held(lock);
    // The time of a hostile mutant says nothing about the question.
    for (std::size_t place = 0; place < seconds.size() && !mutants[turn]->hostile(); ++place) {
      if (seconds[place] < 0) continue;
      total[place] += seconds[place];
      ++times[place];
    }
    matrix.fates[turn] = std::move(fate);
    if (options.progress) options.progress(++done, static_cast<int>(mutants.size()));
  });
  for (std::size_t place = 0; place < total.size(); ++place) {
    matrix.seconds.push_back(times[place] == 0 ? 0 : total[place] / times[place]);
  }
  return matrix;
}

}  // namespace reshape::conformance
