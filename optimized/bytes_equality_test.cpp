#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "optimized/execute.h"
#include "optimized/reshape.h"
#include "reference/reshape.h"

// The bytes that a plan leaves behind, gaps included, are those of the reference's plain copy.

namespace reshape::optimized {
namespace {

// More tries than RapidCheck makes by itself, unless it is told a number.
[[maybe_unused]] const int kTries = setenv("RC_PARAMS", "max_success=3000", 0);

// Bytes of a layout's whole range, with the base that its positions count from.
struct Buffer {
  std::vector<std::byte> bytes;
  std::ptrdiff_t base = 0;

  Buffer(ElementType type, const Layout& layout, unsigned seed) {
    const ElementRange range = touched(layout);
    const std::int64_t width = bits(type);
    // A few bytes around, so that writing past either end is seen; the start is odd on purpose.
    constexpr std::ptrdiff_t kAround = 67;
    const std::ptrdiff_t low = range.count() > 0 ? (range.first * width) >> 3 : 0;
    const std::ptrdiff_t high = range.count() > 0 ? ((range.last + 1) * width + 7) >> 3 : 0;
    bytes.resize(static_cast<std::size_t>(high - low + 2 * kAround));
    base = kAround - low;
    std::mt19937 random(seed);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  }
  std::byte* origin() { return bytes.data() + base; }
};

std::vector<std::int64_t> axes_order(std::size_t rank) {
  std::vector<std::int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = rank; i-- > 1;) {
    std::swap(order[i], order[*rc::gen::inRange<std::size_t>(0, i + 1)]);
  }
  return order;
}

// Mostly row-major; else any order of the axes, with gaps, walked backwards, or (data) repeated.
Layout a_layout(const Shape& shape, bool may_repeat) {
  Layout layout{shape, Strides(shape.rank(), 1), 2 * *rc::gen::inRange<std::int64_t>(0, 3)};
  std::vector<std::int64_t> order(shape.rank());
  std::iota(order.rbegin(), order.rend(), 0);
  const bool shuffled = *rc::gen::inRange(0, 2) == 0;
  const bool gaps = *rc::gen::inRange(0, 2) == 0;
  const bool turns = *rc::gen::inRange(0, 4) == 0;
  if (shuffled) order = axes_order(shape.rank());
  std::int64_t step = 1;
  for (const std::int64_t at : order) {
    const auto axis = static_cast<std::size_t>(at);
    const int turn = turns ? *rc::gen::inRange(0, may_repeat ? 3 : 2) : 0;
    layout.strides[axis] = turn == 0 ? step : turn == 1 ? -step : 0;
    if (turn != 2) step *= std::max<std::int64_t>(shape[axis], 1);
    if (gaps && *rc::gen::inRange(0, 2) == 0) step += *rc::gen::inRange<std::int64_t>(1, 4);
  }
  return layout;
}

// The prime factors of one volume, dealt out to axes twice.
Shape dealt(const std::vector<std::int64_t>& factors, std::size_t most_axes) {
  std::vector<std::int64_t> sizes(
      *rc::gen::inRange<std::size_t>(factors.empty() ? 0 : 1, most_axes + 1), 1);
  for (const std::int64_t factor : factors) {
    sizes[*rc::gen::inRange<std::size_t>(0, sizes.size())] *= factor;
  }
  return Shape(sizes);
}

ThreadPool* pool_of(int threads) {
  static const auto pools = [] {
    std::vector<std::unique_ptr<ThreadPool>> made;
    for (int n = 2; n <= 4; ++n) made.push_back(make_thread_pool(n));
    return made;
  }();
  return threads < 2 ? nullptr : pools[static_cast<std::size_t>(threads - 2)].get();
}

std::string text(const Forced& forced) {
  return std::string(forced.target.name) + (forced.stream ? ", streaming, " : ", ") +
         std::to_string(forced.threads) + " thread(s)";
}

void expect_same_bytes(ElementType type, const Layout& from, const Layout& to, int threads) {
  Buffer data(type, from, 1);
  Buffer right(type, to, 2);
  Buffer ours = right;
  const std::vector<std::byte> before = data.bytes;
  reference::copy_elements({type, from, data.origin()}, {type, to, right.origin()});
  const Result<CopyPlan> plan = plan_copy(type, from, to);
  RC_ASSERT(plan.ok());
  RC_LOG() << name(type) << ' ' << text(from.shape) << text_of_sizes(from.strides) << " to "
           << text(to.shape) << text_of_sizes(to.strides) << '\n'
           << dump(*plan);
  RC_ASSERT(run(*plan, data.origin(), ours.origin(), pool_of(threads)) == Ran::copied);
  RC_ASSERT(ours.bytes == right.bytes);
  RC_ASSERT(data.bytes == before);
  // A plan runs again, on other buffers.
  Buffer again(type, to, 2);
  RC_ASSERT(run(*plan, data.origin(), again.origin(), nullptr) == Ran::copied);
  RC_ASSERT(again.bytes == right.bytes);
  // On every target, shared however small the copy is.
  for (const Target& target : runnable_targets()) {
    const Forced forced{target, *rc::gen::inRange(0, 2) == 0, threads};
    RC_LOG() << text(forced) << '\n';
    Buffer by_target(type, to, 2);
    run_copy(*plan, data.origin(), by_target.origin(), pool_of(threads), forced);
    RC_ASSERT(by_target.bytes == right.bytes);
  }
}

RC_GTEST_PROP(BytesEquality, SmallTensors, ()) {
  const ElementType type = *rc::gen::elementOf(kAllElementTypes);
  auto factors = *rc::gen::container<std::vector<std::int64_t>>(
      rc::gen::element<std::int64_t>(2, 2, 2, 3, 4, 5, 7, 8, 16));
  std::int64_t volume = 1;
  std::erase_if(factors, [&](std::int64_t factor) {
    if (volume * factor > 4096) return true;
    volume *= factor;
    return false;
  });
  if (*rc::gen::inRange(0, 20) == 0) factors.push_back(0);
  expect_same_bytes(type, a_layout(dealt(factors, 5), true), a_layout(dealt(factors, 5), false),
                    *rc::gen::inRange(1, 5));
}

void expect_half_bytes_copied(const Layout& from, const Layout& to) {
  Buffer data(ElementType::u4, from, 1);
  Buffer right(ElementType::u4, to, 2);
  Buffer ours = right;
  reference::copy_elements({ElementType::u4, from, data.origin()},
                           {ElementType::u4, to, right.origin()});
  const Result<CopyPlan> plan = plan_copy(ElementType::u4, from, to);
  ASSERT_TRUE(plan);
  ASSERT_FALSE(plan->seams.empty());
  ASSERT_EQ(run(*plan, data.origin(), ours.origin(), nullptr), Ran::copied);
  EXPECT_TRUE(ours.bytes == right.bytes) << dump(*plan);
}

// Runs across seams that start inside a byte, on either side.
TEST(BytesEquality, HalfBytesAcrossSeams) {
  for (const std::int64_t read_gap : {1, 2, 3}) {
    for (const std::int64_t write_gap : {1, 2, 3}) {
      expect_half_bytes_copied({Shape{40, 7}, {7 + read_gap, 1}, 2},
                               {Shape{140, 2}, {2 + write_gap, 1}, 0});
    }
  }
}

// Rows of one side that are whole bytes, unless the first begins inside one: many and few of them,
// shorter and longer than a stage.
TEST(BytesEquality, HalfBytesInRowsOfBytes) {
  for (const std::int64_t length : {2, 4, 6, 60, 130, 5000}) {
    for (const std::int64_t offset : {0, 1, 2}) {
      const std::int64_t others = 61, all = length * others * (length < 100 ? 40 : 1);
      const Layout odd{Shape{all / others, others}, {others + 6, 1}, offset};
      const Layout even{Shape{all / length, length}, {length + 2, 1}, offset};
      expect_half_bytes_copied(odd, even);
      expect_half_bytes_copied(even, odd);
    }
  }
}

// Large enough that threads share the work and the output goes around the caches.
TEST(BytesEquality, LargeTensors) {
  struct Row {
    ElementType type;
    Layout from;
    Layout to;
  };
  const std::vector<Row> rows = {
      {ElementType::f32, {Shape{1000, 1030}, {1040, 1}, 0}, row_major(Shape{1030, 1000})},
      {ElementType::f32, {Shape{1024, 1024}, {1, 1024}, 0}, row_major(Shape{1 << 20})},
      {ElementType::bf16,
       {Shape{64, 3, 113, 50}, {113 * 150, 1, 150, 3}, 0},
       row_major(Shape{192, 5650})},
      {ElementType::u8, row_major(Shape{1 << 21}), row_major(Shape{2048, 1024})},
      {ElementType::u8, {Shape{2000, 999}, {1, 2001}, 5}, {Shape{999, 2000}, {2003, 1}, 1}},
      {ElementType::f64, {Shape{300, 700}, {0, 1}, 0}, row_major(Shape{210000})},
      {ElementType::i64, {Shape{400, 600}, {-600, -1}, 239999}, row_major(Shape{600, 400})},
      {ElementType::u4, {Shape{1000, 1001}, {1003, 1}, 0}, row_major(Shape{1001, 1000})},
      {ElementType::i4, {Shape{1000, 1000}, {1002, 1}, 2}, row_major(Shape{1000000})},
      {ElementType::i4, {Shape{44, 20000}, {1, 44}, 0}, row_major(Shape{880000})},
      {ElementType::i4, {Shape{9, 44, 2001}, {88044, 1, 44}, 0}, row_major(Shape{792396})},
      {ElementType::i16, {Shape{997, 1009}, {1013, 1}, 0}, {Shape{1009, 997}, {1000, 1}, 0}},
  };
  for (const Row& row : rows) {
    Buffer data(row.type, row.from, 1);
    const Buffer before(row.type, row.to, 2);
    Buffer right = before;
    reference::copy_elements({row.type, row.from, data.origin()},
                             {row.type, row.to, right.origin()});
    const Result<CopyPlan> plan = plan_copy(row.type, row.from, row.to);
    ASSERT_TRUE(plan);
    for (int threads = 1; threads <= 4; ++threads) {
      Buffer ours = before;
      ASSERT_EQ(run(*plan, data.origin(), ours.origin(), pool_of(threads)), Ran::copied);
      EXPECT_TRUE(ours.bytes == right.bytes)
          << name(row.type) << ' ' << text(row.from.shape) << ' ' << threads << " threads\n"
          << dump(*plan);
      for (const Target& target : runnable_targets()) {
        const Forced forced{target, threads % 2 == 1, threads};
        ours = before;
        run_copy(*plan, data.origin(), ours.origin(), pool_of(threads), forced);
        EXPECT_TRUE(ours.bytes == right.bytes)
            << name(row.type) << ' ' << text(row.from.shape) << ' ' << text(forced) << '\n'
            << dump(*plan);
      }
    }
  }
}

}  // namespace
}  // namespace reshape::optimized
