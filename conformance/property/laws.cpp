// The table of laws, and how one is asked.
#include "conformance/property/laws/laws.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generated_cases.h"
#include "conformance/property/law.h"
#include "conformance/property/patterns.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using namespace laws;

// One line a law.
const std::array kLaws = {
    volume_kept(),
    composition(),
    round_trip(),
    ones_inserted(),
    minus_one_resolves(),
    flag_without_zeros(),
    batch_permutation(),
    element_type_free(),
    input_layout_free(),
    idempotent(),
    view_aliases(),
    rejection_writes_nothing(),
    alignment_free(),
    same_again(),
    empty_between(),
    rejected_between(),
    other_buffers_between(),
    other_type_between(),
    other_stride_between(),
    other_flag_between(),
    many_calls(),
    worn_by_use(),
    room_for_many(),
    loaded_here_run_there(),
    two_at_once(),
    odd_threads(),
    different_at_once(),
    unloaded_and_loaded(),
};

constexpr int kMostShrinking = 60;  // trials

std::string join(const std::string& text, const std::string& end) {
  return text.empty() ? end : text + "; " + end;
}

// Smaller premises that still break the law, until there is none or enough was tried.
Request smallest_premise(const Law& law, const Dialect& dialect, Request premise, Adapter& adapter,
                         std::uint64_t seed, TimePoint end, Tried& shown) {
  int left = kMostShrinking / law.cost;
  for (bool smaller = true; smaller && left > 0;) {
    smaller = false;
    for (Request& candidate : simpler(dialect, premise)) {
      if (--left < 0 || std::chrono::steady_clock::now() > end) break;
      Tried tried = try_law(law, dialect, candidate, adapter, seed, end);
      if (tried.hung) return premise;  // each would cost a deadline
      if (tried.trial.kind != Trial::Kind::broken) continue;
      premise = std::move(candidate);
      shown = std::move(tried);
      smaller = true;
      break;
    }
  }
  return premise;
}

}  // namespace

Laboratory::Laboratory(Adapter& adapter, const Dialect& dialect, std::uint64_t seed)
    : adapter_(adapter),
      dialect_(dialect),
      abilities_(abilities_of(adapter.capabilities())),
      choices_(seed) {}

void Laboratory::remember(const Request& request) {
  std::string line = print_line(request);
  if (lines_.empty() || lines_.back() != line) lines_.push_back(std::move(line));
}

void Laboratory::look(const Outcome& outcome) {
  const bool answered = !died(outcome) && outcome.kind != Outcome::Kind::malformed;
  if (!answered && !breakdown_) breakdown_ = outcome;
}

Outcome Laboratory::ask(const Request& request) {
  if (breakdown_) return *breakdown_;
  remember(request);
  Outcome outcome = adapter_.ask(request);
  look(outcome);
  return outcome;
}

std::vector<Outcome> Laboratory::ask_together(const std::vector<Request>& requests, int times) {
  if (breakdown_) return std::vector<Outcome>(requests.size(), *breakdown_);
  for (const Request& request : requests) remember(request);
  std::vector<Outcome> outcomes = adapter_.ask_together(requests, times);
  for (const Outcome& outcome : outcomes) look(outcome);
  return outcomes;
}

bool Laboratory::out_of_time() const { return end_ && std::chrono::steady_clock::now() > *end_; }

std::optional<Error> Laboratory::reload() { return adapter_.reload(); }

Request Laboratory::another() { return generate(dialect_, abilities_, choices_).request; }

Request Laboratory::another(const Aim& aim) {
  return generate_in_class(dialect_, aim, abilities_, choices_).request;
}

Request Laboratory::plain(const Request& like, const Shape& data, const Shape& output) {
  Request request;
  request.dialect = like.dialect;
  request.data_type = like.data_type;
  request.shape_only = like.shape_only;
  request.special_zero = like.special_zero;
  if (request.special_zero) request.special_zero = false;
  request.data = data;
  request.pattern.type = like.pattern.type;
  request.pattern.values.assign(output.begin(), output.end());
  fit_pattern_type(request);
  return request;
}

Request Laboratory::dense(Request request) {
  request.strides.reset();
  request.offset = 0;
  request.out_strides.reset();
  request.out_offset = 0;
  return request;
}

void Laboratory::fit_pattern_type(Request& request) {
  choose_pattern_type(
      ElementTypes::from_mask(dialect_.pattern_types.mask() & abilities_.pattern_types.mask()),
      request, choices_);
}

bool Laboratory::promised(const Request& request) const {
  const Ruling ruling = ruling_of(dialect_, request);
  return ruling.kind == Ruling::Kind::produces &&
         !why_unsupported(request, {ruling, std::nullopt}, capabilities());
}

std::span<const Law> all_laws() { return kLaws; }

const Law* law_named(std::string_view name) {
  for (const Law& law : kLaws) {
    if (law.name == name) return &law;
  }
  return nullptr;
}

Request draw_premise(const Law& law, const Dialect& dialect, const Abilities& abilities,
                     Choices& choices) {
  switch (law.premise) {
    case Law::Premise::produces:
      return generate_in_class(dialect, {Ruling::Kind::produces, {}}, abilities, choices).request;
    case Law::Premise::rejects: {
      std::vector<Aim> aims = aims_of(dialect);
      std::erase_if(aims, [](const Aim& aim) { return aim.kind != Ruling::Kind::rejects; });
      return generate_in_class(dialect, choices.one_of(aims), abilities, choices).request;
    }
    case Law::Premise::any: break;
  }
  return generate(dialect, abilities, choices).request;
}

Tried try_law(const Law& law, const Dialect& dialect, const Request& premise, Adapter& adapter,
              std::uint64_t laboratory_seed, std::optional<TimePoint> end) {
  Laboratory laboratory(adapter, dialect, laboratory_seed);
  if (end) laboratory.end_at(*end);
  const Expectation expectation{ruling_of(dialect, premise), std::nullopt};
  if (const auto outside = why_unsupported(premise, expectation, adapter.capabilities())) {
    return {Trial::moot(*outside), {}, false};
  }
  Trial trial = law.check(premise, laboratory);
  // Two equal crashes are no equal answers, and a law that says nothing about a premise has seen one.
  if (trial.kind != Trial::Kind::broken && laboratory.breakdown()) {
    trial = Trial::broken(text(*laboratory.breakdown()));
  }
  const bool hung =
      laboratory.breakdown() && laboratory.breakdown()->kind == Outcome::Kind::timed_out;
  return {std::move(trial), laboratory.lines(), hung};
}

LawResult ask_law(const Law& law, const Suite& suite, const std::vector<std::string>& dialects,
                  Adapter& adapter, const LawOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  LawResult result;
  result.name = law.name;
  result.clause = law.clause;
  result.says = law.says;
  std::string moot;
  if (dialects.empty()) result.not_asked = "no dialect that it declares is asked for";
  if (law.pointless != nullptr) {
    if (const auto why = law.pointless(adapter.capabilities())) result.not_asked = *why;
  }
  // Where one trial costs as much as all of another law, once is enough, in whatever dialect.
  const int premises = law.cost >= options.requests ? 1
                                                    : std::max(options.requests / law.cost,
                                                               static_cast<int>(dialects.size()));
  const auto length = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(options.seconds));
  const TimePoint end = began + length;
  if (options.stop && result.not_asked.empty()) {
    if (const auto why = options.stop()) result.not_asked = *why;
  }
  // Premises that the law does not speak about are drawn again, up to a point.
  for (int draw = 0;
       result.not_asked.empty() && result.holds() && result.tried < premises && draw < 8 * premises;
       ++draw) {
    if (draw > 0 && (std::chrono::steady_clock::now() > end || (options.stop && options.stop())))
      break;
    const std::string& name = dialects[static_cast<std::size_t>(draw) % dialects.size()];
    const Dialect& dialect = suite.document(name)->dialect;
    const std::uint64_t seed =
        options.seed * 1'000'003 + static_cast<std::uint64_t>(draw) * 7919 + law.name.size();
    SeededChoices choices(seed);
    const Request premise =
        draw_premise(law, dialect, abilities_of(adapter.capabilities()), choices);
    Tried tried = try_law(law, dialect, premise, adapter, seed, end);
    if (tried.trial.kind == Trial::Kind::moot) {
      moot = tried.trial.says;
      continue;
    }
    ++result.tried;
    if (tried.trial.kind == Trial::Kind::held) continue;
    result.hung = tried.hung;
    if (options.shrinks && !tried.hung) {
      const TimePoint enough = std::chrono::steady_clock::now() + length;
      smallest_premise(law, dialect, premise, adapter, seed, enough, tried);
    }
    result.broken = tried.trial.says;
    result.lines = tried.lines;
  }
  if (result.tried == 0 && result.not_asked.empty()) {
    result.not_asked = join(moot, "no request drawn is one that it speaks about");
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

std::vector<LawResult> ask_laws(const Suite& suite, const std::vector<std::string>& dialects,
                                Adapter& adapter, const LawOptions& options) {
  std::vector<LawResult> results;
  for (const Law& law : kLaws) {
    results.push_back(ask_law(law, suite, dialects, adapter, options));
    if (options.told) options.told(results.back());
  }
  return results;
}

}  // namespace reshape::conformance
