#pragma once

#include <deque>
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

  // The ids that match `pattern` (with *, ? and [..]), or equal it. Of a pattern that ends with
  // other types (other_types.h) those of the written cases, with its types.
  std::vector<std::string_view> that_fit(const std::string& pattern);

 private:
  std::vector<std::string_view> written_that_fit(const std::string& pattern);
  const std::vector<std::string_view>& of(const Document& document);

  const Suite& suite_;
  std::map<const Document*, std::vector<std::string_view>> sorted_;
  std::deque<std::string> in_other_types_;
};

bool is_pattern(const std::string& id);

}  // namespace reshape::conformance
