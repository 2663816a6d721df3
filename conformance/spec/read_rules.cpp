#include <utility>

#include "conformance/spec/read_document.h"

namespace reshape::conformance {
namespace {

class RulesReader {
 public:
  RulesReader(const YamlNode& rules, Problems& problems)
      : fields_(rules, "rules", problems), problems_(problems) {}

  Dialect read() {
    Dialect dialect;
    choose("pattern_given_as", dialect.pattern_given_as,
           {{"tensor", PatternSource::tensor}, {"attribute", PatternSource::attribute}});
    types("pattern_types", dialect.pattern_types);
    if (dialect.pattern_given_as == PatternSource::tensor) {
      choose("pattern_not_one_dimensional", dialect.pattern_not_one_dimensional, kRefusedOrOpen);
    } else {
      moot("pattern_not_one_dimensional", "the pattern is an attribute");
    }
    types("data_types", dialect.data_types);
    if (fields_.has("data_types_unspecified")) {
      types("data_types_unspecified", dialect.data_types_unspecified);
      if ((dialect.data_types.mask() & dialect.data_types_unspecified.mask()) != 0) {
        problems_.add(fields_.line_of("data_types_unspecified"),
                      "a type cannot be in both data_types and data_types_unspecified");
      }
    }
    choose("scalar_data", dialect.scalar_data, kProducedOrOpen);
    choose("empty_pattern", dialect.empty_pattern, kProducedOrOpen);
    zero_rules(dialect);
    choose("volume_beyond_int64", dialect.volume_beyond_int64, kRefusedOrOpen);
    fields_.finish();
    return dialect;
  }

 private:
  template <typename Value>
  using Choices = std::vector<std::pair<std::string, Value>>;

  void zero_rules(Dialect& dialect) {
    choose("zero", dialect.zero,
           {{"by_flag", ZeroRule::by_flag},
            {"copies", ZeroRule::copies},
            {"literal", ZeroRule::literal}});
    if (dialect.zero == ZeroRule::by_flag) {
      choose("flag_missing", dialect.flag_missing,
             {{"rejects", MissingFlag::rejects},
              {"means_true", MissingFlag::means_true},
              {"means_false", MissingFlag::means_false}});
    } else {
      moot("flag_missing", "there is no flag");
    }
    // What no 0 can bring about may be answered all the same, and need not be.
    const bool some_zero_copies = dialect.zero != ZeroRule::literal;
    if (some_zero_copies || fields_.has("zero_past_rank")) {
      choose("zero_past_rank", dialect.zero_past_rank,
             {{"rejects", ZeroPastRank::rejects},
              {"literal", ZeroPastRank::literal},
              {"one", ZeroPastRank::one}});
    }
    if (some_zero_copies || fields_.has("minus_one_beside_copied_zero")) {
      choose("minus_one_beside_copied_zero", dialect.minus_one_beside_copied_zero, kRefusedOrOpen);
    }
    const bool some_zero_is_plain =
        dialect.zero != ZeroRule::copies || dialect.zero_past_rank == ZeroPastRank::literal;
    if (some_zero_is_plain || fields_.has("literal_zero_with_minus_one")) {
      choose("literal_zero_with_minus_one", dialect.literal_zero_with_minus_one,
             {{"rejects", LiteralZeroWithMinusOne::rejects},
              {"unspecified_if_empty", LiteralZeroWithMinusOne::unspecified_if_empty}});
    }
  }

  template <typename Value>
  void choose(const char* key, Value& value, const Choices<Value>& choices) {
    const YamlNode* node = fields_.node(key);
    if (node == nullptr) return;
    std::vector<std::string> words;
    for (const auto& [word, meaning] : choices) {
      words.push_back(word);
      if (node->scalar != word) continue;
      value = meaning;
      return;
    }
    problems_.add(node->line, std::string(key) + " is " + one_of(words));
  }

  // A question that does not arise must not be answered: the answer would look like a rule.
  void moot(const char* key, const char* why) {
    if (fields_.optional_node(key) == nullptr) return;
    problems_.add(fields_.line_of(key), std::string(key) + " is not asked here: " + why);
  }

  // "[f32, f16]", or one of the words all, numeric, integers.
  void types(const char* key, ElementTypes& types) {
    const YamlNode* node = fields_.node(key);
    if (node == nullptr) return;
    if (node->scalar == "all") {
      types = ElementTypes::all();
    } else if (node->scalar == "numeric") {
      types = ElementTypes::numeric();
    } else if (node->scalar == "integers") {
      types = ElementTypes::integers();
    } else if (node->kind != YamlNode::Kind::list || node->items.empty()) {
      problems_.add(node->line, std::string(key) + " is all, numeric, integers or a list of types");
    }
    for (const YamlNode& item : node->items) {
      const std::optional<ElementType> type = element_type_named(item.scalar);
      if (!type) {
        problems_.add(item.line, "unknown element type \"" + item.scalar + '"');
      } else if (types.contains(*type)) {
        problems_.add(item.line, "the element type " + item.scalar + " is listed twice");
      } else {
        types.insert(*type);
      }
    }
  }

  static inline const Choices<Answer> kRefusedOrOpen = {{"rejects", Answer::rejects},
                                                        {"unspecified", Answer::unspecified}};
  static inline const Choices<Answer> kProducedOrOpen = {{"produces", Answer::produces},
                                                         {"unspecified", Answer::unspecified}};

  Fields fields_;
  Problems& problems_;
};

}  // namespace

Dialect read_rules(const YamlNode& rules, Problems& problems) {
  return RulesReader(rules, problems).read();
}

}  // namespace reshape::conformance
