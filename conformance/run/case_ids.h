#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/clause.h"

namespace reshape::conformance {

// The ids of a suite for fast lookup. Those of a document are built at the first lookup.
class CaseIds {
 public:
  explicit CaseIds(const Suite& suite) : suite_(suite) {}

  // The ids that match `pattern` (with *, ? and [..]), or equal it.
  std::vector<std::string_view> that_fit(const std::string& pattern);

 private:
  const std::vector<std::string_view>& of(const Document& document);

  const Suite& suite_;
  std::map<const Document*, std::vector<std::string_view>> sorted_;
};

bool is_pattern(const std::string& id);

}  // namespace reshape::conformance
