#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/property/law.h"
#include "conformance/report/report.h"
#include "conformance/run/runner.h"

namespace CLI {
class App;
}

namespace reshape::conformance {

// What `run` can ask instead of the cases of the suite: generated requests, laws, all requests within a
// bound. And whether, beside the suite, it asks generated requests as it usually does.
struct MoreOptions {
  int generate = 0;
  std::optional<std::uint64_t> seed;
  bool fresh = false;       // a seed that nobody knows before
  bool suite_only = false;  // no generated requests beside the suite
  bool laws = false;
  int law_requests = 40;         // for each law
  double comparing_seconds = 0;  // see LawOptions
  std::string exhaustive;        // "", "quick" or "full"

  bool any() const { return generate > 0 || laws || !exhaustive.empty(); }
};

// A seed that nobody knows before, small enough to be typed.
std::uint64_t fresh_seed();

// Asks laws besides the cases of a plan, within its bounds and counted by them, and adds them to the result.
// `options` says how many draws and from which seed.
void add_laws(std::span<const Law* const> laws, LawOptions options, const Plan& plan,
              const std::vector<std::string>& dialects, const AdapterOptions& reach,
              Adapter& adapter, Report& result);

// Adds --generate, --seed, --laws and --exhaustive to `run`. `options` outlives the app.
void add_more_options(CLI::App& command, MoreOptions& options);

// The requests that a run of the suite asks besides its cases.
struct GeneratedPart {
  std::shared_ptr<std::deque<Case>> cases;
  Generation generation;
};

// Draws them over `dialects` and adds them to the plan: by default the same every day (usual_seed).
GeneratedPart add_generated(const MoreOptions& options, bool quick,
                            const std::vector<std::string>& dialects,
                            const Capabilities& capabilities, Plan& plan);

// The result keeps the requests and what they are about.
void keep_generated(GeneratedPart part, Report& result);

// Of the requests that fail otherwise than is known, one of each cause as small as it goes, and of the first few
// causes, those of generated ones before those of the suite's cases; none any more when a bound of the run is reached.
void shrink_failures(const Bounds& bounds, const AdapterOptions& reach, Adapter& adapter,
                     Report& result);

// Asks the cases of the plan; further jobs start an implementation of their own.
Result<Report> asked_cases(const Plan& plan, Adapter& adapter, const AdapterOptions& reach);

// Asks what `options` name over `dialects`; what is generated is of the element types `types`, where any are
// named. The plan says the suite and how to ask; its cases are
// replaced.
Result<Report> run_more(const MoreOptions& options, const std::vector<std::string>& types,
                        const std::vector<std::string>& dialects, const AdapterOptions& reach,
                        Plan plan, Adapter& adapter);

}  // namespace reshape::conformance
