#include "conformance/run/case_ids.h"

#include <algorithm>

#include "conformance/run/selection.h"
#include "conformance/text/glob.h"

namespace reshape::conformance {
namespace {

constexpr const char* kWild = "*?[";

// All matches begin with the part before the first wildcard, and so are adjacent in the sorted
// list.
void add_that_fit(const std::vector<std::string_view>& sorted, const std::string& pattern,
                  std::vector<std::string_view>& fit) {
  const std::string_view begin =
      std::string_view(pattern).substr(0, std::min(pattern.find_first_of(kWild), pattern.size()));
  for (auto at = std::lower_bound(sorted.begin(), sorted.end(), begin);
       at != sorted.end() && at->starts_with(begin); ++at) {
    const bool fits =
        begin.size() == pattern.size() ? *at == pattern : matches(pattern, std::string(*at));
    if (fits) fit.push_back(*at);
    if (begin.size() == pattern.size()) return;  // the first is the shortest
  }
}

}  // namespace

bool is_pattern(const std::string& id) { return id.find_first_of(kWild) != std::string::npos; }

const std::vector<std::string_view>& CaseIds::of(const Document& document) {
  const auto [at, fresh] = sorted_.try_emplace(&document);
  if (fresh) {
    for (const Case& one : document.cases) at->second.push_back(one.id);
    std::ranges::sort(at->second);
  }
  return at->second;
}

std::vector<std::string_view> CaseIds::that_fit(const std::string& pattern) {
  const std::string written(written_part(pattern));
  std::vector<std::string_view> fit = written_that_fit(written);
  if (written.size() == pattern.size()) return fit;
  for (std::string_view& id : fit) {
    id = in_other_types_.emplace_back(std::string(id) + pattern.substr(written.size()));
  }
  return fit;
}

std::vector<std::string_view> CaseIds::written_that_fit(const std::string& pattern) {
  std::vector<std::string_view> fit;
  const std::string dialect = pattern.substr(0, pattern.find('/'));
  if (!is_pattern(dialect)) {
    if (const Document* document = suite_.document(dialect)) {
      add_that_fit(of(*document), pattern, fit);
      return fit;
    }
  }
  for (const Document& document : suite_.documents) add_that_fit(of(document), pattern, fit);
  return fit;
}

}  // namespace reshape::conformance
