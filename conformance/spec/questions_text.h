#pragma once

#include <string>

namespace reshape::conformance {

// The table of dialect_questions(), for people (Markdown, as in specs/README.md) and for programs
// (a test compares the schema of documents with it).
std::string table_of_questions();
std::string json_of_questions();

}  // namespace reshape::conformance
