#pragma once

#include <string>

namespace reshape::conformance {

// The table of dialect_questions(), for people (Markdown, as it stands in specs/README.md) and for
// programs (the schema of a document is held to it).
std::string table_of_questions();
std::string json_of_questions();

}  // namespace reshape::conformance
