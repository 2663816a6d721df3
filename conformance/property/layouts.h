#pragma once

#include <optional>
#include <string>

#include "conformance/model/request.h"
#include "conformance/property/choices.h"

namespace reshape::conformance {

// The layouts that may be drawn for an implementation.
struct LayoutAbilities {
  bool strided_input = true;
  bool strided_output = true;
  bool negative_strides = true;
  // Few elements over more than 2^31 or 2^32 bytes: only where memory is mapped sparsely.
  bool sparse = false;
};

// Where the elements of one side lie, in elements.
struct Placement {
  Strides strides;
  std::int64_t offset = 0;
};

// Gives `request` a layout of its data and, for an output of shape `output`, one of its output:
// dense, permuted, padded, gapped, sliced, broadcast, reversed, sparse. Returns the name of what
// was drawn: "padded", "to reversed", "mixed to gapped". Leaves the request dense where the
// abilities, the rank or the size require it.
std::string draw_layout(Request& request, const Shape& output, const LayoutAbilities& abilities,
                        Choices& choices);

// The same of the data alone, where no output is right.
std::string draw_data_layout(Request& request, const LayoutAbilities& abilities, Choices& choices);

// Gives `request` these layouts, each where the abilities allow it. Returns "copy" for one of the
// data, "to copy" for one of the output, "copy to copy" for both, and "dense" for neither.
std::string lay_out(Request& request, const std::optional<Placement>& data,
                    const std::optional<Placement>& output, const LayoutAbilities& abilities);

}  // namespace reshape::conformance
