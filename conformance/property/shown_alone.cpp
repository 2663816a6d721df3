// Repeats a broken law in fresh processes: the trial itself, shrunk ones, and causes that are not
// what the law is about.
#include "conformance/property/shown_alone.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generated_cases.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr int kMostShrinking = 60;     // trials
constexpr std::size_t kMostAlone = 8;  // requests of a trial that are asked alone

// Whether the answer has no right shape, so that nothing is known of the bytes.
bool infers_wrongly(const Ruling& ruling, const Outcome& outcome) {
  if (died(outcome) || outcome.kind == Outcome::Kind::malformed) {
    return outcome.during.empty() || outcome.during == "inference";
  }
  return outcome.kind != Outcome::Kind::produced || !ruling.permits(outcome.shape);
}

// The first of `lines` that is answered wrongly when asked alone in a process; of a law of each
// request, only whose inference is wrong. Of many lines only the first and the last ones are tried.
std::optional<WrongAlone> wrong_alone(const Law& law, const Suite& suite,
                                      const std::vector<std::string>& lines,
                                      const LawOptions& options) {
  std::vector<std::string> distinct;
  for (const std::string& line : lines) {
    if (std::find(distinct.begin(), distinct.end(), line) == distinct.end()) {
      distinct.push_back(line);
    }
  }
  if (distinct.size() > kMostAlone) {
    distinct.erase(distinct.begin() + kMostAlone / 2, distinct.end() - kMostAlone / 2);
  }
  for (std::string& line : distinct) {
    const Result<Request> request = parse_line(line);
    // Laws ask for unknown documents, too, of which there is no right answer.
    const Document* const document = request ? suite.document(request->dialect) : nullptr;
    if (document == nullptr) continue;
    const Expectation expectation{ruling_of(document->dialect, *request), std::nullopt};
    Result<std::unique_ptr<Adapter>> adapter = options.start();
    if (!adapter) return std::nullopt;
    // Nor is there one to what was not declared.
    if (why_unsupported(*request, expectation, (*adapter)->capabilities())) continue;
    const auto judged = [&](const Outcome& outcome) {
      return judge(*request, expectation, (*adapter)->capabilities(), outcome);
    };
    const Outcome outcome = (*adapter)->ask(*request);
    const Verdict verdict = judged(outcome);
    if (verdict.kind == Verdict::Kind::fail &&
        (!law.of_each || infers_wrongly(expectation.ruling, outcome))) {
      const Fault& fault = verdict.faults.front();
      WrongAlone wrong{std::move(line),
                       "expected " + fault.expected + ", answered " + fault.answered,
                       died(outcome)};
      wrong.again = wrong.died || judged((*adapter)->ask(*request)).kind == Verdict::Kind::fail;
      return wrong;
    }
  }
  return std::nullopt;
}

}  // namespace

bool breaks_alone(const Law& law, const Dialect& dialect, const Request& input, std::uint64_t seed,
                  const LawOptions& options, TimePoint end) {
  constexpr int kTries = 3;
  for (int time = 0; time < kTries; ++time) {
    const Result<std::unique_ptr<Adapter>> adapter = options.start();
    if (!adapter) return false;
    const Tried tried = try_law(law, dialect, input, **adapter, seed, end);
    if (tried.trial.kind == Trial::Kind::broken) return true;
    if (tried.hung || std::chrono::steady_clock::now() > end) return false;
  }
  return false;
}

Breaking smallest_input(const Law& law, const Dialect& dialect, Breaking found, Adapter& adapter,
                        std::uint64_t seed, TimePoint end) {
  int left = kMostShrinking / law.cost;
  for (bool smaller = true; smaller && left > 0;) {
    smaller = false;
    for (Request& candidate : simpler(dialect, found.input)) {
      if (--left < 0 || std::chrono::steady_clock::now() > end) break;
      Tried tried = try_law(law, dialect, candidate, adapter, seed, end);
      if (tried.hung) return found;  // each would cost a deadline
      if (tried.trial.kind != Trial::Kind::broken) continue;
      found = {std::move(candidate), std::move(tried)};
      smaller = true;
      break;
    }
  }
  return found;
}

std::optional<WrongAlone> shown_without(const Law& law, const Suite& suite, const Dialect& dialect,
                                        const Breaking& found, std::uint64_t seed,
                                        const LawOptions& options) {
  const auto alone = wrong_alone(law, suite, found.tried.lines, options);
  if (alone && (!law.fresh || alone->died)) return alone;
  if (!law.of_threads) return std::nullopt;
  const Result<std::unique_ptr<Adapter>> adapter = options.start();
  if (!adapter) return std::nullopt;
  Tried tried = try_law(law, dialect, found.input, **adapter, seed, std::nullopt, true);
  if (tried.trial.kind != Trial::Kind::broken) return std::nullopt;
  WrongAlone in_turn{print_line(found.input), std::move(tried.trial.says), false, true};
  if (tried.died || tried.hung || tried.lines.empty()) return in_turn;
  // Of many lines not each was asked alone; the last one is that of which it tells.
  auto told = wrong_alone(law, suite, {tried.lines.back()}, options);
  if (told && (!law.fresh || told->died)) return told;
  // What is always wrong shows nothing of what was asked before.
  in_turn.inconstant = !(alone && alone->again) && !(told && told->again);
  in_turn.lines = std::move(tried.lines);
  return in_turn;
}

}  // namespace reshape::conformance
