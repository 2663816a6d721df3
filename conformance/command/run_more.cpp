#include "conformance/command/run_more.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <utility>

#include "conformance/adapter/process/patience.h"
#include "conformance/command/checks.h"
#include "conformance/command/progress.h"
#include "conformance/detection/tier.h"
#include "conformance/property/bounded_exhaustive.h"
#include "conformance/property/generated_cases.h"
#include "conformance/run/baseline.h"
#include "conformance/run/other_types.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kMostShrunk = 3;  // causes, one failure of each

std::uint64_t seed_of(const MoreOptions& options, std::uint64_t usual) {
  return options.fresh ? fresh_seed() : options.seed.value_or(usual);
}

ExhaustiveOptions world_options(const MoreOptions& options, const AdapterOptions& reach,
                                const Plan& plan) {
  ExhaustiveOptions exhaustive;
  exhaustive.library = reach.library;
  exhaustive.bound =
      options.exhaustive == "full" ? ExhaustiveBound::full() : ExhaustiveBound::quick();
  exhaustive.jobs = std::max(plan.jobs, 2);
  exhaustive.deadline_seconds = reach.deadline_seconds;
  exhaustive.stop = [bounds = plan.bounds] { return bounds->reached(); };
  return exhaustive;
}

ElementTypes those_of(const std::vector<std::string>& names, const ElementTypes& declared) {
  ElementTypes types;
  for (const std::string& name : names) {
    const std::optional<ElementType> type = element_type_named(name);
    if (type && declared.contains(*type)) types.insert(*type);
  }
  return types;
}

}  // namespace

PlannedCases planned_cases(const Suite& suite, const RunOptions& options,
                           const Capabilities& capabilities) {
  Selection selection{options.dialects, options.filters, options.clauses, options.types};
  if (selection.dialects.empty()) {
    for (const Document& document : suite.documents) {
      const std::string& dialect = document.dialect.name;
      if (capabilities.has_dialect(dialect)) selection.dialects.push_back(dialect);
    }
  }
  PlannedCases planned;
  planned.cases = cases_that_meet(suite, selection);
  ask_in_declared_types(suite, capabilities, planned.cases, *planned.own);
  if (options.tier == "quick") {
    planned.cases = cases_of(quick_tier(), planned.cases, &capabilities);
  } else {
    ask_once(planned.cases);
  }
  return planned;
}

std::uint64_t fresh_seed() {
  // Not std::random_device: in a static libstdc++ it needs a glibc of 2022.
  std::uint64_t bits = 0;
  if (getentropy(&bits, sizeof bits) != 0) {
    bits = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  }
  return bits % 1'000'000'000u;
}

void add_laws(std::span<const Law* const> laws, LawOptions options, const Plan& plan,
              const std::vector<std::string>& dialects, const AdapterOptions& reach,
              Adapter& adapter, Report& result) {
  Bounds& bounds = *plan.bounds;
  // In this process a second instance of the library would share the state of the first.
  if (!reach.in_process) options.start = [reach] { return start_adapter(reach); };
  options.jobs = plan.jobs;
  options.stop = [&bounds] { return bounds.reached(); };
  options.told = [&, done = 0](const LawResult& law) mutable {
    bounds.saw(!law.holds() && !(plan.is_known_law && plan.is_known_law(law.name)), law.hung);
    if (plan.law_progress) plan.law_progress(++done, static_cast<int>(laws.size()));
  };
  const auto began = std::chrono::steady_clock::now();
  result.laws = ask_laws(laws, *plan.suite, dialects, adapter, options);
  result.seconds += elapsed_seconds(began);
  const std::optional<std::string> why = bounds.reached();
  const bool cut = why && std::ranges::any_of(result.laws, [&](const LawResult& law) {
                     return law.not_asked == *why;
                   });
  if (cut && result.cut_short.empty()) result.cut_short = *why;
  for (const LawResult& law : result.laws) {
    if (result.cut_short.empty() && law.refused) result.cut_short = law.unfinished;
  }
}

void add_more_options(CLI::App& command, MoreOptions& options) {
  command
      .add_option("--generate", options.generate,
                  "instead of the suite's cases: N requests drawn from the seed")
      ->check(whole_number<int>(100'000'000, 1))
      ->type_name("N");
  CLI::Option* seed =
      command
          .add_option("--seed", options.seed,
                      "of all that is drawn; by default the version of the suite, so that a gate "
                      "asks the same every day")
          ->check(whole_number<std::uint64_t>())
          ->type_name("S");
  CLI::Option* fresh =
      command.add_flag("--fresh", options.fresh, "draw with a new seed, which the report tells")
          ->excludes(seed);
  command
      .add_flag("--suite-only", options.suite_only,
                "the cases of the suite and no generated requests")
      ->excludes(seed)
      ->excludes(fresh);
  CLI::Option* laws = command.add_flag(
      "--laws", options.laws, "instead of the suite's cases: the laws that every Reshape keeps");
  command
      .add_flag("--no-laws", options.no_laws,
                "no laws beside the cases, for what starts slowly: laws start it many times")
      ->excludes(laws);
  number_option(command, "--law-requests", options.law_requests, "asked of each law",
                whole_number<int>(1'000'000, 1), "N")
      ->needs(laws);
  command
      .add_flag("--exhaustive{quick}", options.exhaustive,
                "instead of the suite's cases: every request within a bound; =full for sizes 0..4 "
                "and values -3..5")
      ->check(CLI::IsMember({"quick", "full"}).description(""))
      ->type_name("[=full]");
}

Generation add_generated(const MoreOptions& options, bool quick, const Suite& suite,
                         const std::vector<std::string>& dialects, const Capabilities& capabilities,
                         PlannedCases& planned) {
  GeneratedCases made =
      generated_cases(suite, dialects, capabilities, seed_of(options, usual_seed(suite)),
                      usual_count(quick, dialects.size()));
  for (Case& one : made.cases) planned.cases.push_back(&planned.own->emplace_back(std::move(one)));
  return std::move(made.generation);
}

void shrink_failures(const Bounds& bounds, const AdapterOptions& reach, Adapter& adapter,
                     Report& result) {
  if (!result.generated) return;
  std::set<std::string> causes;
  // Generated requests first: those of the suite were written by people and are readable as they
  // are.
  for (const bool generated : {true, false}) {
    for (const CaseResult& one : result.cases) {
      if (causes.size() == kMostShrunk || bounds.reached()) return;
      if (!one.failed() || one.known == Known::failure) continue;
      if (one.asked->generated() != generated || one.asked->expect_elements) continue;
      if (!causes.insert(cause_of(one)).second) continue;
      std::optional<Smallest> found = shrunk(*result.suite, *one.asked, one.verdict, adapter,
                                             [&] { return start_adapter(reach); });
      if (!found || (!generated && found->line == print_line(one.asked->request))) continue;
      // Causes that differ in the element type can shrink to the same request.
      std::vector<Smallest>& told = result.generated->smallest;
      const bool again = std::ranges::any_of(
          told, [&](const Smallest& other) { return other.fails == found->fails; });
      if (!again) told.push_back(*std::move(found));
    }
  }
}

Result<Report> asked_cases(const Plan& plan, Adapter& adapter, const AdapterOptions& reach) {
  Result<RunResult> cases = run(plan, adapter, [&] { return start_adapter(reach); });
  if (!cases) return cases.error();
  return Report(std::move(*cases));
}

Result<Report> run_more(const MoreOptions& options, const std::vector<std::string>& types,
                        const std::vector<std::string>& dialects, const AdapterOptions& reach,
                        Plan plan, Adapter& adapter) {
  const Suite& suite = *plan.suite;
  const Capabilities capabilities = adapter.capabilities();
  auto own = std::make_shared<std::deque<Case>>();
  const auto add = [&](std::vector<Case> cases) {
    for (Case& one : cases) own->push_back(std::move(one));
  };
  std::vector<std::string> asked;
  for (const std::string& name : dialects) {
    if (suite.document(name) != nullptr && capabilities.has_dialect(name)) asked.push_back(name);
  }
  if (asked.empty()) return Error{"it implements none of the dialects asked for"};

  std::optional<ExhaustiveResult> exhaustive;
  if (!options.exhaustive.empty()) {
    ExhaustiveRun found =
        ask_exhaustively(suite, asked, capabilities, world_options(options, reach, plan));
    exhaustive = std::move(found.counts);
    add(std::move(found.wrong));
    std::vector<Case> layouts = bounded_layouts(suite, asked, capabilities);
    exhaustive->layouts = layouts.size();
    add(std::move(layouts));
  }
  std::optional<Generation> generation;
  const std::uint64_t seed = seed_of(options, usual_seed(suite));
  if (options.generate > 0) {
    Capabilities drawn = capabilities;
    if (!types.empty()) drawn.element_types = those_of(types, capabilities.element_types);
    if (drawn.element_types.empty())
      return Error{"it declares none of the element types asked for"};
    const auto enough = [bounds = plan.bounds] { return bounds->half_spent(); };
    GeneratedCases made =
        generated_cases(suite, asked, drawn, seed, options.generate, Drawing::covering, enough);
    generation = std::move(made.generation);
    add(std::move(made.cases));
  }
  plan.cases.clear();
  for (const Case& one : *own) plan.cases.push_back(&one);
  Result<Report> result = asked_cases(plan, adapter, reach);
  if (!result) return result;
  result->own_cases = std::move(own);
  result->unasked.clear();  // clauses are covered by the suite, not by these
  const int undrawn = generation ? options.generate - generation->requests : 0;
  if (undrawn > 0 && result->cut_short.empty()) {
    result->cut_short =
        std::to_string(undrawn) + " requests were not drawn within half of the time (--time-limit)";
  }
  result->exhaustive = std::move(exhaustive);
  result->generated = std::move(generation);
  if (options.laws) {
    LawOptions how;
    how.seed = seed;
    how.requests = options.law_requests;
    how.comparing_seconds = options.comparing_seconds;
    std::vector<const Law*> laws;
    for (const Law& law : all_laws()) laws.push_back(&law);
    add_laws(laws, how, plan, asked, reach, adapter, *result);
  }
  return result;
}

}  // namespace reshape::conformance
