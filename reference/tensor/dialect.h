#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reference/tensor/element_type.h"

namespace reshape {

// What a document says about a situation that it may leave open.
enum class Answer : std::uint8_t { produces, rejects, unspecified };

enum class PatternSource : std::uint8_t { tensor, attribute };

// What a 0 in the pattern means.
enum class ZeroRule : std::uint8_t {
  by_flag,  // special_zero true: copy the data's size at the same index; false: a plain size
  copies,   // always copy; the dialect has no flag
  literal,  // always a plain size; the dialect has no flag
};

// What a request without the flag means. Only asked where ZeroRule is by_flag.
enum class MissingFlag : std::uint8_t { rejects, means_true, means_false };

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

// A Reshape as one document defines it: the same questions for every document, answered by its
// document.yaml (key `rules`, same names). The rules are code that reads this declaration; a further
// dialect that recombines known answers needs no code.
struct Dialect {
  std::string name;  // "openvino-reshape-1"

  PatternSource pattern_given_as = PatternSource::tensor;
  ElementTypes pattern_types;  // others: rejects (clause pattern.type)
  Answer pattern_not_one_dimensional =
      Answer::rejects;  // rejects | unspecified; moot for attributes

  ElementTypes data_types;                  // others: rejects (clause data.type), except
  ElementTypes data_types_unspecified;      // these, where the document leaves it open
  Answer scalar_data = Answer::produces;    // produces | unspecified
  Answer empty_pattern = Answer::produces;  // produces | unspecified

  ZeroRule zero = ZeroRule::by_flag;
  MissingFlag flag_missing = MissingFlag::rejects;
  ZeroPastRank zero_past_rank = ZeroPastRank::rejects;
  LiteralZeroWithMinusOne literal_zero_with_minus_one =
      LiteralZeroWithMinusOne::unspecified_if_empty;
  Answer minus_one_beside_copied_zero = Answer::unspecified;  // rejects | unspecified
  Answer volume_beyond_int64 = Answer::unspecified;           // rejects | unspecified
};

// The dialects of specs/, as declared when the program was built (generated from the YAML), in
// order of their names. The span stays valid for the life of the program.
std::span<const Dialect> built_in_dialects();

// Null when no built-in dialect has this name.
const Dialect* built_in_dialect(std::string_view name);

}  // namespace reshape
