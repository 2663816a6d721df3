#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "reference/tensor/dialect.h"
#include "reference/tensor/result.h"

namespace reshape {

// What a document has to say for an answer to be its own: the level of the answer's clause.
enum class ClauseForm : std::uint8_t {
  breakable,  // the clause refuses requests
  open,       // the clause is silent
  kept,       // the clause says what is right and refuses nothing
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

// In an order in which each question only depends on those before it.
std::span<const DialectQuestion> dialect_questions();

// Null where no question has this key.
const DialectQuestion* dialect_question(std::string_view key);

// A question that is answered with a list of element types.
struct TypesQuestion {
  std::string_view key;
  std::string_view asks;
  ElementTypes Dialect::* types;
  bool optional;
};
std::span<const TypesQuestion> types_questions();

// "zero_past_rank=rejects", for example, is met by a dialect that gives this answer and of which the
// question is asked. False for anything that is no such condition.
bool meets(const Dialect& dialect, std::string_view condition);

// Empty where `condition` is "<question>=<one of its answers>", else what is wrong with it.
std::string wrong_condition(std::string_view condition);

// All of a dialect in one line, "onnx-reshape-14 pattern_given_as=tensor ... flag=allowzero,0,1", the
// form in which declarations reach other programs. declaration() and parse_declaration() are
// inverses.
std::string declaration(const Dialect& dialect);
Result<Dialect> parse_declaration(std::string_view line);

}  // namespace reshape
