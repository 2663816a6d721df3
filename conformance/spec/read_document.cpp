#include "conformance/spec/read_document.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "conformance/spec/names.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {
namespace {

using Text = SharedClauses::Text;

constexpr std::array kLevels = {Level::must, Level::should, Level::may, Level::derived,
                                Level::silent};

std::optional<Level> read_level(const YamlNode* node, Problems& problems) {
  if (node == nullptr) return std::nullopt;
  std::vector<std::string> words;
  for (const Level level : kLevels) {
    if (node->scalar == name(level)) return level;
    words.emplace_back(name(level));
  }
  problems.add(node->line, "level is " + one_of(words) + ", not \"" + node->scalar + '"');
  return std::nullopt;
}

// Replaces the parts of `text` that `fields` gives.
void read_text(Fields& fields, Text& text, Problems& problems) {
  const std::optional<Level> level = read_level(fields.optional_node("level"), problems);
  if (level) text.level = *level;
  // A reason belongs to the words that it explains, so other words come without it.
  if (fields.has("says")) {
    text.says = fields.text("says");
    text.because.clear();
  }
  if (fields.has("because")) text.because = fields.text("because");
  text.breakable = fields.optional_boolean("breakable", text.breakable);
  if (text.level == Level::silent) text.breakable = false;
}

void check_text(const std::string& id, const Text& text, int line, Problems& problems) {
  if (text.says.empty()) problems.add(line, "the clause " + id + " needs the key \"says\"");
  const bool needs_reason = text.level == Level::derived || text.level == Level::silent;
  if (needs_reason && text.because.empty()) {
    problems.add(
        line, "the clause " + id + " is " + name(text.level) + ", so it needs a reason (because)");
  }
}

// The question that the clause answers, and the document's answer to it; null where it answers
// none.
const DialectAnswer* answer_of(const Dialect& dialect, const std::string& id) {
  for (const DialectQuestion& question : dialect_questions()) {
    if (!question.inapplicable(dialect).empty()) continue;
    const DialectAnswer& answer = question.answer(dialect);
    if (answer.clause == id) return &answer;
  }
  return nullptr;
}

class DocumentReader {
 public:
  DocumentReader(const YamlNode& root, const SharedClauses& shared, Problems& problems)
      : root_(root), fields_(root, "a document", problems), shared_(shared), problems_(problems) {}

  Document read() {
    const std::string dialect = fields_.text("dialect");
    document_.title = fields_.text("title");
    document_.versioned_name = fields_.text("versioned_name");
    document_.publisher = fields_.text("publisher");
    document_.version = fields_.text("version");
    document_.address = fields_.optional_text("address");
    document_.licence = fields_.text("licence");
    document_.sections = fields_.texts("sections");
    const YamlNode* rules = fields_.node("rules");
    if (rules != nullptr) document_.dialect = read_rules(*rules, problems_);
    document_.dialect.name = dialect;
    // Where it is missing, that is a problem already.
    if (!dialect.empty() && !is_name(dialect)) {
      problems_.add(fields_.line_of("dialect"), no_name("a dialect", dialect));
    }
    if (!document_.address.empty() && document_.address.rfind("https://", 0) != 0 &&
        document_.address.rfind("http://", 0) != 0) {
      problems_.add(fields_.line_of("address"), "address begins with https:// or http://");
    }
    const YamlNode* clauses = fields_.node("clauses");
    if (clauses != nullptr && (clauses->kind != YamlNode::Kind::map || clauses->entries.empty())) {
      problems_.add(clauses->line, "clauses maps the ids of clauses to their sections");
    }
    if (clauses != nullptr) {
      for (const YamlNode::Entry& entry : clauses->entries) read_clause(entry);
    }
    fields_.finish();
    if (rules != nullptr && clauses != nullptr) check_rules();
    return std::move(document_);
  }

 private:
  // The clause's text in clauses.yaml: that for the document's answer if there is one, else the
  // common one.
  const Text* shared(const std::string& id) const {
    const DialectAnswer* answer = answer_of(document_.dialect, id);
    auto found = shared_.texts.find({id, answer != nullptr ? std::string(answer->word) : ""});
    if (found == shared_.texts.end()) found = shared_.texts.find({id, ""});
    return found != shared_.texts.end() ? &found->second : nullptr;
  }

  void read_clause(const YamlNode::Entry& entry) {
    const Text* said = shared(entry.key);
    Text text = said != nullptr ? *said : Text{};
    Clause clause;
    clause.id = entry.key;
    clause.line = entry.line;
    if (entry.value.kind == YamlNode::Kind::scalar) {
      clause.section = entry.value.scalar;
    } else {
      Fields fields(entry.value, "a clause", problems_);
      clause.section = fields.text("section");
      if (said == nullptr) {
        fields.node("level");
        fields.node("says");
      }
      read_text(fields, text, problems_);
      fields.finish();
    }
    check_text(clause.id, text, clause.line, problems_);
    const std::vector<std::string>& sections = document_.sections;
    if (!sections.empty() && std::ranges::find(sections, clause.section) == sections.end()) {
      problems_.add(clause.line, "the clause " + clause.id + " stands in the section \"" +
                                     clause.section + "\", which sections does not list");
    }
    clause.level = text.level;
    clause.says = std::move(text.says);
    clause.because = std::move(text.because);
    clause.breakable = text.breakable;
    document_.clauses.push_back(std::move(clause));
  }

  // Each answer needs its clause, in the right form, and no clause may say another answer.
  void check_rules() {
    for (const DialectQuestion& question : dialect_questions()) {
      const bool arises = question.inapplicable(document_.dialect).empty();
      const DialectAnswer& given = question.answer(document_.dialect);
      for (const DialectAnswer& other : question.answers) {
        const Clause* clause = document_.clause(other.clause);
        if (clause == nullptr || other.clause == given.clause || question.key == "zero") continue;
        problems_.add(clause->line, "the clause " + clause->id + " says that " +
                                        std::string(question.key) + " is " +
                                        std::string(other.word) + ", and the rules say " +
                                        (arises ? std::string(given.word) : "nothing of it"));
      }
      if (arises && !given.clause.empty()) check_answer(question, given);
    }
    check_refusal("data.type", document_.dialect.known_data_types() != ElementTypes::all());
    check_needed();
  }

  // A document that leaves a clause out would silently lose the clause's cases.
  void check_needed() {
    const Dialect& dialect = document_.dialect;
    const auto missing = [&](const std::string& id, const std::string& why) {
      if (document_.clause(id) != nullptr) return;
      problems_.add(root_.line, "clauses lacks " + id + ", which " + why + " needs");
    };
    for (const auto& [id, conditions] : shared_.needed) {
      if (conditions.empty()) missing(id, "every document");
      const auto met =
          std::ranges::find_if(conditions, [&](const auto& one) { return meets(dialect, one); });
      if (met != conditions.end()) missing(id, "a document with " + *met);
    }
    if (!dialect.data_types_unspecified.empty()) {
      missing("data.type-open", "a document with data_types_unspecified");
    }
  }

  void check_answer(const DialectQuestion& question, const DialectAnswer& given) {
    const Clause* clause = document_.clause(given.clause);
    const std::string said =
        "the rules say " + std::string(question.key) + ": " + std::string(given.word);
    if (clause == nullptr) {
      problems_.add(root_.line,
                    said + ", and no clause " + std::string(given.clause) + " says so in clauses");
      return;
    }
    const bool open = clause->level == Level::silent;
    const bool agrees = given.form == ClauseForm::open        ? open
                        : given.form == ClauseForm::breakable ? clause->breakable
                                                              : !open && !clause->breakable;
    if (agrees) return;
    const char* form = given.form == ClauseForm::open        ? "is silent"
                       : given.form == ClauseForm::breakable ? "can be broken"
                                                             : "refuses nothing";
    problems_.add(clause->line, said + ", for which the clause " + clause->id + ' ' + form +
                                    "; it is " + name(clause->level) +
                                    (clause->breakable ? " and can be broken" : ""));
  }

  void check_refusal(const std::string& id, bool refuses) {
    const Clause* clause = document_.clause(id);
    if (clause == nullptr || clause->breakable == refuses) return;
    problems_.add(clause->line, "by the rules the clause " + id + " refuses " +
                                    (refuses ? "something" : "nothing") +
                                    ", so it is breakable: " + (refuses ? "true" : "false"));
  }

  const YamlNode& root_;
  Fields fields_;
  const SharedClauses& shared_;
  Problems& problems_;
  Document document_;
};

bool answers_a_question(const std::string& id) {
  for (const DialectQuestion& question : dialect_questions()) {
    for (const DialectAnswer& answer : question.answers) {
      if (answer.clause == id) return true;
    }
  }
  return false;
}

}  // namespace

SharedClauses read_shared_clauses(const YamlNode& root, Problems& problems) {
  SharedClauses shared;
  if (root.kind != YamlNode::Kind::map) {
    problems.add(root.line, "clauses.yaml maps the ids of clauses to what they say");
    return shared;
  }
  const auto read_needed = [&](const std::string& id, Fields& fields) {
    if (!fields.has("needed")) return;
    const YamlNode& node = *fields.optional_node("needed");
    std::vector<std::string> conditions;
    for (const YamlNode& one : node.items) {
      const std::string wrong = wrong_condition(one.scalar);
      if (!wrong.empty()) problems.add(one.line, wrong);
      conditions.push_back(one.scalar);
    }
    if (node.kind != YamlNode::Kind::list && node.scalar != "always") {
      problems.add(node.line, "needed is always, or a list of answers of the rules");
    }
    shared.needed.emplace(id, std::move(conditions));
  };
  const auto take = [&](const std::string& id, const std::string& answer, const YamlNode& node) {
    Fields fields(node, "a clause", problems);
    Text text;
    text.line = node.line;
    read_text(fields, text, problems);
    if (answer.empty()) read_needed(id, fields);
    fields.finish();
    check_text(id, text, node.line, problems);
    shared.texts.emplace(std::pair(id, answer), std::move(text));
  };
  for (const YamlNode::Entry& entry : root.entries) {
    const bool by_answer = std::ranges::any_of(
        entry.value.entries,
        [](const YamlNode::Entry& inner) { return inner.value.kind == YamlNode::Kind::map; });
    if (!by_answer) {
      take(entry.key, "", entry.value);
      continue;
    }
    if (!answers_a_question(entry.key)) {
      problems.add(entry.line, "no question of the rules is answered by the clause " + entry.key);
    }
    for (const YamlNode::Entry& answer : entry.value.entries) {
      take(entry.key, answer.key, answer.value);
    }
  }
  return shared;
}

Document read_document(const YamlNode& root, const SharedClauses& shared, Problems& problems) {
  return DocumentReader(root, shared, problems).read();
}

}  // namespace reshape::conformance
