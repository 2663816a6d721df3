#pragma once

#include <vector>

#include "conformance/models/model.h"

namespace reshape::conformance {

// The same request of one or more layers.
struct FoldedReshape {
  Request request;
  std::vector<LayerPlace> layers;  // in the order of the file; never empty
};

// Groups layers with equal requests. Sorted by the number of layers, the most first, and then by
// the first layer's place in the file.
std::vector<FoldedReshape> fold(const std::vector<ModelReshape>& reshapes);

}  // namespace reshape::conformance
