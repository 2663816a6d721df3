#include "reference/volume.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <vector>

namespace reshape::reference {
namespace {

using List = std::vector<std::int64_t>;
using Wide = unsigned __int128;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t k2To32 = std::int64_t{1} << 32;

Wide wide_product(const List& sizes) {
  Wide wide = 1;
  for (std::int64_t size : sizes) wide *= static_cast<Wide>(size);
  return wide;
}

// Up to six sizes below 2^20, so that 128 bits hold every product of them.
rc::Gen<List> small_sizes(std::int64_t lowest) {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 7), [lowest](std::size_t count) {
    return rc::gen::container<List>(
        count, rc::gen::oneOf(rc::gen::inRange<std::int64_t>(lowest, 13),
                              rc::gen::inRange<std::int64_t>(lowest, std::int64_t{1} << 20)));
  });
}

// Multiplies the factors together at random into sizes that stay within 63 bits.
List grouped(const List& factors) {
  List sizes{1};
  for (std::int64_t factor : factors) {
    const auto at = *rc::gen::inRange<std::size_t>(0, sizes.size() + 1);
    std::int64_t joined = 0;
    if (at < sizes.size() && !__builtin_mul_overflow(sizes[at], factor, &joined)) {
      sizes[at] = joined;
    } else {
      sizes.push_back(factor);
    }
  }
  return sizes;
}

// Enough factors that their product is far beyond 64 bits; 2^31-1 and 2^61-1 are primes.
rc::Gen<List> many_factors() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(8, 40), [](std::size_t count) {
    return rc::gen::container<List>(
        count, rc::gen::element<std::int64_t>(2, 2, 3, 5, 6, 12, 35, 1024, 65537, 2147483647,
                                              2305843009213693951));
  });
}

TEST(Product, FitsOrIsNothing) {
  EXPECT_EQ(product(List{}), 1);
  EXPECT_EQ(product(List{kMax}), kMax);
  EXPECT_EQ(product(List{k2To32, k2To32 / 2}), std::nullopt);
  EXPECT_EQ(product(List{k2To32, k2To32 / 4}), std::int64_t{1} << 62);
  EXPECT_EQ(product(List{kMax, kMax, 0}), 0);
}

RC_GTEST_PROP(Product, AgreesWith128Bits, ()) {
  const List sizes = *small_sizes(0);
  const Wide wide = wide_product(sizes);
  const auto got = product(sizes);
  RC_ASSERT(got.has_value() == (wide <= static_cast<Wide>(kMax)));
  if (got) RC_ASSERT(static_cast<Wide>(*got) == wide);
}

RC_GTEST_PROP(SameProduct, AgreesWith128Bits, ()) {
  const List left = *small_sizes(0);
  const List right = *rc::gen::oneOf(small_sizes(0), rc::gen::exec([&] { return grouped(left); }));
  RC_ASSERT(same_product(left, right) == (wide_product(left) == wide_product(right)));
}

RC_GTEST_PROP(SameProduct, SeesEqualityFarBeyond64Bits, ()) {
  const List factors = *many_factors();
  RC_ASSERT(same_product(grouped(factors), grouped(factors)));
}

RC_GTEST_PROP(SameProduct, SeesOneChangedFactorFarBeyond64Bits, ()) {
  const List factors = *many_factors();
  List changed = factors;
  const auto at = *rc::gen::inRange<std::size_t>(0, factors.size());
  changed[at] += *rc::gen::element<std::int64_t>(-1, 1);
  RC_PRE(changed[at] > 0);
  RC_ASSERT(!same_product(grouped(factors), grouped(changed)));
}

RC_GTEST_PROP(Divide, AgreesWith128Bits, ()) {
  const List whole = *small_sizes(0);
  const List part = *small_sizes(1);
  const Wide dividend = wide_product(whole);
  const Wide divisor = wide_product(part);
  const Quotient quotient = divide(whole, part);
  RC_ASSERT(quotient.exact == (dividend % divisor == 0));
  if (!quotient.exact) {
    RC_ASSERT(!quotient.value);
  } else if (dividend / divisor > static_cast<Wide>(kMax)) {
    RC_ASSERT(!quotient.value);
  } else {
    RC_ASSERT(quotient.value && static_cast<Wide>(*quotient.value) == dividend / divisor);
  }
}

RC_GTEST_PROP(Divide, UndoesAMultiplicationFarBeyond64Bits, ()) {
  const List factors = *many_factors();
  const std::int64_t size = *rc::gen::inRange<std::int64_t>(1, kMax);
  List whole = grouped(factors);
  whole.push_back(size);
  const Quotient quotient = divide(whole, grouped(factors));
  RC_ASSERT(quotient.exact);
  RC_ASSERT(quotient.value == size);
}

RC_GTEST_PROP(Divide, SeesAFactorTooMuchFarBeyond64Bits, ()) {
  const List factors = *many_factors();
  List part = grouped(factors);
  // 2^31+11 is a prime that none of the factors holds.
  part.push_back(2147483659);
  RC_ASSERT(!divide(grouped(factors), part).exact);
}

TEST(Divide, TooLargeIsExactWithoutAValue) {
  const Quotient quotient = divide(List{kMax, 4}, List{2});
  EXPECT_TRUE(quotient.exact);
  EXPECT_EQ(quotient.value, std::nullopt);
}

TEST(Divide, NoElementsShareOutToNone) {
  EXPECT_EQ(divide(List{0, 3}, List{7}).value, 0);
  EXPECT_EQ(divide(List{0, 3}, List{kMax, kMax}).value, 0);
  EXPECT_EQ(divide(List{kMax, kMax, 0}, List{3}).value, 0);
}

TEST(Divide, ASmallWholeOverAHugePartLeavesARemainder) {
  EXPECT_FALSE(divide(List{10}, List{k2To32, k2To32}).exact);
  EXPECT_FALSE(divide(List{10}, List{kMax, kMax}).exact);
}

// Pairs whose products agree in 32 or 64 bits and in no other sense.
TEST(SameProduct, WrappingNeverMakesTwoProductsEqual) {
  const std::vector<std::pair<List, List>> collisions = {
      {{k2To32, k2To32}, {0}},
      {{k2To32, k2To32, 3}, {k2To32, k2To32, 5}},
      {{10}, {2, 13, 419, 691, 823, 2977518503}},
      {{65536, 65536}, {0}},
      {{65536, 65537}, {65536}},
      {{1}, {3, 2863311531}},
      {{k2To32 + 1}, {1}},
  };
  for (const auto& [left, right] : collisions) {
    EXPECT_FALSE(same_product(left, right)) << product_text(left) << " " << product_text(right);
    EXPECT_FALSE(same_product(right, left)) << product_text(right) << " " << product_text(left);
  }
  // The third pair does collide: that is what makes it worth asking.
  std::uint64_t wrapped = 1;
  for (std::int64_t size : collisions[2].second) wrapped *= static_cast<std::uint64_t>(size);
  EXPECT_EQ(wrapped, 10U);
}

TEST(ProductText, DigitsOrFactors) {
  EXPECT_EQ(product_text(List{}), "1");
  EXPECT_EQ(product_text(List{4, 6}), "24");
  EXPECT_EQ(product_text(List{k2To32, k2To32}), "4294967296*4294967296");
  EXPECT_EQ(product_text(List{kMax, kMax, 0}), "0");
}

}  // namespace
}  // namespace reshape::reference
