#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/resolve.h"

// What the tests of the rules share: dialects and a short way to ask them.
namespace reshape::reference {

inline constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t k2To32 = std::int64_t{1} << 32;
inline constexpr std::int64_t k2To62 = std::int64_t{1} << 62;
inline constexpr auto kNoFlag = std::nullopt;
inline constexpr ElementTypes kSmallFloats{ElementType::f32, ElementType::f16, ElementType::bf16};

// The answers of OpenVINO's and oneDNN's documents, written here a second time by hand, so that
// these tests do not depend on the files that they check.
inline Dialect openvino() {
  Dialect dialect;
  dialect.name = "openvino-reshape-1";
  dialect.pattern_types = ElementTypes::integers();
  dialect.data_types = ElementTypes::numeric();
  dialect.data_types_unspecified = {ElementType::boolean};
  return dialect;
}

inline Dialect onednn_graph() {
  Dialect dialect;
  dialect.name = "onednn-graph-reshape-1";
  dialect.pattern_types = ElementTypes::integers();
  dialect.data_types = ElementTypes::all();
  dialect.scalar_data = Answer::unspecified;
  dialect.empty_pattern = Answer::unspecified;
  return dialect;
}

inline Dialect onednn_graph_static() {
  Dialect dialect = onednn_graph();
  dialect.name = "onednn-graph-static-reshape-1";
  dialect.pattern_given_as = PatternSource::attribute;
  dialect.pattern_types = {ElementType::i64};
  dialect.data_types = kSmallFloats;
  dialect.literal_zero_with_minus_one = LiteralZeroWithMinusOne::rejects;
  return dialect;
}

inline Dialect onednn_graph_dynamic() {
  Dialect dialect = onednn_graph();
  dialect.name = "onednn-graph-dynamic-reshape-1";
  dialect.pattern_types = {ElementType::i32};
  dialect.pattern_not_one_dimensional = Answer::unspecified;
  dialect.data_types = kSmallFloats;
  return dialect;
}

inline Question ask(Shape data, std::vector<PatternValue> pattern,
                    std::optional<bool> special_zero) {
  return {ElementType::f32, std::move(data), {ElementType::i64, std::move(pattern)}, special_zero};
}

// The answer as cases write it. A derivation is recorded too: it never changes the answer, and its
// last step is about it.
inline std::string answer_of(const Dialect& dialect, const Question& question) {
  Derivation derivation;
  const Ruling ruling = resolve(dialect, question, &derivation);
  EXPECT_EQ(ruling, resolve(dialect, question));
  EXPECT_FALSE(derivation.empty());
  if (!derivation.empty()) {
    EXPECT_EQ(derivation.back().clause,
              ruling.kind == Ruling::Kind::produces ? "output.shape" : ruling.clause);
  }
  for (const Step& step : derivation) EXPECT_FALSE(step.says.empty());
  return text(ruling);
}

inline std::string answer_of(const Dialect& dialect, Shape data, std::vector<PatternValue> pattern,
                             std::optional<bool> special_zero) {
  return answer_of(dialect, ask(std::move(data), std::move(pattern), special_zero));
}

}  // namespace reshape::reference
