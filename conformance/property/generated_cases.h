#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/model/clause.h"
#include "conformance/model/verdict.h"
#include "conformance/property/generation.h"
#include "conformance/property/generator.h"
#include "conformance/run/result.h"
#include "conformance/run/runner.h"

namespace reshape::conformance {

// The generator's limits for an implementation with these capabilities.
Abilities abilities_of(const Capabilities& capabilities);

struct GeneratedCases {
  std::vector<Case> cases;
  Generation generation;
};

// How each request is chosen: as drawn, or of several candidates the one with the most new
// combinations of parameters (covering.h).
enum class Drawing { as_it_comes, covering };

// `count` requests over `dialects` (of the suite), in turn, each with the document's answer and the
// id "generated/<seed>/<n>". Request n depends on the seed, on n, on the dialects and on what the
// implementation can do, not on the count; fewer where `enough`, which is polled, ends it.
GeneratedCases generated_cases(const Suite& suite, const std::vector<std::string>& dialects,
                               const Capabilities& capabilities, std::uint64_t seed, int count,
                               Drawing drawing = Drawing::covering,
                               const std::function<bool()>& enough = {});

// The generated part of an ordinary run: seeded by the suite's version, so that it is reproducible,
// and large enough for every dialect.
std::uint64_t usual_seed(const Suite& suite);  // 2001000 for version 2.1.0
int usual_count(bool quick, std::size_t dialects);

// Shrinks a failing request: the smallest one found of the same class that fails on the same plane
// and by the same watch, also as the first request of a process. Nothing: `failing` itself does not
// fail there. Asks at most `most` requests within five seconds; twice that where earlier requests
// to `adapter` influenced its answers.
std::optional<Smallest> shrunk(const Suite& suite, const Case& failing, const Verdict& verdict,
                               Adapter& adapter, const StartAdapter& start, int most = 400);

// The case as YAML, ready to be put into a file of specs/ under `cases:`.
std::string yaml_case(const Case& one, const std::string& id);

}  // namespace reshape::conformance
