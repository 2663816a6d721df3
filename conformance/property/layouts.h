#pragma once

#include <optional>
#include <string>

#include "conformance/model/request.h"
#include "conformance/property/choices.h"

namespace reshape::conformance {

// Which layouts an implementation takes; what is not taken is not drawn.
struct LayoutAbilities {
  bool strided_input = true;
  bool strided_output = true;
  bool negative_strides = true;
  // Few elements over more than 2^31 or 2^32 bytes: only for who maps memory sparsely.
  bool sparse = false;
};

// Where the elements of one side lie, in elements.
struct Placement {
  Strides strides;
  std::int64_t offset = 0;
};

// Gives `request` a layout of its data and, for an output of shape `output`, one of its output:
// dense, permuted, padded, gapped, sliced, broadcast, reversed, sparse. Returns the name of what was drawn:
// "padded", "to reversed", "mixed to gapped". Leaves the request dense where the abilities, the rank or the size call for it.
std::string draw_layout(Request& request, const Shape& output, const LayoutAbilities& abilities,
                        Choices& choices);

// Gives `request` these layouts, each where the abilities admit it. Returns "copy" where both or the
// only one are, with "to" before what is the output's; "dense" where none is.
std::string lay_out(Request& request, const std::optional<Placement>& data,
                    const std::optional<Placement>& output, const LayoutAbilities& abilities);

}  // namespace reshape::conformance
