#pragma once

#include <map>
#include <string>
#include <vector>

#include "conformance/files/yaml_tree.h"
#include "conformance/model/clause.h"
#include "conformance/spec/fields.h"

namespace reshape::conformance {

// clauses.yaml: the clauses that several documents share, by id. A clause that answers a question
// of the rules has an entry for each answer ("data.scalar", "unspecified"); the others have the
// answer "".
struct SharedClauses {
  struct Text {
    Level level = Level::must;
    std::string says;
    std::string because;
    bool breakable = true;
    int line = 0;
  };
  std::map<std::pair<std::string, std::string>, Text> texts;
  // Clauses that a document must have, or it would silently lose their cases: those with one of the
  // listed answers to questions ("minus_one=inferred"); an empty list: every document.
  std::map<std::string, std::vector<std::string>> needed;
};
SharedClauses read_shared_clauses(const YamlNode& root, Problems& problems);

// Reads a file of dialects/. Mistakes go to `problems`; what could be read is returned, without
// cases. A clause is its section, or a map with a section and what differs from `shared`. Clauses
// and rules that contradict each other are a mistake.
Document read_document(const YamlNode& root, const SharedClauses& shared, Problems& problems);

// The key `rules`: how the document answers the questions of dialect_questions(). Every question
// that applies must be answered: there are no defaults.
Dialect read_rules(const YamlNode& rules, Problems& problems);

}  // namespace reshape::conformance
