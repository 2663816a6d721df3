#include "reference/tensor/dialect_questions.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

namespace reshape {
namespace {

constexpr ClauseForm kBreakable = ClauseForm::breakable;
constexpr ClauseForm kOpen = ClauseForm::open;
constexpr ClauseForm kKept = ClauseForm::kept;

constexpr DialectAnswer answer(std::string_view word, auto value, std::string_view clause,
                               ClauseForm form) {
  return {word, static_cast<std::uint8_t>(value), clause, form};
}
// The answers to questions that a document may leave open.
constexpr std::array<DialectAnswer, 2> rejects_or_open(std::string_view clause) {
  return {answer("rejects", Answer::rejects, clause, kBreakable),
          answer("unspecified", Answer::unspecified, clause, kOpen)};
}
constexpr std::array<DialectAnswer, 2> produces_or_open(std::string_view clause) {
  return {answer("produces", Answer::produces, clause, kKept),
          answer("unspecified", Answer::unspecified, clause, kOpen)};
}

constexpr std::array kGivenAs = {
    answer("tensor", PatternSource::tensor, "pattern.tensor", kKept),
    answer("attribute", PatternSource::attribute, "pattern.attribute", kKept)};
constexpr std::array kNotOneDimensional = rejects_or_open("pattern.one-dimensional");
constexpr std::array kScalarData = produces_or_open("data.scalar");
constexpr std::array kEmptyPattern = produces_or_open("pattern.empty");
constexpr std::array kMinusOne = {
    answer("inferred", MinusOne::inferred, "minus-one.inferred", kKept),
    answer("rejects", MinusOne::rejects, "minus-one.not-a-value", kBreakable)};
constexpr std::array kBelowMinusOne = rejects_or_open("pattern.values");
constexpr std::array kZero = {answer("by_flag", ZeroRule::by_flag, "", kKept),
                              answer("copies", ZeroRule::copies, "zero.copies", kKept),
                              answer("literal", ZeroRule::literal, "zero.literal", kKept)};
constexpr std::array kFlagMissing = {
    answer("rejects", MissingFlag::rejects, "special-zero.required", kBreakable),
    answer("copies", MissingFlag::copies, "special-zero.default", kKept),
    answer("literal", MissingFlag::literal, "special-zero.default", kKept)};
constexpr std::array kPastRank = {
    answer("rejects", ZeroPastRank::rejects, "zero.past-rank", kBreakable),
    answer("literal", ZeroPastRank::literal, "zero.past-rank-literal", kKept),
    answer("one", ZeroPastRank::one, "zero.past-rank-one", kKept)};
constexpr std::array kLiteralZero = {
    answer("rejects", LiteralZeroWithMinusOne::rejects, "zero.with-minus-one", kBreakable),
    answer("unspecified_if_empty", LiteralZeroWithMinusOne::unspecified_if_empty,
           "zero.with-minus-one", kOpen)};
constexpr std::array kCopiedZero = rejects_or_open("minus-one.beside-copied-zero");
constexpr std::array kBeyondInt64 = rejects_or_open("volume.beyond-int64");

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

// A question that the value of `Member` answers.
template <auto Member>
constexpr DialectQuestion question(std::string_view key, std::string_view asks,
                                   std::span<const DialectAnswer> answers,
                                   std::string_view (*inapplicable)(const Dialect&)) {
  return {key,
          asks,
          answers,
          [](const Dialect& dialect) { return static_cast<std::uint8_t>(dialect.*Member); },
          [](Dialect& dialect, std::uint8_t value) {
            auto& field = dialect.*Member;
            field = static_cast<std::remove_reference_t<decltype(field)>>(value);
          },
          inapplicable};
}

constexpr std::array kQuestions = {
    question<&Dialect::pattern_given_as>("pattern_given_as",
                                         "how the pattern reaches the operation", kGivenAs, asked),
    question<&Dialect::pattern_not_one_dimensional>("pattern_not_one_dimensional",
                                                    "a pattern tensor of another rank than 1",
                                                    kNotOneDimensional, of_tensors),
    question<&Dialect::scalar_data>("scalar_data", "data of rank 0", kScalarData, asked),
    question<&Dialect::empty_pattern>("empty_pattern", "a pattern without values", kEmptyPattern,
                                      asked),
    question<&Dialect::minus_one>("minus_one", "a -1 in the pattern", kMinusOne, asked),
    question<&Dialect::values_below_minus_one>(
        "values_below_minus_one", "a value below -1; where it is left open, it may be read as -1",
        kBelowMinusOne, of_inferring),
    question<&Dialect::zero>("zero", "a 0 in the pattern: the flag decides, or always the same",
                             kZero, asked),
    question<&Dialect::flag_missing>("flag_missing", "a request without the flag", kFlagMissing,
                                     of_flags),
    question<&Dialect::zero_past_rank>("zero_past_rank",
                                       "a copying 0 at an index that the data does not have",
                                       kPastRank, of_copying),
    question<&Dialect::literal_zero_with_minus_one>("literal_zero_with_minus_one",
                                                    "a plain 0 and a -1 in one pattern",
                                                    kLiteralZero, of_plain_zeros),
    question<&Dialect::minus_one_beside_copied_zero>("minus_one_beside_copied_zero",
                                                     "a -1 beside a copied size of 0", kCopiedZero,
                                                     of_copied_zeros),
    question<&Dialect::volume_beyond_int64>("volume_beyond_int64", "equal volumes above 2^63-1",
                                            kBeyondInt64, asked),
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
  const auto found = std::ranges::find(answers, get(dialect), &DialectAnswer::value);
  return found == answers.end() ? answers.front() : *found;
}

std::span<const DialectQuestion> dialect_questions() { return kQuestions; }

const DialectQuestion* dialect_question(std::string_view key) {
  const auto found = std::ranges::find(kQuestions, key, &DialectQuestion::key);
  return found == kQuestions.end() ? nullptr : &*found;
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
      const auto answer = std::ranges::find(question->answers, value, &DialectAnswer::word);
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
    const auto question = std::ranges::find(kTypesQuestions, key, &TypesQuestion::key);
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
