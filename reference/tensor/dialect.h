#pragma once

#include <string>

#include "reference/tensor/element_type.h"

namespace reshape {

// What a document says about a situation that it may leave open.
enum class Answer : std::uint8_t { produces, rejects, unspecified };

// How the pattern reaches the operation: as an input tensor, or as an attribute (a list).
enum class PatternSource : std::uint8_t { tensor, attribute };

// What a -1 in the pattern means.
enum class MinusOne : std::uint8_t {
  inferred,  // the one size that keeps the element count
  rejects,   // a pattern must not hold it
};

// What a 0 in the pattern means.
enum class ZeroRule : std::uint8_t {
  by_flag,  // the flag decides: copy the data's size at the same index, or a plain size
  copies,   // always copy; the dialect has no flag
  literal,  // always a plain size; the dialect has no flag
};

// What a request without the flag means. Only asked where ZeroRule is by_flag.
enum class MissingFlag : std::uint8_t { rejects, copies, literal };

// A copying 0 at an index that the data does not have.
enum class ZeroPastRank : std::uint8_t {
  rejects,  // nothing to copy
  literal,  // falls back to a plain size of 0
  one,      // stands for a size of 1
};

// A literal 0 and a -1 in one pattern, over empty data (non-empty data is refused by the volume).
enum class LiteralZeroWithMinusOne : std::uint8_t {
  rejects,               // the document forbids the pair, whatever the data
  unspecified_if_empty,  // nothing determines the -1: rejecting, and any size, are permitted
};

// The flag that decides what a 0 means, as the document writes it: its name, and the word for
// either meaning. ONNX's allowzero is {"allowzero", "0", "1"}.
struct ZeroFlag {
  std::string name = "special_zero";
  std::string copies = "true";
  std::string literal = "false";
  friend bool operator==(const ZeroFlag&, const ZeroFlag&) = default;
};

// A Reshape as one document defines it: the same questions for every document, answered under the
// key `rules` of its file in specs/dialects/. dialect_questions.h has the questions as a table; the
// rules are code that reads this declaration, so a dialect that recombines known answers needs no
// code.
struct Dialect {
  std::string name;  // "openvino-reshape-1"

  PatternSource pattern_given_as = PatternSource::tensor;
  ElementTypes pattern_types;                            // others: rejects (clause pattern.type)
  Answer pattern_not_one_dimensional = Answer::rejects;  // rejects | unspecified; of tensors only

  ElementTypes data_types;                  // others: rejects (clause data.type), except
  ElementTypes data_types_unspecified;      // these, where the document leaves it open
  Answer scalar_data = Answer::produces;    // produces | unspecified
  Answer empty_pattern = Answer::produces;  // produces | unspecified

  MinusOne minus_one = MinusOne::inferred;
  Answer values_below_minus_one = Answer::rejects;  // rejects | unspecified: may be read as -1

  ZeroRule zero = ZeroRule::by_flag;
  ZeroFlag flag;
  MissingFlag flag_missing = MissingFlag::rejects;
  ZeroPastRank zero_past_rank = ZeroPastRank::rejects;
  LiteralZeroWithMinusOne literal_zero_with_minus_one =
      LiteralZeroWithMinusOne::unspecified_if_empty;
  Answer minus_one_beside_copied_zero = Answer::unspecified;  // rejects | unspecified
  Answer volume_beyond_int64 = Answer::unspecified;           // rejects | unspecified

  // Every type that the document names, those whose use it leaves open included.
  ElementTypes known_data_types() const { return data_types | data_types_unspecified; }
  // Of patterns in requests that are about something else: i64, or the first that there is.
  ElementType usual_pattern_type() const {
    const bool has_i64 = pattern_types.contains(ElementType::i64) || pattern_types.empty();
    return has_i64 ? ElementType::i64 : *pattern_types.begin();
  }

  friend bool operator==(const Dialect&, const Dialect&) = default;
};

}  // namespace reshape
