#pragma once

namespace reshape::conformance {

// The commit that this program was built from, followed by " with changes" where the sources were not
// those of the commit; "unknown" where they were no checkout.
const char* program_commit();

}  // namespace reshape::conformance
