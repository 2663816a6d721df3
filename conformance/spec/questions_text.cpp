#include "conformance/spec/questions_text.h"

#include <nlohmann/json.hpp>

#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {

std::string table_of_questions() {
  std::string table = "| question | asks | answers |\n|---|---|---|\n";
  for (const TypesQuestion& question : types_questions()) {
    table += "| `" + std::string(question.key) + "` | " + std::string(question.asks) +
             (question.integers
                  ? " | a list of integer types, or `integers` |\n"
                  : " | a list of types, or `all`, `numeric` (all but boolean), `integers` |\n");
  }
  for (const DialectQuestion& question : dialect_questions()) {
    table += "| `" + std::string(question.key) + "` | " + std::string(question.asks) + " | ";
    const char* before = "";
    for (const DialectAnswer& answer : question.answers) {
      table += before + ("`" + std::string(answer.word) + "`");
      if (!answer.clause.empty()) table += " (" + std::string(answer.clause) + ")";
      before = ", ";
    }
    table += " |\n";
  }
  return table;
}

std::string json_of_questions() {
  nlohmann::ordered_json json;
  for (const TypesQuestion& question : types_questions()) {
    json["types"].push_back({{"key", question.key}, {"optional", question.optional}});
  }
  for (const DialectQuestion& question : dialect_questions()) {
    nlohmann::ordered_json words = nlohmann::ordered_json::array();
    for (const DialectAnswer& answer : question.answers) words.push_back(answer.word);
    json["questions"].push_back({{"key", question.key}, {"answers", std::move(words)}});
  }
  for (const ElementType type : kAllElementTypes) json["element_types"].push_back(name(type));
  return json.dump(2) + '\n';
}

}  // namespace reshape::conformance
