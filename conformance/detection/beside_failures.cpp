#include "conformance/detection/beside_failures.h"

#include <memory>
#include <set>
#include <utility>

#include "conformance/detection/ask_ledger.h"
#include "conformance/detection/judged.h"
#include "conformance/detection/likeness.h"
#include "conformance/detection/neighbourhood.h"
#include "conformance/detection/request_traits.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/neighbours.h"
#include "conformance/text/line.h"

namespace reshape::conformance {

BesideFailures beside_failures(const Suite& suite, std::span<const Explained> failures,
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
    const Explained& from = choices.one_of(failures);
    const Dialect& dialect = suite.document(from.request->dialect)->dialect;
    const auto groups = neighbours(dialect, abilities, *from.request, choices);
    if (groups.empty()) continue;
    const Request one = choices.one_of(choices.one_of(groups));
    std::vector<std::string> traits = words_about(one);
    // Most are asked without the conditions: those with them were compared before.
    constexpr int kOneIn = 4;
    const bool there = has_traits(traits, where);
    const bool left_out = !where.empty() && there && turn % kOneIn != 0;
    if (left_out || !seen.insert(print_line(one)).second) continue;
    ++asked;
    const Judged wrong = judged(dialect, one, **other, deaths);
    const Judged answered = judged(dialect, one, adapter, deaths);
    if (wrong.kind() == Verdict::Kind::pass) {
      const bool tells = !multiplies_beyond_64_bits(one);
      found.missed += tells && answered.verdict && fails_as(*answered.verdict, *from.fault);
    } else if (wrong.kind() == Verdict::Kind::fail && answered.kind() == Verdict::Kind::fail) {
      if (!same_answer(answered.outcome, wrong.outcome)) continue;
      ++found.same;
      if (!there) found.alike.push_back(std::move(traits));
    } else if (wrong.kind() == Verdict::Kind::fail && answered.kind() == Verdict::Kind::pass &&
               there) {
      found.beyond.push_back(std::move(traits));
    }
  }
  return found;
}

}  // namespace reshape::conformance
