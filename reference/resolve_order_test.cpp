#include "reference/resolve_asked.h"

namespace reshape::reference {
namespace {

// --- Several clauses at once

// Each request breaks the clause it is listed under and all that follow and can be broken with it.
TEST(Order, TheFirstBrokenClauseIsNamed) {
  const Dialect dialect = openvino();
  Dialect floats = dialect;
  floats.data_types = kSmallFloats;
  floats.data_types_unspecified = {};
  Question question = ask({2, 3}, {-1, -2, -1, 0, PatternValue{kMax} + 1}, kNoFlag);
  question.data_type = ElementType::u8;
  question.pattern.type = ElementType::f32;
  question.pattern.tensor_shape = Shape{1, 5};
  EXPECT_EQ(answer_of(floats, question), "rejects data.type");
  question.data_type = ElementType::f32;
  EXPECT_EQ(answer_of(floats, question), "rejects special-zero.required");
  question.special_zero = true;
  EXPECT_EQ(answer_of(floats, question), "rejects pattern.type");
  question.pattern.type = ElementType::i64;
  EXPECT_EQ(answer_of(floats, question), "rejects pattern.one-dimensional");
  question.pattern.tensor_shape.reset();
  EXPECT_EQ(answer_of(floats, question), "rejects pattern.values");
  question.pattern.values[1] = 4;
  EXPECT_EQ(answer_of(floats, question), "rejects minus-one.once");
  question.pattern.values[2] = 5;
  EXPECT_EQ(answer_of(floats, question), "rejects zero.past-rank");
  question.special_zero = false;
  EXPECT_EQ(answer_of(floats, question), "rejects size.representable");
  question.pattern.values[4] = 5;
  EXPECT_EQ(answer_of(floats, question), "rejects volume.kept");
  floats.literal_zero_with_minus_one = LiteralZeroWithMinusOne::rejects;
  EXPECT_EQ(answer_of(floats, question), "rejects zero.with-minus-one");
}

TEST(Order, ARefusalWinsOverAnOpenPoint) {
  Dialect dialect = onednn_graph_dynamic();
  dialect.pattern_types = ElementTypes::integers();
  dialect.data_types_unspecified = {ElementType::i8};
  Question question = ask({}, {-1, 1}, false);
  question.data_type = ElementType::i8;
  question.pattern.tensor_shape = Shape{2, 1};
  EXPECT_EQ(answer_of(dialect, question),
            "unspecified data.type-open permits rejects | produces [1,1]");
  question.data_type = ElementType::f32;
  EXPECT_EQ(answer_of(dialect, question),
            "unspecified pattern.one-dimensional permits rejects | produces [1,1]");
  question.pattern.tensor_shape.reset();
  EXPECT_EQ(answer_of(dialect, question),
            "unspecified data.scalar permits rejects | produces [1,1]");
  question.data_type = ElementType::i8;
  question.pattern.tensor_shape = Shape{2, 1};
  question.pattern.values = {-1, 2};
  EXPECT_EQ(answer_of(dialect, question), "rejects minus-one.divides");
}

TEST(Order, OpenPointsKeepAnOpenMinusOne) {
  Dialect dialect = openvino();
  Question question = ask({0, 3}, {0, -1}, true);
  question.data_type = ElementType::boolean;
  EXPECT_EQ(answer_of(dialect, question),
            "unspecified data.type-open permits rejects | produces [0,*]");
  question.pattern.values = {0, -1, 0};
  dialect.zero_past_rank = ZeroPastRank::literal;
  question.data_type = ElementType::f32;
  EXPECT_EQ(answer_of(dialect, question),
            "unspecified zero.with-minus-one permits rejects | produces [0,*,0]");
  dialect.minus_one_beside_copied_zero = Answer::rejects;
  EXPECT_EQ(answer_of(dialect, question), "rejects minus-one.beside-copied-zero");
}

TEST(Order, EmptyPatternIsNamedBeforeScalarData) {
  EXPECT_EQ(answer_of(onednn_graph(), {}, {}, true),
            "unspecified pattern.empty permits rejects | produces []");
}

// --- Derivation

std::vector<std::string> explained(const Dialect& dialect, const Question& question) {
  Derivation derivation;
  resolve(dialect, question, &derivation);
  std::vector<std::string> lines;
  for (const Step& step : derivation) lines.push_back(step.clause + ": " + step.says);
  return lines;
}

TEST(Derivation, TellsTheWayToAShape) {
  EXPECT_EQ(explained(openvino(), ask({2, 5, 5, 24}, {0, -1, 4}, true)),
            (std::vector<std::string>{
                "zero.copies: pattern[0] is 0 and special_zero is true: copies 2 from data[0]",
                "output.shape: pattern[2] asks for 4",
                "minus-one.inferred: known sizes multiply to 8; 1200 elements / 8 = 150",
                "output.shape: produces [2,150,4]",
            }));
}

// A derivation also records what a document allows, not only what it requires.
TEST(Derivation, TellsWhatIsGranted) {
  EXPECT_EQ(explained(openvino(), ask({}, {}, false)),
            (std::vector<std::string>{
                "pattern.empty: the pattern is empty: it asks for a scalar",
                "data.scalar: data is a scalar",
                "output.shape: produces []",
            }));
}

TEST(Derivation, TellsWhatIsWrong) {
  EXPECT_EQ(explained(openvino(), ask({2, 3}, {0, 5}, true)),
            (std::vector<std::string>{
                "zero.copies: pattern[0] is 0 and special_zero is true: copies 2 from data[0]",
                "output.shape: pattern[1] asks for 5",
                "volume.kept: 10 elements asked, 6 given",
            }));
}

TEST(Derivation, TellsWhatIsOpen) {
  EXPECT_EQ(explained(openvino(), ask({0, 3}, {0, -1}, false)),
            (std::vector<std::string>{
                "zero.literal: pattern[0] is 0 and special_zero is false: a size of 0",
                "zero.with-minus-one: data is empty and so is the output, whatever the -1 is: "
                "nothing determines it",
                "zero.with-minus-one: the document leaves it open: rejects | produces [0,*]",
            }));
}

}  // namespace
}  // namespace reshape::reference
