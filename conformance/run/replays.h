#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "conformance/run/bounds.h"
#include "conformance/run/result.h"
#include "conformance/run/runner.h"

namespace reshape::conformance {

// What is said of Replays::How::at_times.
inline constexpr const char* kFailsAtTimes =
    "asked alone, it fails in some fresh processes and passes in others";

// How long to look: whether failures show alone, and after what those fail that do not.
struct LookingSeconds {
  double alone = 6;
  double before = 6;
};

// Asks each of `failed` again alone in a fresh process, several times where it passes there, and then after requests
// that are made up (see predecessors.h) and after what had been asked before it in its process: the shortest sequence
// that was found is kept (CaseResult::replays), its requests made as much like the failing one as they can be, or the
// request itself as often as it takes. Where one request before is enough, others are tried in its place, which tells
// whether refusals do it. Within `seconds` and `bounds`; the rest stays as it is.
void look_how_they_replay(const StartAdapter& start, const Bounds& bounds, LookingSeconds seconds,
                          const Suite& suite, std::span<CaseResult* const> failed);

// Whether a failure of `request` needs itself before, several times, and nothing else.
bool after_itself(const Replays& replays, const Request& request);

// Of one that needs one other request before: how that is like it (see request_parts.h); else empty.
std::string how_alike_before(const Replays& replays, const Request& request);

// The fewest of `lines`, in their order, after which `fails` still says yes, by taking parts away while it
// does (delta debugging). `fails(lines)` holds when this is called; `enough()` ends the search.
std::vector<std::string> fewest(std::vector<std::string> lines,
                                const std::function<bool(const std::vector<std::string>&)>& fails,
                                const std::function<bool()>& enough);

}  // namespace reshape::conformance
