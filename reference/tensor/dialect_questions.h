#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "reference/tensor/dialect.h"
#include "reference/tensor/result.h"

namespace reshape {

// What the clause behind an answer does with a request. The reader of documents checks it against
// the clause's level in specs/clauses.yaml.
enum class ClauseForm : std::uint8_t {
  breakable,  // a request can break it and is then refused
  open,       // it leaves the answer unspecified
  kept,       // it defines the result and refuses nothing
};

// One word with which a document may answer a question, and the clause that says so (empty: none).
struct DialectAnswer {
  std::string_view word;  // "rejects"
  std::uint8_t value;     // of the enumeration behind it
  std::string_view clause;
  ClauseForm form;
};

// A question that every document answers under `rules`, and the only place that knows its words:
// reader, schema, generator, fuzzers and documentation read this table.
struct DialectQuestion {
  std::string_view key;   // "zero_past_rank"
  std::string_view asks;  // "a copying 0 at an index that the data does not have"
  std::span<const DialectAnswer> answers;
  std::uint8_t (*get)(const Dialect&);
  void (*set)(Dialect&, std::uint8_t);
  // Why the question does not arise in a dialect with these other answers; empty where it does. A
  // question that does not arise must not be answered: the answer would look like a rule.
  std::string_view (*inapplicable)(const Dialect&);

  // The answer that the dialect gives.
  const DialectAnswer& answer(const Dialect& dialect) const;
};

// All questions, ordered so that each depends only on those before it.
std::span<const DialectQuestion> dialect_questions();

// Null where no question has this key.
const DialectQuestion* dialect_question(std::string_view key);

// A question that is answered with a list of element types.
struct TypesQuestion {
  std::string_view key;
  std::string_view asks;
  ElementTypes Dialect::* types;
  bool optional;
  bool integers;  // no other types are an answer
};
std::span<const TypesQuestion> types_questions();

// Whether the dialect meets a condition like "zero_past_rank=rejects": the question applies to it
// and it gives this answer. False for a malformed condition.
bool meets(const Dialect& dialect, std::string_view condition);

// Empty where `condition` is "<question>=<one of its answers>", else what is wrong with it.
std::string wrong_condition(std::string_view condition);

// All of a dialect in one line, "onnx-reshape-14 pattern_given_as=tensor ... flag=allowzero,0,1",
// the form in which declarations reach other programs. declaration() and parse_declaration() are
// inverses.
std::string declaration(const Dialect& dialect);
Result<Dialect> parse_declaration(std::string_view line);

}  // namespace reshape
