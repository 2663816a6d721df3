#include "conformance/spec/read_document.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace reshape::conformance {
namespace {

constexpr std::array kLevels = {Level::must, Level::should, Level::may, Level::derived,
                                Level::silent};

Level read_level(const std::string& word, int line, Problems& problems) {
  std::vector<std::string> words;
  for (const Level level : kLevels) {
    if (word == name(level)) return level;
    words.emplace_back(name(level));
  }
  if (!word.empty()) problems.add(line, "level is " + one_of(words) + ", not \"" + word + '"');
  return Level::must;
}

Clause read_clause(const YamlNode& node, Problems& problems) {
  Fields fields(node, "a clause", problems);
  Clause clause;
  clause.line = node.line;
  clause.id = fields.text("id");
  clause.level = read_level(fields.text("level"), fields.line_of("level"), problems);
  clause.section = fields.text("section");
  clause.says = fields.text("says");
  clause.because = fields.optional_text("because");
  clause.breakable = fields.optional_boolean("breakable", true);
  fields.finish();
  const bool needs_reason = clause.level == Level::derived || clause.level == Level::silent;
  if (needs_reason && !fields.has("because")) {
    problems.add(node.line, "the clause " + clause.id + " is " + name(clause.level) +
                                ", so it needs a reason (because)");
  }
  if (clause.level == Level::silent && clause.breakable) {
    problems.add(node.line, "the clause " + clause.id +
                                " is silent, so nothing can break it: say breakable: false");
  }
  return clause;
}

}  // namespace

Document read_document(const YamlNode& root, Problems& problems) {
  Fields fields(root, "a document", problems);
  Document document;
  const std::string dialect = fields.text("dialect");
  document.title = fields.text("title");
  document.versioned_name = fields.text("versioned_name");
  document.publisher = fields.text("publisher");
  document.version = fields.text("version");
  document.address = fields.optional_text("address");
  document.licence = fields.text("licence");
  if (const YamlNode* rules = fields.node("rules")) document.dialect = read_rules(*rules, problems);
  document.dialect.name = dialect;
  if (!document.address.empty() && document.address.rfind("https://", 0) != 0 &&
      document.address.rfind("http://", 0) != 0) {
    problems.add(fields.line_of("address"), "address begins with https:// or http://");
  }
  const YamlNode* clauses = fields.node("clauses");
  if (clauses != nullptr && (clauses->kind != YamlNode::Kind::list || clauses->items.empty())) {
    problems.add(clauses->line, "clauses is a list of at least one clause");
  }
  std::set<std::string> ids;
  for (const YamlNode& node : clauses != nullptr ? clauses->items : std::vector<YamlNode>()) {
    Clause clause = read_clause(node, problems);
    if (!clause.id.empty() && !ids.insert(clause.id).second) {
      problems.add(clause.line, "the clause " + clause.id + " stands twice");
    }
    document.clauses.push_back(std::move(clause));
  }
  fields.finish();
  return document;
}

}  // namespace reshape::conformance
