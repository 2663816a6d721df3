#include "reference/tensor/dialect_questions.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace reshape {
namespace {

template <auto Member>
std::uint8_t get(const Dialect& dialect) {
  return static_cast<std::uint8_t>(dialect.*Member);
}
template <auto Member>
void set(Dialect& dialect, std::uint8_t value) {
  auto& field = dialect.*Member;
  field = static_cast<std::remove_reference_t<decltype(field)>>(value);
}

template <typename Enum>
constexpr std::uint8_t number(Enum value) {
  return static_cast<std::uint8_t>(value);
}

constexpr ClauseForm kBreakable = ClauseForm::breakable;
constexpr ClauseForm kOpen = ClauseForm::open;
constexpr ClauseForm kKept = ClauseForm::kept;

constexpr std::array kGivenAs = {
    DialectAnswer{"tensor", number(PatternSource::tensor), "pattern.tensor", kKept},
    DialectAnswer{"attribute", number(PatternSource::attribute), "pattern.attribute", kKept}};
constexpr std::array kNotOneDimensional = {
    DialectAnswer{"rejects", number(Answer::rejects), "pattern.one-dimensional", kBreakable},
    DialectAnswer{"unspecified", number(Answer::unspecified), "pattern.one-dimensional", kOpen}};
constexpr std::array kScalarData = {
    DialectAnswer{"produces", number(Answer::produces), "data.scalar", kKept},
    DialectAnswer{"unspecified", number(Answer::unspecified), "data.scalar", kOpen}};
constexpr std::array kEmptyPattern = {
    DialectAnswer{"produces", number(Answer::produces), "pattern.empty", kKept},
    DialectAnswer{"unspecified", number(Answer::unspecified), "pattern.empty", kOpen}};
constexpr std::array kMinusOne = {
    DialectAnswer{"inferred", number(MinusOne::inferred), "minus-one.inferred", kKept},
    DialectAnswer{"rejects", number(MinusOne::rejects), "minus-one.not-a-value", kBreakable}};
constexpr std::array kBelowMinusOne = {
    DialectAnswer{"rejects", number(Answer::rejects), "pattern.values", kBreakable},
    DialectAnswer{"unspecified", number(Answer::unspecified), "pattern.values", kOpen}};
constexpr std::array kZero = {
    DialectAnswer{"by_flag", number(ZeroRule::by_flag), "", kKept},
    DialectAnswer{"copies", number(ZeroRule::copies), "zero.copies", kKept},
    DialectAnswer{"literal", number(ZeroRule::literal), "zero.literal", kKept}};
constexpr std::array kFlagMissing = {
    DialectAnswer{"rejects", number(MissingFlag::rejects), "special-zero.required", kBreakable},
    DialectAnswer{"copies", number(MissingFlag::copies), "special-zero.default", kKept},
    DialectAnswer{"literal", number(MissingFlag::literal), "special-zero.default", kKept}};
constexpr std::array kPastRank = {
    DialectAnswer{"rejects", number(ZeroPastRank::rejects), "zero.past-rank", kBreakable},
    DialectAnswer{"literal", number(ZeroPastRank::literal), "zero.past-rank-literal", kKept},
    DialectAnswer{"one", number(ZeroPastRank::one), "zero.past-rank-one", kKept}};
constexpr std::array kLiteralZero = {
    DialectAnswer{"rejects", number(LiteralZeroWithMinusOne::rejects), "zero.with-minus-one",
                  kBreakable},
    DialectAnswer{"unspecified_if_empty", number(LiteralZeroWithMinusOne::unspecified_if_empty),
                  "zero.with-minus-one", kOpen}};
constexpr std::array kCopiedZero = {
    DialectAnswer{"rejects", number(Answer::rejects), "minus-one.beside-copied-zero", kBreakable},
    DialectAnswer{"unspecified", number(Answer::unspecified), "minus-one.beside-copied-zero",
                  kOpen}};
constexpr std::array kBeyondInt64 = {
    DialectAnswer{"rejects", number(Answer::rejects), "volume.beyond-int64", kBreakable},
    DialectAnswer{"unspecified", number(Answer::unspecified), "volume.beyond-int64", kOpen}};

std::string_view asked(const Dialect&) { return {}; }
std::string_view of_tensors(const Dialect& dialect) {
  return dialect.pattern_given_as == PatternSource::tensor ? "" : "the pattern is an attribute";
}
std::string_view of_inferring(const Dialect& dialect) {
  return dialect.minus_one == MinusOne::inferred ? "" : "a pattern has no -1";
}
std::string_view of_flags(const Dialect& dialect) {
  return dialect.zero == ZeroRule::by_flag ? "" : "there is no flag";
}
std::string_view of_copying(const Dialect& dialect) {
  return dialect.zero != ZeroRule::literal ? "" : "no 0 copies";
}
std::string_view of_plain_zeros(const Dialect& dialect) {
  if (dialect.minus_one != MinusOne::inferred) return of_inferring(dialect);
  const bool some_are_plain =
      dialect.zero != ZeroRule::copies || dialect.zero_past_rank == ZeroPastRank::literal;
  return some_are_plain ? "" : "every 0 copies";
}
std::string_view of_copied_zeros(const Dialect& dialect) {
  if (dialect.minus_one != MinusOne::inferred) return of_inferring(dialect);
  return of_copying(dialect);
}

constexpr std::array kQuestions = {
    DialectQuestion{"pattern_given_as", "how the pattern reaches the operation", kGivenAs,
                    get<&Dialect::pattern_given_as>, set<&Dialect::pattern_given_as>, asked},
    DialectQuestion{"pattern_not_one_dimensional", "a pattern tensor of another rank than 1",
                    kNotOneDimensional, get<&Dialect::pattern_not_one_dimensional>,
                    set<&Dialect::pattern_not_one_dimensional>, of_tensors},
    DialectQuestion{"scalar_data", "data of rank 0", kScalarData, get<&Dialect::scalar_data>,
                    set<&Dialect::scalar_data>, asked},
    DialectQuestion{"empty_pattern", "a pattern without values", kEmptyPattern,
                    get<&Dialect::empty_pattern>, set<&Dialect::empty_pattern>, asked},
    DialectQuestion{"minus_one", "a -1 in the pattern", kMinusOne, get<&Dialect::minus_one>,
                    set<&Dialect::minus_one>, asked},
    DialectQuestion{"values_below_minus_one",
                    "a value below -1; where it is left open, it may be read as -1", kBelowMinusOne,
                    get<&Dialect::values_below_minus_one>, set<&Dialect::values_below_minus_one>,
                    of_inferring},
    DialectQuestion{"zero", "a 0 in the pattern: the flag decides, or always the same", kZero,
                    get<&Dialect::zero>, set<&Dialect::zero>, asked},
    DialectQuestion{"flag_missing", "a request without the flag", kFlagMissing,
                    get<&Dialect::flag_missing>, set<&Dialect::flag_missing>, of_flags},
    DialectQuestion{"zero_past_rank", "a copying 0 at an index that the data does not have",
                    kPastRank, get<&Dialect::zero_past_rank>, set<&Dialect::zero_past_rank>,
                    of_copying},
    DialectQuestion{"literal_zero_with_minus_one", "a plain 0 and a -1 in one pattern",
                    kLiteralZero, get<&Dialect::literal_zero_with_minus_one>,
                    set<&Dialect::literal_zero_with_minus_one>, of_plain_zeros},
    DialectQuestion{"minus_one_beside_copied_zero", "a -1 beside a copied size of 0", kCopiedZero,
                    get<&Dialect::minus_one_beside_copied_zero>,
                    set<&Dialect::minus_one_beside_copied_zero>, of_copied_zeros},
    DialectQuestion{"volume_beyond_int64", "equal volumes above 2^63-1", kBeyondInt64,
                    get<&Dialect::volume_beyond_int64>, set<&Dialect::volume_beyond_int64>, asked},
};

constexpr std::array kTypesQuestions = {
    TypesQuestion{"pattern_types", "the element types of a pattern", &Dialect::pattern_types, false,
                  true},
    TypesQuestion{"data_types", "the element types of the data", &Dialect::data_types, false,
                  false},
    TypesQuestion{"data_types_unspecified", "types of the data that the document may not mean",
                  &Dialect::data_types_unspecified, true, false},
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Error misdeclared(std::string_view line, const std::string& why) {
  return {"the declaration of a dialect " + why + ": \"" + std::string(line.substr(0, 200)) + '"',
          "declaration"};
}

}  // namespace

const DialectAnswer& DialectQuestion::answer(const Dialect& dialect) const {
  const std::uint8_t value = get(dialect);
  for (const DialectAnswer& one : answers) {
    if (one.value == value) return one;
  }
  return answers.front();
}

std::span<const DialectQuestion> dialect_questions() { return kQuestions; }

const DialectQuestion* dialect_question(std::string_view key) {
  for (const DialectQuestion& question : kQuestions) {
    if (question.key == key) return &question;
  }
  return nullptr;
}

std::span<const TypesQuestion> types_questions() { return kTypesQuestions; }

bool meets(const Dialect& dialect, std::string_view condition) {
  const std::size_t equals = condition.find('=');
  if (equals == std::string_view::npos) return false;
  const DialectQuestion* question = dialect_question(condition.substr(0, equals));
  return question != nullptr && question->inapplicable(dialect).empty() &&
         question->answer(dialect).word == condition.substr(equals + 1);
}

std::string wrong_condition(std::string_view condition) {
  const std::size_t equals = std::min(condition.find('='), condition.size());
  const DialectQuestion* question = dialect_question(condition.substr(0, equals));
  if (question == nullptr) {
    return "the rules have no question " + std::string(condition.substr(0, equals));
  }
  std::string words;
  for (const DialectAnswer& one : question->answers) {
    if (equals < condition.size() && one.word == condition.substr(equals + 1)) return {};
    words += (words.empty() ? "" : ", ") + std::string(one.word);
  }
  return "the answers to " + std::string(question->key) + " are " + words;
}

std::string declaration(const Dialect& dialect) {
  std::string line = dialect.name;
  for (const DialectQuestion& question : kQuestions) {
    line += ' ' + std::string(question.key) + '=' + std::string(question.answer(dialect).word);
  }
  for (const TypesQuestion& question : kTypesQuestions) {
    std::string types = (dialect.*question.types).text();
    std::replace(types.begin(), types.end(), ' ', ',');
    line += ' ' + std::string(question.key) + '=' + types;
  }
  return line + " flag=" + dialect.flag.name + ',' + dialect.flag.copies + ',' +
         dialect.flag.literal;
}

Result<Dialect> parse_declaration(std::string_view line) {
  const std::vector<std::string_view> words = split(line, ' ');
  Dialect dialect;
  dialect.name = words.front();
  if (dialect.name.empty()) return misdeclared(line, "has no name");
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string_view::npos) return misdeclared(line, "has a word without =");
    const std::string_view key = words[i].substr(0, equals);
    const std::string_view value = words[i].substr(equals + 1);
    if (const DialectQuestion* question = dialect_question(key)) {
      const auto answer = std::find_if(question->answers.begin(), question->answers.end(),
                                       [&](const auto& one) { return one.word == value; });
      if (answer == question->answers.end()) return misdeclared(line, "has an unknown answer");
      question->set(dialect, answer->value);
      continue;
    }
    if (key == "flag") {
      const std::vector<std::string_view> parts = split(value, ',');
      if (parts.size() != 3) return misdeclared(line, "has a flag that is not name,copies,literal");
      dialect.flag = {std::string(parts[0]), std::string(parts[1]), std::string(parts[2])};
      continue;
    }
    const auto question = std::find_if(kTypesQuestions.begin(), kTypesQuestions.end(),
                                       [&](const auto& one) { return one.key == key; });
    if (question == kTypesQuestions.end()) return misdeclared(line, "has an unknown question");
    for (const std::string_view name : split(value, ',')) {
      if (name.empty()) continue;
      const std::optional<ElementType> type = element_type_named(name);
      if (!type) return misdeclared(line, "has an unknown element type");
      (dialect.*question->types).insert(*type);
    }
  }
  return dialect;
}

}  // namespace reshape
