#pragma once

#include <vector>

#include "conformance/models/model.h"

namespace reshape::conformance {

// The same request of one or more layers.
struct FoldedReshape {
  Request request;
  std::vector<LayerPlace> layers;  // in the order of the file; never empty
};

// Each request once. The request of most layers is first; of equally many, that of the first layer.
std::vector<FoldedReshape> fold(const std::vector<ModelReshape>& reshapes);

}  // namespace reshape::conformance
