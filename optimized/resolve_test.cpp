#include "optimized/resolve.h"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace reshape::optimized {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t k2To62 = std::int64_t{1} << 62;

Dialect plain() {
  Dialect dialect;
  dialect.name = "plain";
  dialect.pattern_types = ElementTypes::integers();
  dialect.data_types = ElementTypes::numeric();
  dialect.data_types_unspecified = {ElementType::boolean};
  return dialect;
}

Dialect loose() {
  Dialect dialect = plain();
  dialect.scalar_data = Answer::unspecified;
  dialect.empty_pattern = Answer::unspecified;
  dialect.pattern_not_one_dimensional = Answer::unspecified;
  return dialect;
}

struct Row {
  std::vector<std::int64_t> data;
  std::vector<PatternValue> pattern;
  std::optional<bool> flag;
  std::string expected;  // "[2,3]", "rejects <clause>", "open <clause> [0,*] rejects"
  ElementType data_type = ElementType::f32;
  ElementType pattern_type = ElementType::i64;
  std::int32_t pattern_rank = 1;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << text_of_sizes(row.data) << " by";
  for (PatternValue value : row.pattern) *out << ' ' << text(value);
  *out << " flag " << (row.flag ? (*row.flag ? "true" : "false") : "missing");
}

std::string answer_text(const Resolved& answer, const std::vector<std::int64_t>& sizes) {
  std::string shape = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) shape += ',';
    shape += static_cast<std::int32_t>(i) == answer.open_size ? "*" : std::to_string(sizes[i]);
  }
  shape += ']';
  switch (answer.kind) {
    case Resolved::Kind::produces: return shape;
    case Resolved::Kind::rejects: return std::string("rejects ") + id(answer.clause);
    case Resolved::Kind::open: break;
  }
  return std::string("open ") + id(answer.clause) + ' ' + shape +
         (answer.takes ? " takes" : " rejects");
}

template <typename Value>
std::string asked_text(const Dialect& dialect, const Row& row) {
  const std::vector<Value> pattern = [&] {
    std::vector<Value> values;
    for (PatternValue value : row.pattern) values.push_back(static_cast<Value>(value));
    return values;
  }();
  std::vector<std::int64_t> sizes(pattern.size());
  const Resolved answer = resolve(
      dialect,
      Asked<Value>{row.data_type, row.data, row.pattern_type, pattern, row.pattern_rank, row.flag},
      sizes);
  return answer_text(answer, sizes);
}

void expect_rows(const Dialect& dialect, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(asked_text<PatternValue>(dialect, row), row.expected) << testing::PrintToString(row);
    bool narrow = true;
    for (PatternValue value : row.pattern) narrow = narrow && value <= kLargest;
    if (narrow) {
      EXPECT_EQ(asked_text<std::int64_t>(dialect, row), row.expected)
          << testing::PrintToString(row);
    }
  }
}

TEST(Resolve, PublishedExamples) {
  expect_rows(plain(), {
                           {{2, 5, 5, 0}, {0, 4}, false, "[0,4]"},
                           {{2, 5, 5, 24}, {0, -1, 4}, true, "[2,150,4]"},
                           {{2, 2, 3}, {0, 0, 1, -1}, true, "[2,2,1,3]"},
                           {{3, 1, 1}, {-1, 0}, true, "[3,1]"},
                           {{3, 1, 1}, {0, -1}, true, "[3,1]"},
                           {{3, 4, 5}, {0, -1}, true, "[3,20]"},
                       });
}

TEST(Resolve, RefusalsInTheirOrder) {
  expect_rows(plain(),
              {
                  {{2, 3}, {3, 3}, true, "rejects volume.kept"},
                  {{2, 3}, {4, -1}, true, "rejects minus-one.divides"},
                  {{2, 3}, {-1, -1}, true, "rejects minus-one.once"},
                  {{2, 3}, {-2, -1, -1}, true, "rejects pattern.values"},
                  {{2, 3}, {-2, 3}, true, "rejects pattern.values"},
                  {{2, 3}, {6, 1, 0}, true, "rejects zero.past-rank"},
                  {{2, 3}, {-1, 1, 0}, true, "rejects zero.past-rank"},
                  {{2, 3}, {-1, -1, 0}, true, "rejects minus-one.once"},
                  {{2, 3}, {6, 0}, false, "rejects volume.kept"},
                  {{2, 3}, {-1, 0}, false, "rejects volume.kept"},
                  {{2, 3}, {6}, std::nullopt, "rejects special-zero.required"},
                  {{2, 3},
                   {-7},
                   std::nullopt,
                   "rejects special-zero.required",
                   ElementType::f32,
                   ElementType::f16},
                  {{2, 3}, {6}, true, "rejects pattern.type", ElementType::f32, ElementType::f16},
                  {{2, 3},
                   {-7},
                   true,
                   "rejects pattern.one-dimensional",
                   ElementType::f32,
                   ElementType::i64,
                   2},
                  {{2, 3}, {}, true, "rejects volume.kept"},
                  {{0}, {}, true, "rejects volume.kept"},
                  {{0, 3}, {3, 1}, true, "rejects volume.kept"},
                  {{2}, {(PatternValue{1} << 64) - 1}, true, "rejects size.representable"},
                  {{2}, {(PatternValue{1} << 63), 0}, false, "rejects size.representable"},
                  {{2}, {(PatternValue{1} << 63), 5, 0}, true, "rejects zero.past-rank"},
              });
  Dialect strict = plain();
  strict.literal_zero_with_minus_one = LiteralZeroWithMinusOne::rejects;
  strict.minus_one_beside_copied_zero = Answer::rejects;
  strict.data_types = {ElementType::f16};
  strict.data_types_unspecified = {};
  expect_rows(strict,
              {
                  {{0, 3}, {0, -1}, false, "rejects zero.with-minus-one", ElementType::f16},
                  {{2, 3}, {0, -1}, false, "rejects zero.with-minus-one", ElementType::f16},
                  {{0, 3}, {0, -1}, true, "rejects minus-one.beside-copied-zero", ElementType::f16},
                  {{0, 3}, {-2}, std::nullopt, "rejects data.type", ElementType::f32},
              });
}

TEST(Resolve, OpenPoints) {
  expect_rows(
      plain(),
      {
          {{0, 3}, {0, -1}, false, "open zero.with-minus-one [0,*] rejects"},
          {{0, 3}, {0, -1}, true, "open minus-one.beside-copied-zero [0,*] rejects"},
          {{0, 3}, {-1, 3}, true, "[0,3]"},
          {{0, 3}, {-1, 3}, false, "[0,3]"},
          {{2, 3}, {3, 2}, true, "open data.type-open [3,2] takes", ElementType::boolean},
          {{2, 3}, {5}, true, "rejects volume.kept", ElementType::boolean},
          {{0, 3}, {0, -1}, true, "open data.type-open [0,*] rejects", ElementType::boolean},
          {{}, {}, true, "[]"},
          {{}, {1, -1}, true, "[1,1]"},
          {{1, 1}, {}, false, "[]"},
      });
  expect_rows(loose(), {
                           {{}, {1}, true, "open data.scalar [1] takes"},
                           {{}, {}, true, "open pattern.empty [] takes"},
                           {{1}, {}, true, "open pattern.empty [] takes"},
                           {{2}, {}, true, "rejects volume.kept"},
                           {{}, {2}, true, "rejects volume.kept"},
                           {{2, 3},
                            {3, 2},
                            true,
                            "open pattern.one-dimensional [3,2] takes",
                            ElementType::f32,
                            ElementType::i64,
                            2},
                           {{},
                            {1},
                            true,
                            "open pattern.one-dimensional [1] takes",
                            ElementType::f32,
                            ElementType::i64,
                            0},
                       });
}

TEST(Resolve, ZeroReadings) {
  Dialect literal = plain();
  literal.zero = ZeroRule::literal;
  expect_rows(literal, {
                           {{0, 3}, {5, 0}, std::nullopt, "[5,0]"},
                           {{2, 3}, {0, 3}, true, "rejects volume.kept"},
                       });
  Dialect copies = plain();
  copies.zero = ZeroRule::copies;
  expect_rows(copies, {
                          {{2, 3}, {0, 3}, std::nullopt, "[2,3]"},
                          {{2, 3}, {0, -1}, false, "[2,3]"},
                          {{2, 3}, {2, 3, 0}, false, "rejects zero.past-rank"},
                      });
  copies.zero_past_rank = ZeroPastRank::one;
  expect_rows(copies, {{{2, 3}, {2, 3, 0}, true, "[2,3,1]"}});
  copies.zero_past_rank = ZeroPastRank::literal;
  expect_rows(copies, {
                          {{2, 3}, {2, 3, 0}, true, "rejects volume.kept"},
                          {{0, 3}, {2, 3, 0}, true, "[2,3,0]"},
                          {{0, 3}, {2, -1, 0}, true, "open zero.with-minus-one [2,*,0] rejects"},
                      });
  Dialect lenient = plain();
  lenient.flag_missing = MissingFlag::copies;
  expect_rows(lenient, {{{2, 3}, {0, 3}, std::nullopt, "[2,3]"}});
  lenient.flag_missing = MissingFlag::literal;
  expect_rows(lenient, {{{2, 3}, {0, 3}, std::nullopt, "rejects volume.kept"}});
}

// 2^32 * 2^32 wraps to 0 and 3 * 0x5555555555555556 to 2: no such pair is equal here.
TEST(Resolve, ProductsAreExact) {
  const std::int64_t two32 = std::int64_t{1} << 32;
  const std::int64_t wraps = 0x5555555555555556;
  expect_rows(
      plain(),
      {
          {{two32, two32}, {0}, false, "rejects volume.kept"},
          {{two32, two32}, {1}, false, "rejects volume.kept"},
          {{two32, two32, 5}, {0, -1}, false, "rejects volume.kept"},
          {{3, wraps}, {2}, false, "rejects volume.kept"},
          {{2}, {3, wraps}, false, "rejects volume.kept"},
          {{2}, {3, wraps, -1}, false, "rejects minus-one.divides"},
          {{0}, {3, wraps, -1}, false, "[3,6148914691236517206,0]"},
          {{two32, two32, 0}, {0, two32, two32}, false, "[0,4294967296,4294967296]"},
          {{two32, two32},
           {two32 / 2, two32, 2},
           false,
           "open volume.beyond-int64 [2147483648,4294967296,2] rejects"},
          {{two32, two32},
           {two32 * 2, -1},
           true,
           "open volume.beyond-int64 [8589934592,2147483648] rejects"},
          {{two32, two32}, {3, -1}, true, "rejects minus-one.divides"},
          {{k2To62, 8}, {4, -1}, true, "rejects size.representable"},
          {{k2To62, 8}, {-1}, true, "rejects size.representable"},
          {{k2To62, 2}, {-1, 2}, true, "open volume.beyond-int64 [4611686018427387904,2] rejects"},
          {{kLargest}, {-1}, true, "[9223372036854775807]"},
          {{kLargest}, {7, -1}, true, "[7,1317624576693539401]"},
          {{kLargest, kLargest, 6},
           {3, kLargest, 2, kLargest},
           true,
           "open volume.beyond-int64 [3,9223372036854775807,2,9223372036854775807] rejects"},
          {{kLargest, kLargest, 6}, {3, kLargest, 2, kLargest - 2}, true, "rejects volume.kept"},
          {{kLargest, kLargest, 6}, {3, kLargest, kLargest}, true, "rejects volume.kept"},
      });
  Dialect refuses = plain();
  refuses.volume_beyond_int64 = Answer::rejects;
  expect_rows(refuses, {{{k2To62, 2}, {-1, 2}, true, "rejects volume.beyond-int64"}});
}

}  // namespace
}  // namespace reshape::optimized
