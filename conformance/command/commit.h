#pragma once

namespace reshape::conformance {

// The commit that this program was built from, with " with changes" appended where the working tree
// was not clean; "unknown" where the sources were no git checkout.
const char* program_commit();

}  // namespace reshape::conformance
