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

// The options of `run` for asking something else instead of the suite's cases (generated requests,
// laws, all requests within a bound), and for the generated requests beside the suite.
struct MoreOptions {
  int generate = 0;
  std::optional<std::uint64_t> seed;
  bool fresh = false;       // a random seed
  bool suite_only = false;  // no generated requests beside the suite
  bool no_laws = false;     // nor laws beside the cases
  bool laws = false;
  int law_requests = 40;         // for each law
  double comparing_seconds = 0;  // see LawOptions
  std::string exhaustive;        // "", "quick" or "full"

  bool any() const { return generate > 0 || laws || !exhaustive.empty(); }
};

// What a run asks: cases of the suite, and those of `own`, which no suite holds.
struct PlannedCases {
  std::vector<const Case*> cases;
  std::shared_ptr<std::deque<Case>> own = std::make_shared<std::deque<Case>>();
};

// The cases of the suite that a run with these options plans for an implementation, in the order of
// the suite; of all shards. Without --dialect those of the dialects that it declares. `own` has
// those that are asked in other types (other_types.h).
PlannedCases planned_cases(const Suite& suite, const RunOptions& options,
                           const Capabilities& capabilities);

// A random seed, small enough to be typed.
std::uint64_t fresh_seed();

// Asks laws beside the cases of a plan, and adds their results to `result`. They count against the
// plan's bounds, which it must have. `options` holds the number of draws and the seed.
void add_laws(std::span<const Law* const> laws, LawOptions options, const Plan& plan,
              const std::vector<std::string>& dialects, const AdapterOptions& reach,
              Adapter& adapter, Report& result);

// Adds --generate, --seed, --laws and --exhaustive to `run`. `options` must outlive the app.
void add_more_options(CLI::App& command, MoreOptions& options);

// Draws the generated requests that a run of the suite asks beside its cases, over `dialects`, and
// adds them to `planned`. Without a seed in `options` it draws from usual_seed, the same in every run
// of a suite.
Generation add_generated(const MoreOptions& options, bool quick, const Suite& suite,
                         const std::vector<std::string>& dialects, const Capabilities& capabilities,
                         PlannedCases& planned);

// Shrinks failures that are not in the baseline: one of each of the first few causes, generated
// requests before the suite's cases. Stops when a bound of the run is reached.
void shrink_failures(const Bounds& bounds, const AdapterOptions& reach, Adapter& adapter,
                     Report& result);

// Asks the cases of the plan. Each further job starts an adapter of its own.
Result<Report> asked_cases(const Plan& plan, Adapter& adapter, const AdapterOptions& reach);

// Asks what `options` name, over `dialects`. Generated requests have the element types `types`, or
// any if that is empty. The plan gives the suite and the bounds, which it must have; its cases are
// replaced.
Result<Report> run_more(const MoreOptions& options, const std::vector<std::string>& types,
                        const std::vector<std::string>& dialects, const AdapterOptions& reach,
                        Plan plan, Adapter& adapter);

}  // namespace reshape::conformance
