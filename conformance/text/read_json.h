#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// Parses JSON whose objects have no key twice (readers would disagree about its value). The error
// names such a key and its place, 'the key "id" is given twice in runs[0].cases[3]', or begins with
// kNoJson and says at which line and column the text is not JSON.
inline constexpr std::string_view kNoJson = "is no JSON";
Result<nlohmann::json> read_json(std::string_view text);
// The same, with the keys in the order of the text.
Result<nlohmann::ordered_json> read_ordered_json(std::string_view text);

}  // namespace reshape::conformance
