#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/property/law.h"
#include "conformance/run/runner.h"

namespace CLI {
class App;
}

namespace reshape::conformance {

// What `run` can ask instead of the cases of the suite: generated requests, laws, small worlds.
struct MoreOptions {
  int generate = 0;
  std::uint64_t seed = 1;
  bool seed_given = false;
  bool laws = false;
  int law_requests = 40;   // for each law
  std::string exhaustive;  // "", "quick" or "full"

  bool any() const { return generate > 0 || laws || !exhaustive.empty(); }
};

// How the laws of a run are asked: within its bounds, and counted by them.
LawOptions bounded_laws(Bounds& bounds);
// Says in the result that some of its laws were not asked because a bound was reached.
void note_laws_cut(const Bounds& bounds, RunResult& result);

// Adds --generate, --seed, --laws and --exhaustive to `run`. `options` outlives the app.
void add_more_options(CLI::App& command, MoreOptions& options);

// Asks what `options` name over `dialects`. The plan says the suite and how to ask; its cases are
// replaced.
Result<RunResult> run_more(const MoreOptions& options, const std::vector<std::string>& dialects,
                           const AdapterOptions& reach, Plan plan, Adapter& adapter);

}  // namespace reshape::conformance
