#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/model/clause.h"

namespace reshape::conformance {

// The ids of a suite, to be looked up by the thousand. Those of a document are made when they are first
// looked for.
class CaseIds {
 public:
  explicit CaseIds(const Suite& suite) : suite_(suite) {}

  // Those that `pattern` (with *, ? and [..]) fits, or the one that it is.
  std::vector<std::string_view> that_fit(const std::string& pattern);

 private:
  const std::vector<std::string_view>& of(const Document& document);

  const Suite& suite_;
  std::map<const Document*, std::vector<std::string_view>> sorted_;
};

bool is_pattern(const std::string& id);

}  // namespace reshape::conformance
