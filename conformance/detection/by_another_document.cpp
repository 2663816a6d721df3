#include "conformance/detection/by_another_document.h"

#include <map>
#include <optional>
#include <utility>

#include "conformance/detection/evenly.h"
#include "conformance/run/oracle.h"

namespace reshape::conformance {
namespace {

using Members = std::vector<const CaseResult*>;

constexpr std::size_t kFewFailures = 4;
constexpr std::size_t kMostCompared = 300;  // of each kind
constexpr double kNearlyAll = 0.95;

// Whether inference answered with a shape or a refusal.
bool answered(const CaseResult& one) {
  return one.produced || one.answered.starts_with("rejected");
}

// Whether the answer is right by the other document; nothing where that leaves the answer open.
std::optional<bool> is_answer_of(const Suite& suite, const Document& other, const CaseResult& one) {
  Request request = one.asked->request;
  request.dialect = other.dialect.name;
  if (other.dialect.zero != ZeroRule::by_flag) request.special_zero.reset();
  const Result<Expectation> right = oracle(suite, request);
  if (!right || right->ruling.kind == Ruling::Kind::unspecified) return std::nullopt;
  if (!one.produced) return right->ruling.permits_rejecting();
  return right->ruling.permits(*one.produced);
}

struct Counted {
  int all = 0, so = 0;
  int produced = 0;  // of `so`
  bool nearly_all() const { return all > 0 && so >= kNearlyAll * all; }
};

Counted counted(const Suite& suite, const Document& other, const Members& members) {
  Counted counts;
  for (const CaseResult* one : members) {
    const std::optional<bool> so = is_answer_of(suite, other, *one);
    if (!so) continue;
    ++counts.all;
    counts.so += *so;
    counts.produced += *so && one->produced;
  }
  return counts;
}

}  // namespace

std::vector<ByAnotherDocument> by_another_document(const RunResult& result,
                                                   std::span<const CaseResult* const> failed) {
  std::map<std::string, Members> wrong, right;
  for (const CaseResult* one : failed) {
    const bool about_shape =
        !one->verdict.faults.empty() && one->verdict.faults.front().watch == CaughtBy::shape;
    if (about_shape && answered(*one)) wrong[one->asked->request.dialect].push_back(one);
  }
  for (const CaseResult& one : result.cases) {
    const auto found = wrong.find(one.asked->request.dialect);
    if (found == wrong.end() || found->second.size() < kFewFailures) continue;
    const bool told = one.asked->expect.kind != Ruling::Kind::unspecified;
    if (one.verdict.kind == Verdict::Kind::pass && told && answered(one)) {
      right[found->first].push_back(&one);
    }
  }
  std::vector<ByAnotherDocument> all;
  for (const auto& [dialect, members] : wrong) {
    if (members.size() < kFewFailures) continue;
    const Members failures = evenly(members, kMostCompared);
    const Members passes = evenly(right[dialect], kMostCompared);
    std::optional<ByAnotherDocument> best;
    for (const Document& other : result.suite->documents) {
      if (other.dialect.name == dialect) continue;
      const Counted of_failures = counted(*result.suite, other, failures);
      if (!of_failures.nearly_all() || of_failures.all < static_cast<int>(kFewFailures)) continue;
      const Counted of_passes = counted(*result.suite, other, passes);
      // A right answer that the other document does not give speaks against it.
      if (of_passes.so != of_passes.all) continue;
      // Who refuses all is like every document that refuses it too.
      if (of_failures.produced + of_passes.produced == 0) continue;
      const int so = of_failures.so + of_passes.so;
      const int before = best ? best->failures_so + best->passes_so : -1;
      if (so > before) {
        best = ByAnotherDocument{dialect,       {},          of_failures.all, of_failures.so,
                                 of_passes.all, of_passes.so};
      }
      if (so >= before) best->as.push_back(other.dialect.name);
    }
    if (best) all.push_back(*std::move(best));
  }
  return all;
}

std::string text(const ByAnotherDocument& one) {
  std::string as;
  for (std::size_t at = 0; at < one.as.size(); ++at) {
    as += (at == 0 ? "" : at + 1 == one.as.size() ? " or " : ", ") + one.as[at];
  }
  return one.dialect + " is answered as " + as + " would be: so are " +
         std::to_string(one.failures_so) + " of " + std::to_string(one.failures) +
         " wrong answers compared, and " + std::to_string(one.passes_so) + " of " +
         std::to_string(one.passes) + " right ones";
}

}  // namespace reshape::conformance
