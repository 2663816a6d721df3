#pragma once

#include <span>
#include <string_view>

#include "conformance/model/request.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// parse_line() while some dialects are still being read and not declared yet: `dialects` are known
// as well, and win over declared ones of the same name.
Result<Request> parse_line(std::string_view line, std::string_view default_dialect,
                           std::span<const Dialect> dialects);

}  // namespace reshape::conformance
