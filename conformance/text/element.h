#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/tensor/element_type.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// One written-out element: a decimal integer for integer types and booleans ("-3", "1"), a bit
// pattern of full width for floats ("0x7fc0"). Bits above the type's width are not printed.
std::string print_element(ElementType type, std::uint64_t element_bits);

// The inverse. Bit patterns ("0x..") and decimal integers are read for every type; for a float an
// integer is its bit pattern. The error has no `where`.
Result<std::uint64_t> parse_element(ElementType type, std::string_view text);

}  // namespace reshape::conformance
