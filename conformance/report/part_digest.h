#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/files/sha256.h"
#include "conformance/report/report.h"

namespace reshape::conformance {

// SHA-256 of a part's report without this digest itself, independent of the order of keys and of
// white space.
inline std::string part_digest(nlohmann::json run) {
  run.at("whole").erase("sha256");
  return sha256(run.dump());
}

// The documents that some run asked about, by dialect, as the JSON report tells them.
nlohmann::json told_documents(Runs runs);

}  // namespace reshape::conformance
