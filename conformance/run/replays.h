#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "conformance/run/bounds.h"
#include "conformance/run/result.h"
#include "conformance/run/runner.h"

namespace reshape::conformance {

// The words for Replays::How::at_times.
inline constexpr const char* kFailsAtTimes =
    "asked alone, it fails in some fresh processes and passes in others";

// How long to look whether failures occur alone, and after which requests the others do.
struct LookingSeconds {
  double alone = 6;
  double before = 6;
};

// Finds out how each of `failed` can be reproduced. Asks it again alone in a fresh process, several
// times if it passes; where it does not fail in the same way, after made-up requests, and after
// those that its process had been asked before. Stores the shortest sequence found in
// CaseResult::replays, with its requests made as similar to the failing one as possible, or as
// repetitions of the request itself. Where one request before is enough, others are tried in its
// place, to see whether refusals are the cause, or that in which it differs. Stops at `seconds` and
// `bounds`; the remaining results stay as they are.
void look_how_they_replay(const StartAdapter& start, const Bounds& bounds, LookingSeconds seconds,
                          const Suite& suite, std::span<CaseResult* const> failed);

// Requests that, asked before a failing one, might cause the failure; the simplest first: the
// request itself, the same in another document, some that must be refused, and some that differ in
// one part. All are within `capabilities`.
std::vector<Request> made_up_before(const Suite& suite, const Request& request,
                                    const Capabilities& capabilities);

// Whether the failure only needs `request` itself to be asked several times before.
bool after_itself(const Replays& replays, const Request& request);

// What is said of a failure whose answer is that of the request before it.
inline constexpr const char* kItsAnswer = "; it gets the answer of that one";

// For a failure that needs one other request before: how that is similar (see request_parts.h).
// Else empty, and where others that are similar in another way cause the failure as well.
std::string how_alike_before(const Replays& replays, const Request& request);

// Reduces `lines`, keeping their order, while `fails` is true of the rest (delta debugging).
// Precondition: fails(lines). `enough()` ends the search.
std::vector<std::string> fewest(std::vector<std::string> lines,
                                const std::function<bool(const std::vector<std::string>&)>& fails,
                                const std::function<bool()>& enough);

}  // namespace reshape::conformance
