#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <limits>
#include <vector>

#include "optimized/resolve.h"
#include "reference/resolve.h"
#include "reference/tensor/declared_dialects.h"

// The optimized rules and the reference's were written independently, and must give equal answers.

namespace reshape::optimized {
namespace {

// More tries than RapidCheck makes by itself, unless it is told a number.
[[maybe_unused]] const int kTries = setenv("RC_PARAMS", "max_success=20000", 0);

Ruling ruling_of(const Resolved& answer, const std::vector<std::int64_t>& sizes) {
  switch (answer.kind) {
    case Resolved::Kind::produces: return Ruling::produces(Shape(sizes));
    case Resolved::Kind::rejects: return Ruling::rejects(id(answer.clause));
    case Resolved::Kind::open: break;
  }
  PermittedShape shape;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (static_cast<std::int32_t>(i) == answer.open_size) {
      shape.sizes.push_back(std::nullopt);
    } else {
      shape.sizes.push_back(sizes[i]);
    }
  }
  return Ruling::unspecified(id(answer.clause), true, {shape});
}

Ruling ours(const Dialect& dialect, const reference::Question& asked) {
  const ShapePattern& pattern = asked.pattern;
  std::vector<std::int64_t> sizes(pattern.values.size());
  const auto rank =
      pattern.tensor_shape ? static_cast<std::int32_t>(pattern.tensor_shape->rank()) : 1;
  return ruling_of(resolve(dialect,
                           Asked<PatternValue>{asked.data_type, asked.data.sizes(), pattern.type,
                                               pattern.values, rank, asked.special_zero},
                           sizes),
                   sizes);
}

// By the overload for plain i64 patterns; only for values that fit.
Ruling ours_narrow(const Dialect& dialect, const reference::Question& asked) {
  std::vector<std::int64_t> pattern;
  for (const PatternValue value : asked.pattern.values) {
    pattern.push_back(static_cast<std::int64_t>(value));
  }
  std::vector<std::int64_t> sizes(pattern.size());
  return ruling_of(resolve(dialect,
                           Asked<std::int64_t>{asked.data_type, asked.data.sizes(),
                                               asked.pattern.type, pattern, 1, asked.special_zero},
                           sizes),
                   sizes);
}

std::string words(const Dialect& dialect, const reference::Question& asked) {
  const std::string flag =
      asked.special_zero ? (*asked.special_zero ? "true" : "false") : "missing";
  return dialect.name + ' ' + std::string(name(asked.data_type)) + text(asked.data) + ' ' +
         text(asked.pattern) + " flag " + flag + " zero " +
         std::to_string(static_cast<int>(dialect.zero)) + " past rank " +
         std::to_string(static_cast<int>(dialect.zero_past_rank));
}

// Dialects with every combination of answers to the questions about zeros, scalars and empty
// patterns.
std::vector<Dialect> every_recombination() {
  std::vector<Dialect> dialects;
  Dialect dialect;
  dialect.name = "recombined";
  dialect.pattern_types = ElementTypes::integers();
  dialect.data_types = ElementTypes::numeric();
  for (const ZeroRule zero : {ZeroRule::by_flag, ZeroRule::copies, ZeroRule::literal}) {
    for (const MissingFlag missing :
         {MissingFlag::rejects, MissingFlag::copies, MissingFlag::literal}) {
      for (const ZeroPastRank past :
           {ZeroPastRank::rejects, ZeroPastRank::literal, ZeroPastRank::one}) {
        for (const bool strict : {false, true}) {
          for (const Answer beside : {Answer::rejects, Answer::unspecified}) {
            for (const Answer plain : {Answer::produces, Answer::unspecified}) {
              dialect.zero = zero;
              dialect.flag_missing = missing;
              dialect.zero_past_rank = past;
              dialect.literal_zero_with_minus_one =
                  strict ? LiteralZeroWithMinusOne::rejects
                         : LiteralZeroWithMinusOne::unspecified_if_empty;
              dialect.minus_one_beside_copied_zero = beside;
              dialect.volume_beyond_int64 = beside;
              dialect.scalar_data = plain;
              dialect.empty_pattern = plain;
              dialects.push_back(dialect);
            }
          }
        }
      }
    }
  }
  // Every seventh again with the other answers about a -1 and values below it, which interact with
  // nothing but the -1.
  const std::size_t plain = dialects.size();
  for (std::size_t i = 0; i < plain; i += 7) {
    dialect = dialects[i];
    dialect.values_below_minus_one = Answer::unspecified;
    dialects.push_back(dialect);
    dialect.minus_one = MinusOne::rejects;
    dialects.push_back(dialect);
  }
  return dialects;
}

// Every list of up to `longest` values between `lowest` and `highest`.
std::vector<std::vector<std::int64_t>> lists(std::size_t longest, std::int64_t lowest,
                                             std::int64_t highest) {
  std::vector<std::vector<std::int64_t>> all = {{}};
  for (std::size_t begin = 0, length = 0; length < longest; ++length) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (std::int64_t value = lowest; value <= highest; ++value) {
        all.push_back(all[begin]);
        all.back().push_back(value);
      }
    }
  }
  return all;
}

struct Tally {
  std::int64_t produced = 0;
  std::int64_t rejected = 0;
  std::int64_t open = 0;
};

void expect_equal(const Dialect& dialect, std::size_t data_rank, Tally& tally) {
  const auto data_shapes = lists(data_rank, 0, 3);
  const auto patterns = lists(3, -2, 3);
  reference::Question asked;
  for (const auto& data : data_shapes) {
    asked.data = Shape(data);
    for (const auto& pattern : patterns) {
      asked.pattern.values.assign(pattern.begin(), pattern.end());
      for (const std::optional<bool> flag :
           {std::optional<bool>(), std::optional(false), std::optional(true)}) {
        asked.special_zero = flag;
        const Ruling right = reference::resolve(dialect, asked);
        tally.produced += right.kind == Ruling::Kind::produces ? 1 : 0;
        tally.rejected += right.kind == Ruling::Kind::rejects ? 1 : 0;
        tally.open += right.kind == Ruling::Kind::unspecified ? 1 : 0;
        ASSERT_EQ(text(ours(dialect, asked)), text(right)) << words(dialect, asked);
        ASSERT_EQ(text(ours_narrow(dialect, asked)), text(right)) << words(dialect, asked);
      }
    }
  }
}

TEST(ResolveEquality, EveryRecombinationBoundedExhaustively) {
  Tally tally;
  for (const Dialect& dialect : every_recombination()) {
    expect_equal(dialect, 2, tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.produced, 10000);
  EXPECT_GT(tally.rejected, 10000);
  EXPECT_GT(tally.open, 10000);
}

TEST(ResolveEquality, BuiltInDialectsBoundedExhaustivelyWithLargerBounds) {
  Tally tally;
  ASSERT_FALSE(declared_dialects().empty());
  for (Dialect dialect : declared_dialects()) {
    dialect.data_types.insert(ElementType::f32);
    dialect.pattern_types.insert(ElementType::i64);
    expect_equal(dialect, 3, tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.produced, 1000);
  EXPECT_GT(tally.open, 1000);
}

std::int64_t a_size() {
  const std::int64_t one = 1;
  return *rc::gen::element<std::int64_t>(1, 2, 3, 4, 5, 6, 7, 12, one << 16, (one << 31) - 1,
                                         one << 31, one << 32, (one << 32) + 15, 0x5555555555555556,
                                         one << 62, std::numeric_limits<std::int64_t>::max(),
                                         std::numeric_limits<std::int64_t>::max() / 7);
}

// Sizes that mostly hold as many elements as `data`: its sizes, some cut in two and some joined.
std::vector<PatternValue> regrouped(const Shape& data) {
  std::vector<PatternValue> values;
  for (const std::int64_t size : data) {
    const std::int64_t divisor = *rc::gen::element<std::int64_t>(1, 2, 3, 4, 7, 1 << 15);
    if (size % divisor == 0 && divisor > 1) {
      values.push_back(size / divisor);
      values.push_back(divisor);
    } else if (!values.empty() && *rc::gen::inRange(0, 4) == 0) {
      values.back() *= size;
      if (values.back() >> 64 != 0) values.back() = size;
    } else {
      values.push_back(size);
    }
  }
  return values;
}

Dialect a_dialect() {
  const std::vector<Dialect> recombined = every_recombination();
  const std::span<const Dialect> declared = declared_dialects();
  Dialect dialect = *rc::gen::arbitrary<bool>()
                        ? declared[*rc::gen::inRange<std::size_t>(0, declared.size())]
                        : recombined[*rc::gen::inRange<std::size_t>(0, recombined.size())];
  if (*rc::gen::inRange(0, 4) == 0) dialect.data_types_unspecified.insert(ElementType::boolean);
  if (dialect.pattern_given_as == PatternSource::tensor) {
    dialect.pattern_not_one_dimensional = *rc::gen::element(Answer::rejects, Answer::unspecified);
  }
  return dialect;
}

RC_GTEST_PROP(ResolveEquality, LargeSizesAndEverythingAtOnce, ()) {
  const Dialect dialect = a_dialect();
  reference::Question asked;
  asked.data_type = *rc::gen::weightedOneOf<ElementType>(
      {{6, rc::gen::just(ElementType::f32)}, {1, rc::gen::elementOf(kAllElementTypes)}});
  asked.pattern.type = *rc::gen::weightedOneOf<ElementType>(
      {{6, rc::gen::just(dialect.pattern_types.contains(ElementType::i64) ? ElementType::i64
                                                                          : ElementType::i32)},
       {1, rc::gen::elementOf(kAllElementTypes)}});
  const int rank = *rc::gen::inRange(0, 6);
  for (int axis = 0; axis < rank; ++axis) {
    asked.data.append(*rc::gen::inRange(0, 16) == 0 ? 0 : a_size());
  }
  asked.pattern.values = regrouped(asked.data);
  // A few values are made special, or wrong.
  for (PatternValue& value : asked.pattern.values) {
    switch (*rc::gen::inRange(0, 16)) {
      case 0: value = -1; break;
      case 1: value = 0; break;
      case 2: value = a_size(); break;
      case 3:
        value =
            *rc::gen::element<PatternValue>(-2, PatternValue{1} << 63, (PatternValue{1} << 64) - 1);
        break;
      default: break;
    }
  }
  if (*rc::gen::inRange(0, 3) == 0 && !asked.pattern.values.empty()) {
    asked.pattern.values[*rc::gen::inRange<std::size_t>(0, asked.pattern.values.size())] = -1;
  }
  if (*rc::gen::inRange(0, 8) == 0 && dialect.pattern_given_as == PatternSource::tensor) {
    const auto count = static_cast<std::int64_t>(asked.pattern.values.size());
    asked.pattern.tensor_shape = count == 1 ? Shape{} : Shape{1, count};
  }
  asked.special_zero = *rc::gen::element<std::optional<bool>>(std::nullopt, false, true, true);
  RC_LOG() << words(dialect, asked);
  const std::string right = text(reference::resolve(dialect, asked));
  RC_CLASSIFY(right.starts_with("produces"), "produces");
  RC_CLASSIFY(right.starts_with("unspecified"), "unspecified");
  RC_ASSERT(text(ours(dialect, asked)) == right);
}

}  // namespace
}  // namespace reshape::optimized
