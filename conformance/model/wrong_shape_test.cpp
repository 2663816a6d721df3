#include "conformance/model/wrong_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace reshape::conformance {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 32;

// A request of a document in which a -1 is inferred and, unless told otherwise, a 0 copies.
struct Row {
  Shape data;
  std::vector<PatternValue> values;
  std::optional<Shape> right;  // nothing: it must be refused
  Shape answered;
  std::string says;
  bool copies = true;
  ElementType type = ElementType::i64;
};

constexpr std::nullopt_t kRefused = std::nullopt;
const Ruling kRefusal = Ruling::rejects("some.clause");

std::optional<WrongShape> wrong(const Row& row, const Ruling& right) {
  Request request;
  request.data = row.data;
  request.pattern.values = row.values;
  request.pattern.type = row.type;
  request.special_zero = row.copies;
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  outcome.shape = row.answered;
  const Dialect dialect;
  return wrong_shape(request, &dialect, right, outcome);
}
std::optional<WrongShape> wrong(const Row& row) {
  return wrong(row, row.right ? Ruling::produces(*row.right) : kRefusal);
}

void expect_words(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const auto is = wrong(row);
    ASSERT_TRUE(is.has_value()) << row.says;
    EXPECT_EQ(is->says, row.says) << text(row.answered);
  }
}

TEST(WrongShape, NothingIsDescribedThatIsRightOrNoShape) {
  EXPECT_FALSE(wrong({{2, 3}, {3, 2}, Shape{3, 2}, {3, 2}, ""}).has_value());
  const Ruling open = Ruling::unspecified("open", true, {{{0, std::nullopt}}});
  EXPECT_FALSE(wrong({{0, 3}, {0, -1}, kRefused, {0, 7}, ""}, open).has_value());
  Outcome crash;
  crash.kind = Outcome::Kind::rejected;
  EXPECT_FALSE(wrong_shape({}, nullptr, Ruling::produces({2}), crash).has_value());
}

// A size below 0 makes the answer no shape, and comes of the same conversions as other wrong sizes.
TEST(WrongShape, SizesBelowZero) {
  const auto says = [](std::int64_t elements, PatternValue value, const Ruling& right,
                       const char* words) {
    Request request;
    request.data = {elements};
    request.pattern.values = {value};
    Outcome outcome;
    outcome.kind = Outcome::Kind::malformed;
    outcome.message = words;
    const Dialect dialect;
    const auto is = wrong_shape(request, &dialect, right, outcome);
    return is ? is->says : "nothing";
  };
  const std::int64_t half = kHuge / 2, most = std::numeric_limits<std::int64_t>::max() - 1;
  EXPECT_EQ(says(half, -1, Ruling::produces({half}), "answered the sizes [-2147483648]"),
            "the -1 is the quotient modulo 2^32");
  EXPECT_EQ(says(most, -1, Ruling::produces({most}), "answered the sizes [-9223372036854775808]"),
            "the -1 is the quotient by way of f64");
  EXPECT_EQ(says(6, -5, kRefusal, "answered the sizes [-5]"), "size 0 is the pattern's value");
  EXPECT_EQ(says(6, -1, Ruling::produces({6}), "answered ok without writing a rank"), "nothing");
  EXPECT_TRUE(negative_sizes("answered the sizes [2,").empty());
  EXPECT_TRUE(negative_sizes("answered failed: answered the sizes [-2]").empty());
  EXPECT_EQ(negative_sizes("answered the sizes [2,-7]; more"), (std::vector<std::int64_t>{2, -7}));
}

TEST(WrongShape, SizesThatLostBits) {
  const std::int64_t size = kHuge + 5;
  expect_words({
      {{size, 0}, {size, 0}, Shape{size, 0}, {5, 0}, "size 0 is the pattern's value modulo 2^32"},
      {{size, 1, size},
       {0, 1, 0},
       Shape{size, 1, size},
       {5, 1, 5},
       "each 0 is the data's size modulo 2^32"},
      {{size}, {1, -1}, Shape{1, size}, {1, 5}, "the -1 is the quotient modulo 2^32"},
      {{300}, {300}, Shape{300}, {44}, "size 0 is the pattern's value modulo 2^8"},
      {{300, 70000},
       {0, 70000},
       Shape{300, 70000},
       {300, 4464},
       "size 1 is the pattern's value modulo 2^16"},
      {{(std::int64_t{1} << 53) + 1},
       {-1},
       Shape{(std::int64_t{1} << 53) + 1},
       {std::int64_t{1} << 53},
       "the -1 is the quotient by way of f64"},
      {{kHuge + 8, 2}, {2, -1}, Shape{2, kHuge + 8}, {2, 8}, "the -1 is the quotient modulo 2^32"},
      {{kHuge / 2 + 3, 4},
       {4, -1},
       Shape{4, kHuge / 2 + 3},
       {4, 3},
       "the -1 is inferred from the number of elements modulo 2^32"},
  });
}

// Elements and other sizes leave nothing in 32 bits: which of the two was cut is not known.
TEST(WrongShape, AZeroThatTwoProductsMayHaveLeft) {
  const Row row{
      {3 * kHuge}, {65536, 65536, -1}, Shape{65536, 65536, 3}, {65536, 65536, 0}, "the -1 is 0"};
  expect_words({row});
  const std::string says = "the -1 is inferred from the product of the other sizes modulo 2^32";
  EXPECT_TRUE(std::ranges::any_of(wrong(row)->facts,
                                  [&](const ElementFact& fact) { return fact.says == says; }));
}

// What is left in 16 bits of such products is left in 32, too. Many shapes are told by the facts
// that they share.
TEST(WrongShape, OfTheWidthsThatFitTheWidestSaysMost) {
  const auto is = wrong({{6}, {kHuge + 3, -1}, kRefused, {kHuge + 3, 2}, ""});
  const auto share = [&](const std::string& width) {
    const std::string says =
        "the -1 is inferred from the product of the other sizes modulo " + width;
    const auto fact = std::ranges::find(is->facts, says, &ElementFact::says);
    EXPECT_NE(fact, is->facts.end()) << says;
    return fact == is->facts.end() ? 0.0 : fact->share;
  };
  EXPECT_LT(share("2^32"), share("2^16"));
  EXPECT_LT(share("2^16"), share("2^8"));
}

// A -1 that follows from another wrong size is no further mistake.
TEST(WrongShape, AMinusOneThatFollows) {
  expect_words({
      {{300, 44},
       {300, -1},
       Shape{300, 44},
       {44, 300},
       "size 0 is the pattern's value modulo 2^8; the -1 is inferred from that"},
      {{600, 11},
       {300, -1},
       Shape{300, 22},
       {44, 150},
       "size 0 is the pattern's value modulo 2^8; the -1 is inferred from that"},
      {{600, 11}, {300, -1}, Shape{300, 22}, {44, 151}, ""},
  });
}

TEST(WrongShape, UnsignedValuesReadAsSigned) {
  const auto most = static_cast<PatternValue>(std::numeric_limits<std::uint64_t>::max());
  const std::string minus_one = "size 1 is what the pattern's value read as signed asks for";
  expect_words({
      {{6}, {2, most}, kRefused, {2, 3}, minus_one, true, ElementType::u64},
      {{6}, {2, kHuge - 1}, kRefused, {2, 3}, minus_one, true, ElementType::u32},
      {{6}, {2, 255}, kRefused, {2, 3}, minus_one, true, ElementType::u8},
      {{6},
       {2, 200},
       kRefused,
       {2, -56},
       "size 1 is the pattern's value read as signed",
       true,
       ElementType::u8},
  });
}

TEST(WrongShape, ValuesThatAreNoSizes) {
  const auto most = static_cast<PatternValue>(std::numeric_limits<std::uint64_t>::max());
  expect_words({
      {{6}, {2, -2}, kRefused, {2, 3}, "size 1 is inferred as a -1 would be"},
      {{6}, {3, -2}, kRefused, {3, kHuge - 2}, "size 1 is the pattern's value modulo 2^32"},
      {{8}, {4, -2}, kRefused, {4, 254}, "size 1 is the pattern's value modulo 2^8"},
      {{5}, {-7}, kRefused, {7}, "size 0 is the pattern's value without its sign"},
      {{6}, {2, most}, kRefused, {2, 3}, "size 1 is inferred as a -1 would be"},
      {{6}, {2, most - 8}, kRefused, {2, kHuge - 9}, "size 1 is the pattern's value modulo 2^32"},
      {{7}, {most + 8}, kRefused, {7}, "size 0 is the pattern's value modulo 2^64"},
      {{3, 4},
       {2, most / 2 + 1},
       kRefused,
       {2, 4},
       "size 1 is what the pattern's value modulo 2^32 asks for"},
      {{6}, {3, most / 2 + 1}, kRefused, {3, 2}, "size 1 is inferred as a -1 would be", false},
      {{6}, {2, -5}, kRefused, {2, 4}, ""},
  });
}

// A largest value is a -1 in any narrower type: it tells of no width.
TEST(WrongShape, AValueThatIsTheLargestOfItsTypeTellsNoWidth) {
  const std::int64_t most = (std::int64_t{1} << 31) - 1;
  const Row row{{6}, {most}, kRefused, {6}, ""};
  const WrongShape is = wrong(row).value();
  EXPECT_EQ(is.says, "size 0 is inferred as a -1 would be");
  const std::string modulo = "each wrong size is what the pattern's value modulo 2^16 asks for";
  const auto found = std::ranges::find(is.facts, modulo, &ElementFact::says);
  ASSERT_NE(found, is.facts.end());
  EXPECT_FALSE(found->by_itself);
  const WrongShape cut = wrong({{6}, {0x3ffff00ffff}, kRefused, {6}, ""}).value();
  EXPECT_EQ(cut.says, "size 0 is what the pattern's value modulo 2^16 asks for");
}

TEST(WrongShape, TheMinusOne) {
  expect_words({
      {{7}, {2, -1}, kRefused, {2, 3}, "the -1 is the quotient rounded down"},
      {{7}, {2, -1}, kRefused, {2, 4}, "the -1 is the quotient rounded up"},
      {{7}, {2, -1}, kRefused, {2, 7}, "the -1 is the number of all elements"},
      {{6}, {2, -1}, Shape{2, 3}, {2, 6}, "the -1 is the number of all elements"},
      {{6}, {2, -1}, Shape{2, 3}, {2, 1}, "the -1 is 1"},
      {{6}, {2, -1}, Shape{2, 3}, {2, 0}, "the -1 is 0"},
      {{6}, {2, -1}, Shape{2, 3}, {2, 4}, ""},
      {{6, 5}, {2, -1}, Shape{2, 15}, {2, 5}, "the -1 is the data's size at that axis"},
      {{6}, {2, -1, -1}, kRefused, {2, 3, 1}, "the first -1 is inferred, each other is 1"},
      {{6}, {2, -1, -1}, kRefused, {2, 1, 3}, "the last -1 is inferred, each other is 1"},
      {{6}, {2, -1, -1}, kRefused, {2, 3, 3}, "each -1 is inferred"},
      {{6}, {-1, -1}, kRefused, {2, 3}, ""},
      {{6},
       {2, 0, -1},
       kRefused,
       {2, 0, 3},
       "the -1 is inferred from the other sizes without the 0s",
       false},
  });
}

TEST(WrongShape, Zeros) {
  expect_words({
      {{2, 3}, {0, 3}, kRefused, {2, 3}, "the 0 copied the data's size", false},
      {{2, 3, 4}, {0, 0, 4}, kRefused, {2, 3, 4}, "each 0 copied the data's size", false},
      {{2, 3, 4}, {0, 3, 0}, kRefused, {0, 3, 4}, "the 0 at index 2 copied the data's size", false},
      {{2, 3}, {0, 3}, Shape{2, 3}, {0, 3}, "the 0 is a plain 0"},
      {{2, 3}, {0, -1}, Shape{2, 3}, {1, 6}, "the 0 is 1; the -1 is inferred from that"},
      {{2, 3}, {2, 3, 0}, kRefused, {2, 3, 3}, "the 0 is the data's size at the axis before"},
      {{2, 3, 5},
       {0, 3, 5},
       Shape{2, 3, 5},
       {3, 3, 5},
       "the 0 is the data's size at the axis behind"},
      {{2, 3, 5}, {0, 30, 1}, kRefused, {4, 30, 1}, ""},
      {{2, 3, 5},
       {0, 15},
       Shape{2, 15},
       {3, 15},
       "the 0 is the data's size at that axis counted from the end"},
  });
}

TEST(WrongShape, SizesOfTheData) {
  expect_words({
      {{4, 6}, {8, 3}, Shape{8, 3}, {4, 6}, "the data's own shape"},
      {{4, 6}, {8, 3}, Shape{8, 3}, {4, 3}, "size 0 is the data's size at that axis"},
      {{6, 4},
       {3, 2, 4},
       Shape{3, 2, 4},
       {3, 6, 4},
       "size 1 is the data's size at that axis counted from the end"},
  });
}

TEST(WrongShape, TheWhole) {
  std::vector<PatternValue> many(258, 1);
  many[0] = 2;
  many[1] = 3;
  const Shape ones(std::vector<std::int64_t>(many.begin(), many.end()));
  expect_words({
      {{6}, many, ones, {2, 3}, "as many sizes as the pattern has, modulo 2^8"},
      {{6, 4}, {2, 3, 4}, Shape{2, 3, 4}, {4, 3, 2}, "the right sizes in reverse order"},
      {{6, 4}, {3, 4, 2}, Shape{3, 4, 2}, {2, 3, 4}, "the right sizes in ascending order"},
      {{6, 4}, {3, 4, 2}, Shape{3, 4, 2}, {4, 2, 3}, "the right sizes in another order"},
      {{6}, {2, 1, 3}, Shape{2, 1, 3}, {2, 3}, "the right sizes without those of 1"},
      {{6}, {2, 3}, Shape{2, 3}, {2, 3, 1}, "the right sizes and more of 1"},
      {{6}, {2, 3}, Shape{2, 3}, {6}, "the data's own shape"},
      {{2, 3}, {3, 2}, Shape{3, 2}, {6}, "all elements in one axis"},
      {{24}, {2, 3, 4}, Shape{2, 3, 4}, {2, 3}, "only the first of the right sizes"},
      {{24}, {2, 3, 4}, Shape{2, 3, 4}, {3, 4}, "only the last of the right sizes"},
      {{24}, {2, 3, 4}, Shape{2, 3, 4}, {5, 4}, ""},
      {{24}, {2, 0, -1}, kRefused, {2, 0}, "the pattern's sizes without that of the -1", false},
  });
}

TEST(WrongShape, ThePatternAsItIs) {
  expect_words({
      {{6}, {2, 4}, kRefused, {2, 4}, "the pattern's sizes, whose volume is not the data's"},
      {{1},
       {kHuge + 1},
       kRefused,
       {kHuge + 1},
       "the pattern's sizes, whose volume is the data's modulo 2^32"},
      {{0, 3}, {kHuge}, kRefused, {kHuge}, "the pattern's sizes, whose volume is not the data's"},
      {{6}, {2, 3}, kRefused, {2, 3}, ""},  // refused for something else
      {{6}, {2, -1}, kRefused, {2, 3}, ""},
  });
  // Where no document is known, nothing is said of what it refuses.
  Request request;
  request.data = {6};
  request.pattern.values = {2, 4};
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  outcome.shape = {2, 4};
  EXPECT_EQ(wrong_shape(request, nullptr, kRefusal, outcome)->says, "");
}

// Facts in words that failures with other axes may share.
TEST(WrongShape, FactsDoNotNameTheirAxis) {
  const auto is = wrong({{300}, {1, 300}, Shape{1, 300}, {1, 44}, ""});
  ASSERT_FALSE(is->facts.empty());
  EXPECT_EQ(is->facts.front().says, "each wrong size is the pattern's value modulo 2^8");
}

}  // namespace
}  // namespace reshape::conformance
