#include "conformance/run/result.h"

#include <algorithm>
#include <tuple>

namespace reshape::conformance {
namespace {

bool some_fail(std::span<const CaseResult> cases, Replays::How how) {
  return std::ranges::any_of(
      cases, [&](const CaseResult& one) { return one.failed() && one.replays.how == how; });
}

}  // namespace

bool plainer(const CaseResult& one, const CaseResult& other) {
  const auto length = [](const CaseResult& result) {
    const Request& request = result.asked->request;
    const bool dense =
        !request.strides && !request.out_strides && request.offset == 0 && request.out_offset == 0;
    return std::tuple(result.asked->generated(), !dense,
                      request.pattern.values.size() + request.data.rank(),
                      element_count(request.data).value_or(INT64_MAX));
  };
  return length(one) < length(other);
}

const char* name(Known known) {
  switch (known) {
    case Known::none: return "none";
    case Known::failure: return "known failure";
    case Known::differs: return "differs from the known failure";
    case Known::passes: return "unexpected pass";
    case Known::skipped: return "known failure, not executed";
    case Known::expired: return "known failure, past its day";
  }
  return "?";
}

bool some_fail_after_others(std::span<const CaseResult> cases) {
  return some_fail(cases, Replays::How::after);
}

bool fail_by_chance(std::span<const CaseResult> cases) {
  const bool some =
      some_fail(cases, Replays::How::not_again) || some_fail(cases, Replays::How::at_times);
  return some && !some_fail_after_others(cases);
}

const char* name(Replays::How how) {
  switch (how) {
    case Replays::How::not_looked_at: return "not looked at";
    case Replays::How::alone: return "alone";
    case Replays::How::after: return "after";
    case Replays::How::not_again: return "not again";
    case Replays::How::not_alone: return "not alone";
    case Replays::How::in_doubt: return "in doubt";
    case Replays::How::at_times: return "at times";
  }
  return "?";
}

bool RunResult::some_executed() const { return std::ranges::any_of(cases, &CaseResult::executed); }

bool RunResult::cases_conform() const {
  const bool cases_are_right = std::ranges::all_of(cases, [](const CaseResult& result) {
    return result.known == Known::failure || (result.known == Known::none && !result.failed());
  });
  const bool no_red_clause = std::ranges::none_of(unasked, &UnaskedClause::red);
  const bool starts_well = std::ranges::all_of(at_first_use, &ProcessFault::waived);
  return cases_are_right && no_red_clause && starts_well && baseline_faults.empty();
}

void Tally::add(const CaseResult& result) {
  ++planned;
  if (result.executed) ++executed;
  switch (result.verdict.kind) {
    case Verdict::Kind::pass: ++pass; break;
    case Verdict::Kind::fail: ++fail; break;
    case Verdict::Kind::unsupported: ++unsupported; break;
    case Verdict::Kind::mistrusted: ++mistrusted; break;
  }
  if (result.known == Known::failure) ++known;
}

Tallies tallies(const RunResult& result) {
  Tallies tallies;
  for (Plane plane : {Plane::shape, Plane::bytes, Plane::memory}) tallies.by_plane[name(plane)];
  for (const CaseResult& one : result.cases) {
    const Request& request = one.asked->request;
    tallies.all.add(one);
    tallies.by_dialect[request.dialect].add(one);
    tallies.by_type[std::string(name(request.data_type))].add(one);
    for (const std::string& clause : one.asked->clauses) {
      tallies.by_clause[{request.dialect, clause}].add(one);
    }
    for (Plane plane : {Plane::shape, Plane::bytes, Plane::memory}) {
      Tallies::PlaneTally& counts = tallies.by_plane[name(plane)];
      switch (one.verdict.planes[static_cast<std::size_t>(plane)]) {
        case Verdict::PlaneState::pass: ++counts.pass; break;
        case Verdict::PlaneState::fail: ++counts.fail; break;
        case Verdict::PlaneState::not_asked: ++counts.not_asked; break;
      }
    }
    if (!one.executed) ++tallies.skipped[one.verdict.reason];
  }
  return tallies;
}

std::vector<Choice> choices(const RunResult& result) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> groups;
  for (const CaseResult& one : result.cases) {
    if (one.verdict.chose.empty() || one.failed()) continue;
    const std::string kind = one.verdict.chose.substr(0, one.verdict.chose.find(' '));
    groups[{one.asked->request.dialect, one.asked->expect.clause, kind}].push_back(one.asked->id);
  }
  std::vector<Choice> found;
  found.reserve(groups.size());
  for (auto& [key, ids] : groups) {
    found.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), std::move(ids)});
  }
  return found;
}

}  // namespace reshape::conformance
