#include "conformance/self/wrong.h"

#include <algorithm>
#include <vector>

namespace reshape::conformance::self {
namespace {

// A function's static, because entries of other files arrive before this file's own statics.
std::vector<Wrong>& entries() {
  static std::vector<Wrong> all;
  return all;
}

}  // namespace

Entered::Entered(Wrong wrong) {
  std::vector<Wrong>& all = entries();
  const auto behind = std::find_if(all.begin(), all.end(),
                                   [&](const Wrong& other) { return wrong.name() < other.name(); });
  all.insert(behind, wrong);
}

std::span<const Wrong> all_wrong() { return entries(); }

const Wrong* wrong_named(std::string_view name) {
  for (const Wrong& wrong : all_wrong()) {
    if (wrong.name() == name) return &wrong;
  }
  return nullptr;
}

}  // namespace reshape::conformance::self
