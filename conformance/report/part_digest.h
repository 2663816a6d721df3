#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/files/sha256.h"

namespace reshape::conformance {

// SHA-256 of what a part of a run says, apart from this digest, in whatever order it stands and with whatever blanks
// between its words.
inline std::string part_digest(nlohmann::json run) {
  run.at("whole").erase("sha256");
  return sha256(run.dump());
}

}  // namespace reshape::conformance
