#pragma once

#include <map>
#include <string>
#include <vector>

#include "conformance/model/clause.h"
#include "conformance/spec/fields.h"
#include "conformance/spec/yaml_tree.h"

namespace reshape::conformance {

// clauses.yaml: what several documents say alike, by the id of the clause. A clause that answers a
// question of the rules stands there once for each answer ("data.scalar", "unspecified"); the others
// stand there under the answer "".
struct SharedClauses {
  struct Text {
    Level level = Level::must;
    std::string says;
    std::string because;
    bool breakable = true;
    int line = 0;
  };
  std::map<std::pair<std::string, std::string>, Text> texts;
  // Clauses without which a document would lose their cases in silence: the answers to questions
  // ("minus_one=inferred") of which one has to be the document's; none where every document needs it.
  std::map<std::string, std::vector<std::string>> needed;
};
SharedClauses read_shared_clauses(const YamlNode& root, Problems& problems);

// A file of dialects/, without its cases. What is wrong goes to `problems`; what could be read is
// given. A clause is its section, or a map with a section and what is said otherwise than in `shared`.
// A document whose clauses and whose rules say different things is wrong.
Document read_document(const YamlNode& root, const SharedClauses& shared, Problems& problems);

// The key `rules`: how the document answers the questions of dialect_questions(). Every question that
// arises is answered, so that no rule holds by silence.
Dialect read_rules(const YamlNode& rules, Problems& problems);

}  // namespace reshape::conformance
