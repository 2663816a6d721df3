// Every count of planes, odd sides and seams, in every element width, against the reference's plain
// copy: each may take a path of its own.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "optimized/execute.h"
#include "optimized/reshape.h"
#include "reference/reshape.h"

namespace reshape::optimized {
namespace {

constexpr ElementType kWidths[] = {ElementType::u4, ElementType::u8, ElementType::u16,
                                   ElementType::f32, ElementType::f64};

// The bytes of one side, random, with room around them that nobody may write.
std::vector<std::byte> bytes_for(ElementType type, const Layout& layout, unsigned seed) {
  constexpr std::int64_t kAround = 64;
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(bytes_for(type, touched(layout).last + 1) + 2 * kAround));
  std::mt19937 random(seed);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// Copies on every target, through the caches and around them, `threads` at once. Elements begin
// `begin` and some more into the buffers.
void expect_equal(ElementType type, Layout from, Layout to, int threads, std::int64_t begin) {
  from.offset = begin - touched({from.shape, from.strides, 0}).first;
  to.offset = (type == ElementType::u4 ? 6 : 5) - touched({to.shape, to.strides, 0}).first;
  const std::vector<std::byte> data = bytes_for(type, from, 1);
  const std::vector<std::byte> before = bytes_for(type, to, 2);
  std::vector<std::byte> right = before;
  std::vector<std::byte> read = data;
  reference::copy_elements({type, from, read.data()}, {type, to, right.data()});
  const Result<CopyPlan> plan = plan_copy(type, from, to);
  ASSERT_TRUE(plan) << plan.error().text();
  static const std::unique_ptr<ThreadPool> pool = make_thread_pool(3);
  const auto expect_right = [&](const std::vector<std::byte>& ours, const std::string& how) {
    if (ours == right) return;
    std::size_t at = 0;
    while (ours[at] == right[at]) ++at;
    ADD_FAILURE() << how << ": byte " << at << " of " << right.size() << " differs\n"
                  << name(type) << ' ' << text(from.shape) << text_of_sizes(from.strides) << " to "
                  << text(to.shape) << text_of_sizes(to.strides) << '\n'
                  << dump(*plan);
  };
  std::vector<std::byte> ours = before;
  run_copy(*plan, data.data(), ours.data(), threads > 1 ? pool.get() : nullptr);
  expect_right(ours, "as it is chosen");
  for (const Target& target : runnable_targets()) {
    for (const bool stream : {false, true}) {
      ours = before;
      run_copy(*plan, data.data(), ours.data(), threads > 1 ? pool.get() : nullptr,
               {target, stream, threads});
      expect_right(ours, std::string(target.name) + (stream ? ", streaming" : ""));
    }
  }
}

// Elements of 4 bits begin with either half of a byte.
void expect_equal(ElementType type, const Layout& from, const Layout& to, int threads) {
  expect_equal(type, from, to, threads, 1);
  if (type == ElementType::u4) expect_equal(type, from, to, threads, 2);
}

// On one thread; 4-bit elements also on several, no two of which may write the same byte.
void expect_equal(ElementType type, const Layout& from, const Layout& to) {
  expect_equal(type, from, to, 1);
  if (type == ElementType::u4) expect_equal(type, from, to, 3);
}

// rows x columns as the data lies, read as columns x rows.
void expect_transposed(ElementType type, std::int64_t rows, std::int64_t columns) {
  expect_equal(type, {Shape{columns, rows}, {1, columns}, 0}, row_major(Shape{columns * rows}));
}

TEST(EveryCount, OfPlanesToInterleavedAndBack) {
  for (const ElementType type : kWidths) {
    for (std::int64_t planes = 2; planes <= 40; ++planes) {
      for (const std::int64_t pixels : {1, 7, 15, 16, 17, 67, 129, 601}) {
        expect_transposed(type, planes, pixels);
        expect_transposed(type, pixels, planes);
      }
      if (HasFailure()) return;
    }
  }
}

TEST(EveryCount, OfPlanesInBatchesWithGaps) {
  for (const ElementType type : kWidths) {
    for (std::int64_t planes = 2; planes <= 40; ++planes) {
      const std::int64_t pixels = 533;
      const std::int64_t far = pixels + 3;
      expect_equal(type, {Shape{3, pixels, planes}, {planes * far + 1, 1, far}, 0},
                   row_major(Shape{3 * pixels, planes}));
      expect_equal(type, {Shape{3, planes, pixels}, {planes * far, 1, planes}, 0},
                   {Shape{3, planes, pixels}, {planes * far, far, 1}, 0});
      if (HasFailure()) return;
    }
  }
}

TEST(EveryCount, OfRowsAndColumnsAroundTheTiles) {
  for (const ElementType type : kWidths) {
    for (const std::int64_t side : {31, 33, 63, 64, 65, 97, 127, 255, 257}) {
      expect_transposed(type, side, side);
      expect_transposed(type, side, side + 1);
      expect_equal(type, {Shape{side, 2, side}, {1, side * side, side}, 0},
                   row_major(Shape{side, 2 * side}));
      if (HasFailure()) return;
    }
  }
}

TEST(EveryCount, OfSeams) {
  for (const ElementType type : kWidths) {
    for (const int threads : {1, 3}) {
      expect_equal(type, {Shape{100, 101}, {104, 1}, 0}, {Shape{101, 100}, {108, 1}, 0}, threads);
      expect_equal(type, {Shape{1000, 7}, {8, 1}, 0}, {Shape{7, 1000}, {1032, 1}, 0}, threads);
      expect_equal(type, {Shape{6, 35, 4}, {400, 10, 1}, 0}, {Shape{10, 21, 4}, {120, 5, 1}, 0},
                   threads);
      expect_equal(type, {Shape{1000, 501}, {504, 1}, 0}, {Shape{501, 1000}, {1008, 1}, 0},
                   threads);
      // Rows on one side that are longer than a stage, and rows of which both counts have a factor
      // in common.
      expect_equal(type, {Shape{5, 9001}, {9011, 1}, 0}, {Shape{9001, 5}, {8, 1}, 0}, threads);
      expect_equal(type, {Shape{9001, 5}, {8, 1}, 0}, {Shape{5, 9001}, {9011, 1}, 0}, threads);
      expect_equal(type, {Shape{300, 168}, {171, 1}, 0}, {Shape{168, 300}, {309, 1}, 0}, threads);
      // The same seam again and again, and rows from the last to the first.
      expect_equal(type, {Shape{40, 6, 7}, {100, 8, 1}, 0}, {Shape{40, 7, 6}, {120, 9, 1}, 0},
                   threads);
      expect_equal(type, {Shape{100, 51}, {-54, 1}, 0}, {Shape{51, 100}, {-102, 1}, 0}, threads);
      // Read apart, written backwards, and with two seams one inside the other.
      expect_equal(type, {Shape{20, 21}, {66, 3}, 0}, {Shape{21, 20}, {50, 2}, 0}, threads);
      Layout inside{Shape{5, 14, 10, 9}, {5000, 300, 13, 1}, 0};
      Layout outside{Shape{14, 5, 9, 10}, {2200, 400, 17, 1}, 0};
      expect_equal(type, inside, outside, threads);
      // Three axes a side, none of which ends with one of the other side's.
      expect_equal(type, {Shape{5, 7, 11}, {200, 17, 1}, 0}, {Shape{11, 7, 5}, {100, 9, 1}, 0},
                   threads);
      if (HasFailure()) return;
    }
  }
}

TEST(EveryCount, OfElementsReadBackwardsOrApart) {
  for (const ElementType type : kWidths) {
    for (const std::int64_t step : {-3, -2, -1, 2, 3, 4, 5, 7}) {
      for (const std::int64_t count : {1, 15, 16, 17, 33, 64, 65, 200, 1031}) {
        // What is read backwards starts at its other end.
        expect_equal(type, {Shape{3, count}, {count * std::abs(step) + 3, step}, 0},
                     {Shape{3, count}, {count + 2, 1}, 0});
      }
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace reshape::optimized
