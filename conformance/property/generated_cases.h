#pragma once

#include <cstdint>
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

// What is worth asking of an implementation that says this of itself.
Abilities abilities_of(const Capabilities& capabilities);

struct GeneratedCases {
  std::vector<Case> cases;
  Generation generation;
};

// How the requests of a run follow each other: each as it comes, or the one of several candidates that brings most
// parameters together for the first time (covering.h).
enum class Drawing { as_it_comes, covering };

// `count` requests over `dialects` (of the suite), in turn, each with the document's answer and the id
// "generated/<seed>/<n>". Request n depends on the seed, on n, on the dialects and on what the implementation
// can do, not on the count.
GeneratedCases generated_cases(const Suite& suite, const std::vector<std::string>& dialects,
                               const Capabilities& capabilities, std::uint64_t seed, int count,
                               Drawing drawing = Drawing::covering);

// The generated part of a run: the same every day, because it is seeded by the suite's version, and
// large enough that each dialect gets its share.
std::uint64_t usual_seed(const Suite& suite);  // 2001000 for version 2.1.0
int usual_count(bool quick, std::size_t dialects);

// The smallest request found that belongs to the class of `failing` and fails as `verdict` does, on
// the same plane and by the same watch, also as the first request of a process. None: `failing` itself
// does not fail there. At most `most` requests are asked, and none after five seconds; twice as many
// where `adapter` was led astray by what was asked of it before.
std::optional<Smallest> shrunk(const Suite& suite, const Case& failing, const Verdict& verdict,
                               Adapter& adapter, const StartAdapter& start, int most = 400);

// The case as a file of specs/ holds it, ready to be put under its `cases:`.
std::string yaml_case(const Case& one, const std::string& id);

}  // namespace reshape::conformance
