#pragma once

#include <vector>

#include "conformance/property/generator.h"

namespace reshape::conformance {

// Requests that differ from `request` in one thing and are of the same class: simpler ones, another
// type, flag, layout or stride, one axis or pattern value more, a size that is larger or smaller,
// two sizes or values in the other order, a size that is inferred, copied or written out. They have
// at most 2^16 elements or twice as many as the request, or are asked for their shape alone. Each
// once; a layout that comes with other sizes is as it was before or drawn. In groups by what is
// changed, of which types have few members and sizes many, so that who draws can draw a group
// first.
std::vector<std::vector<Request>> neighbours(const Dialect& dialect, const Abilities& abilities,
                                             const Request& request, Choices& choices);

}  // namespace reshape::conformance
