#include "reference/resolve_asked.h"

namespace reshape::reference {
namespace {

// --- The documents' own examples

TEST(PublishedExamples, OfTheFirstDocument) {
  const Dialect dialect = openvino();
  EXPECT_EQ(answer_of(dialect, {2, 5, 5, 0}, {0, 4}, false), "produces [0,4]");
  EXPECT_EQ(answer_of(dialect, {2, 5, 5, 24}, {0, -1, 4}, true), "produces [2,150,4]");
  EXPECT_EQ(answer_of(dialect, {2, 2, 3}, {0, 0, 1, -1}, true), "produces [2,2,1,3]");
  EXPECT_EQ(answer_of(dialect, {3, 1, 1}, {-1, 0}, true), "produces [3,1]");
  EXPECT_EQ(answer_of(dialect, {3, 1, 1}, {0, -1}, true), "produces [3,1]");
}

TEST(PublishedExamples, OfTheStaticReshape) {
  EXPECT_EQ(answer_of(onednn_graph_static(), {3, 4, 5}, {0, -1}, true), "produces [3,20]");
}

// --- Types, the flag, the pattern tensor

TEST(DataType, IsOneOfTheDialects) {
  for (ElementType type : kAllElementTypes) {
    Question question = ask({6}, {2, 3}, false);
    question.data_type = type;
    EXPECT_EQ(answer_of(onednn_graph_static(), question),
              kSmallFloats.contains(type) ? "produces [2,3]" : "rejects data.type")
        << name(type);
    EXPECT_EQ(answer_of(openvino(), question),
              type == ElementType::boolean
                  ? "unspecified data.type-open permits rejects | produces [2,3]"
                  : "produces [2,3]")
        << name(type);
  }
}

TEST(PatternType, IsOneOfTheDialects) {
  for (ElementType type : kAllElementTypes) {
    Question question = ask({6}, {2, 3}, false);
    question.pattern.type = type;
    EXPECT_EQ(answer_of(openvino(), question),
              is_integer(type) ? "produces [2,3]" : "rejects pattern.type")
        << name(type);
    EXPECT_EQ(answer_of(onednn_graph_dynamic(), question),
              type == ElementType::i32 ? "produces [2,3]" : "rejects pattern.type")
        << name(type);
  }
}

TEST(SpecialZero, MissingIsWhatTheDialectSays) {
  Dialect dialect = openvino();
  EXPECT_EQ(answer_of(dialect, {2, 3}, {0, 3}, kNoFlag), "rejects special-zero.required");
  EXPECT_EQ(answer_of(dialect, {2, 3}, {2, 3}, kNoFlag), "rejects special-zero.required");
  dialect.flag_missing = MissingFlag::copies;
  EXPECT_EQ(answer_of(dialect, {2, 3}, {0, 3}, kNoFlag), "produces [2,3]");
  EXPECT_EQ(answer_of(dialect, {2, 3}, {0, 3}, false), "rejects volume.kept");
  dialect.flag_missing = MissingFlag::literal;
  EXPECT_EQ(answer_of(dialect, {2, 3}, {0, 3}, kNoFlag), "rejects volume.kept");
  EXPECT_EQ(answer_of(dialect, {2, 3}, {0, 3}, true), "produces [2,3]");
}

TEST(SpecialZero, IsNotAskedWhereThereIsNoFlag) {
  Dialect dialect = openvino();
  dialect.zero = ZeroRule::copies;
  for (const std::optional<bool> flag : {std::optional<bool>{}, {true}, {false}}) {
    EXPECT_EQ(answer_of(dialect, {2, 3}, {0, 3}, flag), "produces [2,3]");
  }
  dialect.zero = ZeroRule::literal;
  for (const std::optional<bool> flag : {std::optional<bool>{}, {true}, {false}}) {
    EXPECT_EQ(answer_of(dialect, {2, 3}, {0, 3}, flag), "rejects volume.kept");
    EXPECT_EQ(answer_of(dialect, {2, 0}, {0, 3}, flag), "produces [0,3]");
  }
}

TEST(PatternTensor, OtherThanOneDimensional) {
  for (const Shape& shape : {Shape{}, Shape{1, 1}}) {
    Question question = ask({6}, {6}, false);
    question.pattern.tensor_shape = shape;
    question.pattern.type = ElementType::i32;
    Dialect dialect = onednn_graph_dynamic();
    EXPECT_EQ(answer_of(openvino(), question), "rejects pattern.one-dimensional");
    EXPECT_EQ(answer_of(dialect, question),
              "unspecified pattern.one-dimensional permits rejects | produces [6]");
    dialect.pattern_not_one_dimensional = Answer::produces;
    EXPECT_EQ(answer_of(dialect, question), "produces [6]");
    dialect.pattern_given_as = PatternSource::attribute;
    dialect.pattern_not_one_dimensional = Answer::rejects;
    EXPECT_EQ(answer_of(dialect, question), "produces [6]");
  }
  Question flat = ask({6}, {2, 3}, false);
  flat.pattern.tensor_shape = Shape{2};
  EXPECT_EQ(answer_of(openvino(), flat), "produces [2,3]");
}

TEST(PatternTensor, TwoDimensionalIsReadInRowMajorOrder) {
  Question question = ask({3, 2}, {1, 2, -1, 1}, true);
  question.pattern.type = ElementType::i32;
  question.pattern.tensor_shape = Shape{2, 2};
  EXPECT_EQ(answer_of(onednn_graph_dynamic(), question),
            "unspecified pattern.one-dimensional permits rejects | produces [1,2,3,1]");
}

// --- -1

TEST(MinusOne, BelowItNothingIsAllowed) {
  for (const PatternValue value : {PatternValue{-2}, lowest(ElementType::i64), PatternValue{-3}}) {
    EXPECT_EQ(answer_of(openvino(), {6}, {value, 3}, false), "rejects pattern.values");
  }
  // Even where the product of two negatives would keep the volume.
  EXPECT_EQ(answer_of(openvino(), {6}, {-2, -3}, false), "rejects pattern.values");
}

TEST(MinusOne, StandsOnce) {
  EXPECT_EQ(answer_of(openvino(), {6}, {-1, -1}, false), "rejects minus-one.once");
  EXPECT_EQ(answer_of(openvino(), {6}, {-1, 6, -1}, true), "rejects minus-one.once");
  EXPECT_EQ(answer_of(openvino(), {0}, {-1, -1}, true), "rejects minus-one.once");
}

TEST(MinusOne, IsInferredAtEveryPlace) {
  EXPECT_EQ(answer_of(openvino(), {2, 3, 4}, {-1, 4, 2}, false), "produces [3,4,2]");
  EXPECT_EQ(answer_of(openvino(), {2, 3, 4}, {4, -1, 2}, false), "produces [4,3,2]");
  EXPECT_EQ(answer_of(openvino(), {2, 3, 4}, {4, 2, -1}, false), "produces [4,2,3]");
  EXPECT_EQ(answer_of(openvino(), {2, 3, 4}, {-1}, true), "produces [24]");
  EXPECT_EQ(answer_of(openvino(), {}, {-1}, true), "produces [1]");
  EXPECT_EQ(answer_of(openvino(), {}, {1, -1, 1}, true), "produces [1,1,1]");
  EXPECT_EQ(answer_of(openvino(), {kMax}, {-1}, true), "produces [9223372036854775807]");
}

TEST(MinusOne, MustDivide) {
  EXPECT_EQ(answer_of(openvino(), {2, 3}, {4, -1}, false), "rejects minus-one.divides");
  EXPECT_EQ(answer_of(openvino(), {2, 3}, {7, -1}, false), "rejects minus-one.divides");
  EXPECT_EQ(answer_of(openvino(), {3, 5}, {0, 2, -1}, true), "rejects minus-one.divides");
  EXPECT_EQ(answer_of(openvino(), {}, {2, -1}, true), "rejects minus-one.divides");
}

TEST(MinusOne, OverEmptyDataIsZero) {
  EXPECT_EQ(answer_of(openvino(), {0, 3}, {-1, 3}, true), "produces [0,3]");
  EXPECT_EQ(answer_of(openvino(), {0, 6}, {2, -1}, false), "produces [2,0]");
  EXPECT_EQ(answer_of(openvino(), {0, 6}, {7, -1}, false), "produces [7,0]");
  EXPECT_EQ(answer_of(openvino(), {3, 0}, {0, -1}, true), "produces [3,0]");
  EXPECT_EQ(answer_of(openvino(), {kMax, kMax, 0}, {kMax, kMax, -1}, false),
            "produces [9223372036854775807,9223372036854775807,0]");
}

TEST(MinusOne, BesideACopiedZeroIsOpen) {
  Dialect dialect = openvino();
  EXPECT_EQ(answer_of(dialect, {0, 3}, {0, -1}, true),
            "unspecified minus-one.beside-copied-zero permits rejects | produces [0,*]");
  EXPECT_EQ(answer_of(dialect, {3, 0}, {-1, 0, 7}, true),
            "unspecified minus-one.beside-copied-zero permits rejects | produces [*,0,7]");
  EXPECT_EQ(answer_of(dialect, {0, 3}, {0, 0, -1}, true),
            "unspecified minus-one.beside-copied-zero permits rejects | produces [0,3,*]");
  dialect.minus_one_beside_copied_zero = Answer::rejects;
  EXPECT_EQ(answer_of(dialect, {0, 3}, {0, -1}, true), "rejects minus-one.beside-copied-zero");
  EXPECT_EQ(answer_of(dialect, {3, 4}, {0, -1}, true), "produces [3,4]");
}

// --- 0

TEST(Zero, CopiesOrIsASize) {
  EXPECT_EQ(answer_of(openvino(), {2, 3, 4}, {0, 0, 0}, true), "produces [2,3,4]");
  EXPECT_EQ(answer_of(openvino(), {2, 3, 4}, {2, 0, 4, 1}, true), "produces [2,3,4,1]");
  EXPECT_EQ(answer_of(openvino(), {2, 3, 4}, {2, 0, 4, 1}, false), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {2, 3}, {0, 5}, true), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {0, 3, 4}, {3, 4, 0}, false), "produces [3,4,0]");
  EXPECT_EQ(answer_of(openvino(), {0, 3, 4}, {3, 4, 0}, true), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {1, 0}, {0, 1}, true), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {1, 0}, {0, 1}, false), "produces [0,1]");
}

TEST(Zero, PastTheRankIsWhatTheDialectSays) {
  Dialect dialect = openvino();
  EXPECT_EQ(answer_of(dialect, {2, 3}, {2, 3, 0}, true), "rejects zero.past-rank");
  EXPECT_EQ(answer_of(dialect, {2, 50}, {1, 0, -1, 0}, true), "rejects zero.past-rank");
  EXPECT_EQ(answer_of(dialect, {}, {0}, true), "rejects zero.past-rank");
  EXPECT_EQ(answer_of(dialect, {0}, {0, 0}, true), "rejects zero.past-rank");
  EXPECT_EQ(answer_of(dialect, {0}, {0, 0}, false), "produces [0,0]");

  dialect.zero_past_rank = ZeroPastRank::literal;
  EXPECT_EQ(answer_of(dialect, {2, 3}, {2, 3, 0}, true), "rejects volume.kept");
  EXPECT_EQ(answer_of(dialect, {2, 0}, {2, 3, 0}, true), "produces [2,3,0]");
  EXPECT_EQ(answer_of(dialect, {2, 0}, {0, -1, 0}, true),
            "unspecified zero.with-minus-one permits rejects | produces [2,*,0]");

  dialect.zero_past_rank = ZeroPastRank::one;
  EXPECT_EQ(answer_of(dialect, {2, 3}, {2, 3, 0}, true), "produces [2,3,1]");
  EXPECT_EQ(answer_of(dialect, {2, 50}, {1, 0, -1, 0}, true), "produces [1,50,2,1]");
  EXPECT_EQ(answer_of(dialect, {2, 3}, {2, 3, 0}, false), "rejects volume.kept");
}

TEST(Zero, PlainBesideAMinusOne) {
  for (const Shape& data : {Shape{0, 4}, Shape{2, 4}}) {
    EXPECT_EQ(answer_of(onednn_graph_static(), data, {0, -1}, false),
              "rejects zero.with-minus-one");
  }
  EXPECT_EQ(answer_of(openvino(), {2, 4}, {0, -1}, false), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {0, 4}, {0, -1, 5}, false),
            "unspecified zero.with-minus-one permits rejects | produces [0,*,5]");
  EXPECT_EQ(answer_of(openvino(), {0, 4}, {-1, 0, 0}, false),
            "unspecified zero.with-minus-one permits rejects | produces [*,0,0]");
}

// --- Volume

TEST(Volume, IsKeptAtEverySize) {
  EXPECT_EQ(answer_of(openvino(), {2, 3, 4}, {4, 6}, false), "produces [4,6]");
  EXPECT_EQ(answer_of(openvino(), {2, 3}, {4, 2}, false), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {10}, {2, 13, 419, 691, 823, 2977518503}, false),
            "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {0}, {k2To32, k2To32}, false), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {k2To32, k2To32}, {0}, false), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {k2To32, k2To32}, {-1, 0}, false), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {65536, 65537}, {65536}, false), "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {k2To32, k2To32, 3}, {k2To32, k2To32, 5}, false),
            "rejects volume.kept");
  EXPECT_EQ(answer_of(openvino(), {0}, {kMax, kMax, 0}, false),
            "produces [9223372036854775807,9223372036854775807,0]");
  EXPECT_EQ(answer_of(openvino(), {k2To32, k2To32, 3}, {5, -1}, false),
            "rejects minus-one.divides");
}

TEST(Volume, BeyondInt64IsWhatTheDialectSays) {
  Dialect dialect = openvino();
  EXPECT_EQ(answer_of(dialect, {k2To62, 4}, {4, k2To62}, false),
            "unspecified volume.beyond-int64 permits rejects | produces [4,4611686018427387904]");
  EXPECT_EQ(answer_of(dialect, {k2To62, 4}, {0, -1}, true),
            "unspecified volume.beyond-int64 permits rejects | produces [4611686018427387904,4]");
  dialect.volume_beyond_int64 = Answer::rejects;
  EXPECT_EQ(answer_of(dialect, {k2To62, 4}, {4, k2To62}, false), "rejects volume.beyond-int64");
  EXPECT_EQ(answer_of(dialect, {kMax}, {1, kMax}, false), "produces [1,9223372036854775807]");
  dialect.volume_beyond_int64 = Answer::produces;
  EXPECT_EQ(answer_of(dialect, {k2To62, 4}, {4, k2To62}, false),
            "produces [4,4611686018427387904]");
}

TEST(Size, HasToBeRepresentable) {
  Question question = ask({6}, {highest(ElementType::u64)}, false);
  question.pattern.type = ElementType::u64;
  EXPECT_EQ(answer_of(openvino(), question), "rejects size.representable");
  question.pattern.values = {PatternValue{kMax} + 1, 0};
  EXPECT_EQ(answer_of(openvino(), question), "rejects size.representable");
  question.data = {kMax};
  question.pattern.values = {kMax};
  EXPECT_EQ(answer_of(openvino(), question), "produces [9223372036854775807]");
  EXPECT_EQ(answer_of(openvino(), {k2To62, 4}, {-1}, false), "rejects size.representable");
  EXPECT_EQ(answer_of(openvino(), {k2To62, 4}, {2, -1}, false), "rejects size.representable");
}

// --- Scalars

TEST(EmptyPattern, IsAScalarWhereTheDialectSaysSo) {
  Dialect dialect = openvino();
  EXPECT_EQ(answer_of(dialect, {1, 1}, {}, false), "produces []");
  EXPECT_EQ(answer_of(dialect, {}, {}, true), "produces []");
  EXPECT_EQ(answer_of(dialect, {51}, {}, false), "rejects volume.kept");
  EXPECT_EQ(answer_of(dialect, {0}, {}, false), "rejects volume.kept");
  dialect.empty_pattern = Answer::unspecified;
  EXPECT_EQ(answer_of(dialect, {1, 1}, {}, false),
            "unspecified pattern.empty permits rejects | produces []");
  EXPECT_EQ(answer_of(dialect, {2}, {}, false), "rejects volume.kept");
  dialect.empty_pattern = Answer::rejects;
  EXPECT_EQ(answer_of(dialect, {1, 1}, {}, false), "rejects pattern.empty");
  EXPECT_EQ(answer_of(dialect, {2}, {}, false), "rejects volume.kept");
}

TEST(ScalarData, IsWhatTheDialectSays) {
  Dialect dialect = openvino();
  EXPECT_EQ(answer_of(dialect, {}, {1, 1}, false), "produces [1,1]");
  EXPECT_EQ(answer_of(dialect, {}, {2}, false), "rejects volume.kept");
  dialect.scalar_data = Answer::unspecified;
  EXPECT_EQ(answer_of(dialect, {}, {1, 1}, false),
            "unspecified data.scalar permits rejects | produces [1,1]");
  EXPECT_EQ(answer_of(dialect, {}, {-1}, false),
            "unspecified data.scalar permits rejects | produces [1]");
  EXPECT_EQ(answer_of(dialect, {}, {2}, false), "rejects volume.kept");
  dialect.scalar_data = Answer::rejects;
  EXPECT_EQ(answer_of(dialect, {}, {1, 1}, false), "rejects data.scalar");
}

}  // namespace
}  // namespace reshape::reference
