#include "conformance/models/fold.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "conformance/text/line.h"

namespace reshape::conformance {

std::vector<FoldedReshape> fold(const std::vector<ModelReshape>& reshapes) {
  std::vector<FoldedReshape> folded;
  std::map<std::string, std::size_t> seen;
  for (const ModelReshape& reshape : reshapes) {
    const auto [at, first] = seen.emplace(print_line(reshape.request), folded.size());
    if (first) folded.push_back({reshape.request, {}});
    folded[at->second].layers.push_back(reshape.layer);
  }
  std::ranges::stable_sort(folded, std::ranges::greater(),
                           [](const FoldedReshape& one) { return one.layers.size(); });
  return folded;
}

}  // namespace reshape::conformance
