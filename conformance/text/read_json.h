#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// What a text of JSON holds, in whose objects each key is given once: of two values a reader would take one, and
// another reader the other. The error says which key is given twice, and where: 'the key "id" is given twice in
// runs[0].cases[3]'; or it begins with kNoJson and says at which line and column the text is none.
inline constexpr std::string_view kNoJson = "is no JSON";
Result<nlohmann::json> read_json(std::string_view text);
// The same, with the keys in the order of the text.
Result<nlohmann::ordered_json> read_ordered_json(std::string_view text);

}  // namespace reshape::conformance
