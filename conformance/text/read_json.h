#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// What a text of JSON holds, in whose objects each key is given once: of two values a reader would take one, and
// another reader the other. The error says which key is given twice, and where: 'the key "id" is given twice in
// runs[0].cases[3]'. What is no JSON is discarded (see is_discarded), and `why`, where it is not null, receives what
// the JSON library says of it.
Result<nlohmann::json> read_json(std::string_view text, std::string* why = nullptr);
// The same, with the keys in the order of the text.
Result<nlohmann::ordered_json> read_ordered_json(std::string_view text);

}  // namespace reshape::conformance
