#include <algorithm>
#include <utility>

#include "conformance/model/request.h"
#include "conformance/spec/read_document.h"
#include "reference/tensor/dialect_questions.h"

namespace reshape::conformance {
namespace {

class RulesReader {
 public:
  RulesReader(const YamlNode& rules, Problems& problems)
      : fields_(rules, "rules", problems), problems_(problems) {}

  Dialect read() {
    for (const TypesQuestion& question : types_questions()) read_types(question);
    if (!(dialect_.data_types & dialect_.data_types_unspecified).empty()) {
      problems_.add(fields_.line_of("data_types_unspecified"),
                    "a type cannot be in both data_types and data_types_unspecified");
    }
    for (const DialectQuestion& question : dialect_questions()) {
      read_answer(question);
      if (question.key == "zero") read_flag();
    }
    fields_.finish();
    return std::move(dialect_);
  }

 private:
  void read_answer(const DialectQuestion& question) {
    const std::string key(question.key);
    if (const std::string_view why = question.inapplicable(dialect_); !why.empty())
      return inapplicable(key, why);
    const YamlNode* node = fields_.node(key);
    if (node == nullptr) return;
    std::vector<std::string> words;
    for (const DialectAnswer& answer : question.answers) {
      if (node->scalar == answer.word) return question.set(dialect_, answer.value);
      words.emplace_back(answer.word);
    }
    problems_.add(node->line, key + " is " + one_of(words));
  }

  // {name: allowzero, copies: 0, literal: 1}
  void read_flag() {
    if (dialect_.zero != ZeroRule::by_flag) return inapplicable("flag", "there is no flag");
    const YamlNode* node = fields_.node("flag");
    if (node == nullptr) return;
    Fields fields(*node, "a flag", problems_);
    ZeroFlag& flag = dialect_.flag;
    flag.name = fields.text("name");
    flag.copies = fields.text("copies");
    flag.literal = fields.text("literal");
    fields.finish();
    if (flag.copies == flag.literal) {
      problems_.add(node->line, "copies and literal are two words of the flag");
    }
    if (std::ranges::find(kRequestWords, flag.name) != kRequestWords.end()) {
      problems_.add(node->line,
                    "every request has a word " + flag.name + ", so no flag is called so");
    }
    for (const std::string& word : {flag.name, flag.copies, flag.literal}) {
      if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos) {
        continue;
      }
      problems_.add(node->line, "a flag is written with a-z, 0-9, _ and -, not \"" + word + '"');
    }
  }

  // A question that does not arise must not be answered: the answer would look like a rule.
  void inapplicable(const std::string& key, std::string_view why) {
    if (fields_.optional_node(key) == nullptr) return;
    problems_.add(fields_.line_of(key), key + " is not asked here: " + std::string(why));
  }

  // "[f32, f16]", or one of the words all, numeric, integers.
  void read_types(const TypesQuestion& question) {
    const std::string key(question.key);
    const YamlNode* node = question.optional ? fields_.optional_node(key) : fields_.node(key);
    if (node == nullptr) return;
    ElementTypes& types = dialect_.*question.types;
    if (node->scalar == "all") {
      types = ElementTypes::all();
    } else if (node->scalar == "numeric") {
      types = ElementTypes::numeric();
    } else if (node->scalar == "integers") {
      types = ElementTypes::integers();
    } else if (node->kind != YamlNode::Kind::list || node->items.empty()) {
      problems_.add(node->line, key + " is a list of element types, or all, numeric or integers");
    } else {
      for (const YamlNode& item : node->items) {
        const std::optional<ElementType> type = element_type_named(item.scalar);
        if (type && types.contains(*type)) {
          problems_.add(item.line, "the element type " + item.scalar + " is listed twice");
        }
        if (type) types.insert(*type);
        if (!type) problems_.add(item.line, "unknown element type \"" + item.scalar + '"');
      }
    }
    const ElementTypes others = types - ElementTypes::integers();
    if (question.integers && !others.empty()) {
      problems_.add(node->line, key + " are integer types, not " + others.text());
    }
  }

  Fields fields_;
  Problems& problems_;
  Dialect dialect_;
};

}  // namespace

Dialect read_rules(const YamlNode& rules, Problems& problems) {
  return RulesReader(rules, problems).read();
}

}  // namespace reshape::conformance
