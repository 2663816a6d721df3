#include "conformance/model/clause.h"

namespace reshape::conformance {

const char* name(Level level) {
  switch (level) {
    case Level::must: return "must";
    case Level::should: return "should";
    case Level::may: return "may";
    case Level::derived: return "derived";
    case Level::silent: return "silent";
  }
  return "?";
}

const Document* Suite::document(const std::string& dialect) const {
  for (const Document& document : documents) {
    if (document.dialect.name == dialect) return &document;
  }
  return nullptr;
}

}  // namespace reshape::conformance
