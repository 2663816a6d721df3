#pragma once

#include <span>
#include <string_view>

#include "conformance/model/request.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// parse_line() where some dialects are not declared yet, because they are being read: `dialects` are
// known beside those that are, and before them.
Result<Request> parse_line(std::string_view line, std::string_view default_dialect,
                           std::span<const Dialect> dialects);

}  // namespace reshape::conformance
