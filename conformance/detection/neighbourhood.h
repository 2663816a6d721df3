#pragma once

#include <chrono>
#include <span>

#include "conformance/adapter/adapter.h"
#include "conformance/detection/diagnosis.h"
#include "conformance/run/result.h"

namespace reshape::conformance {

// What becomes of requests around `failing`, which `finding` is about. Asks what differs in little
// from it, and from what of that fails as well, and so on: where a failure ends says what it
// depends on, which a single one does not. Requests that fail in another way count neither as
// failing nor as passing. Nothing is asked where the request does not fail alike now.
//   `failures` and `passes` are other cases of the run: those that fail alike, and those that the
// mistake could have met and did not. `besides` are requests that are none of its cases and fail
// alike; they are not asked again. What is found holds of nearly all of them, too, and of all where
// it is a bound.
// And more are asked to refute it: those that do not have it, beside those that fail, and those that
// do.
//   At most some hundred requests, none after `end`, and none after some have killed their process.
Diagnosis::Around around(const Suite& suite, const Diagnosis::Finding& finding,
                         const CaseResult& failing, std::span<const CaseResult* const> failures,
                         std::span<const CaseResult* const> passes,
                         std::span<const Request> besides, Adapter& adapter,
                         std::chrono::steady_clock::time_point end);

// Whether requests beside `failing` refute what the finding's `where` says: more than a few fail that
// do not have it.
bool refuted_beside(const Suite& suite, const Diagnosis::Finding& finding,
                    const CaseResult& failing, Adapter& adapter,
                    std::chrono::steady_clock::time_point end);

// Whether both are of one plane, watch and duty.
bool is_alike(const Fault& one, const Fault& other);
// Whether the first fault of a verdict is like that of another, or both are of wrong elements.
bool fails_alike(const Verdict& verdict, const Fault& fault);
// And what the document says is the same, too.
bool fails_as(const Verdict& verdict, const Fault& fault);
// The same of what `finding` is about: what must be refused has to be refused by the same clause,
// unless the finding is of several, since another check that is missing is another mistake.
bool fails_alike(const Verdict& verdict, const Fault& fault, const Diagnosis::Finding& finding);

}  // namespace reshape::conformance
