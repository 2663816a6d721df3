#include "conformance/detection/beside_failures.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "conformance/detection/ask_ledger.h"
#include "conformance/detection/deaths.h"
#include "conformance/detection/likeness.h"
#include "conformance/detection/request_traits.h"
#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/neighbours.h"
#include "conformance/run/runner.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

struct Judged {
  std::optional<Verdict::Kind> verdict;  // nothing: cannot be asked
  Outcome outcome = {};
};

Judged judged(const Dialect& dialect, const Request& one, Adapter& adapter, Deaths& deaths) {
  const Expectation expected{ruling_of(dialect, one), std::nullopt};
  if (why_unsupported(one, expected, adapter.capabilities())) return {};
  Outcome outcome = adapter.ask(one);
  if (outcome.kind == Outcome::Kind::not_asked) return {};
  deaths.add(outcome);
  const Verdict verdict = judge(one, expected, adapter.capabilities(), outcome);
  return {verdict.kind, std::move(outcome)};
}

}  // namespace

BesideFailures beside_failures(const Suite& suite, std::span<const Request* const> failures,
                               const std::vector<std::string>& where, const self::Mutant& mutant,
                               Adapter& adapter, Choices& choices,
                               std::chrono::steady_clock::time_point end) {
  constexpr int kMostAsked = 60;
  constexpr int kMostTurns = 200;
  constexpr double kDeadlineSeconds = 1;
  BesideFailures found;
  Result<std::unique_ptr<Adapter>> other = start_adapter(reach(mutant, kDeadlineSeconds));
  if (failures.empty() || !other) return found;
  const Abilities abilities = abilities_of(adapter.capabilities());
  std::set<std::string> seen;
  Deaths deaths;
  for (int turn = 0, asked = 0; turn < kMostTurns && asked < kMostAsked; ++turn) {
    if (deaths.too_many() || std::chrono::steady_clock::now() > end) break;
    const Request& from = *choices.one_of(failures);
    const Dialect& dialect = suite.document(from.dialect)->dialect;
    const auto groups = neighbours(dialect, abilities, from, choices);
    if (groups.empty()) continue;
    const Request one = choices.one_of(choices.one_of(groups));
    std::vector<std::string> traits = words_about(one);
    // Most are asked without the conditions: those with them were compared before.
    constexpr int kOneIn = 4;
    const bool there = has_traits(traits, where);
    if ((there && turn % kOneIn != 0) || !seen.insert(print_line(one)).second) continue;
    ++asked;
    const Judged wrong = judged(dialect, one, **other, deaths);
    if (wrong.verdict != Verdict::Kind::fail) continue;
    const Judged answered = judged(dialect, one, adapter, deaths);
    if (answered.verdict == Verdict::Kind::fail) {
      if (!there && same_answer(answered.outcome, wrong.outcome)) {
        found.alike.push_back(std::move(traits));
      }
    } else if (answered.verdict == Verdict::Kind::pass && there) {
      found.beyond.push_back(std::move(traits));
    }
  }
  return found;
}

}  // namespace reshape::conformance
