#include "conformance/report/report.h"

#include <algorithm>

namespace reshape::conformance {

const char* name(Speed speed) {
  switch (speed) {
    case Speed::slower: return "slower";
    case Speed::faster: return "faster";
    case Speed::not_slower: return "not slower";
    case Speed::not_asserted: return "not asserted";
    case Speed::not_measured: break;
  }
  return "not measured";
}

bool Report::executed() const {
  // Laws of the quick tier accompany its cases and do not count instead of them.
  const bool some_law = options.tier.empty() && std::ranges::any_of(laws, [](const LawResult& law) {
                          return law.tried > 0;
                        });
  return some_law || (exhaustive && exhaustive->requests > 0) || some_executed();
}

bool Report::is_red(const LawResult& law) const {
  if (!law.fails()) return false;
  // A law is undecided if its requests are answered wrongly even alone. With known failures that is
  // to be expected, and the cases test such requests.
  return !law.undecided || std::ranges::none_of(cases, [](const CaseResult& result) {
    return result.known == Known::failure;
  });
}

bool Report::conforming() const {
  const bool laws_hold =
      std::ranges::none_of(laws, [&](const LawResult& law) { return is_red(law); });
  const bool world_is_right =
      !exhaustive || (exhaustive->faults == 0 && exhaustive->stopped.empty());
  return cases_conform() && laws_hold && world_is_right;
}

}  // namespace reshape::conformance
