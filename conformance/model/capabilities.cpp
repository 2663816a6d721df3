#include "conformance/model/capabilities.h"

#include <algorithm>

namespace reshape::conformance {

bool Capabilities::has_dialect(const std::string& dialect) const {
  return std::find(dialects.begin(), dialects.end(), dialect) != dialects.end();
}

}  // namespace reshape::conformance
