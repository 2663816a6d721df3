// Copies that are asked for again and again come out as they did the first time.
#include "optimized/known_copies.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "optimized/setting.h"

namespace reshape::optimized {
namespace {

// A copy of f32 elements, and what it is to write.
struct Asked {
  Layout data, output;

  Asked(std::vector<std::int64_t> sizes, Strides strides)
      : data{Shape(sizes), std::move(strides), 0}, output{Shape(sizes), {}, 0} {
    output.strides.resize(sizes.size());
    std::int64_t step = 1;
    for (std::size_t i = sizes.size(); i-- > 0; step *= sizes[i]) output.strides[i] = step;
  }

  // As the plug-in does it; true where the copy was known.
  bool copy(const std::vector<float>& from, std::vector<float>& to) const {
    const auto* read = reinterpret_cast<const std::byte*>(from.data());
    auto* write = reinterpret_cast<std::byte*>(to.data());
    Side in(data), out(output);
    EXPECT_TRUE(look_at(in) && look_at(out));
    if (const auto ran = run_known(ElementType::f32, in, out, read, write)) {
      EXPECT_EQ(*ran, Ran::copied);
      return true;
    }
    CopyPlan plan;
    EXPECT_FALSE(plan_copy(ElementType::f32, in, out, plan));
    EXPECT_EQ(run(plan, read, write, nullptr), Ran::copied);
    remember(ElementType::f32, in, out, plan);
    return false;
  }

  bool right(const std::vector<float>& from, const std::vector<float>& to) const {
    const Shape& shape = data.shape;
    for (std::int64_t i = 0; i < shape[0]; ++i) {
      for (std::int64_t j = 0; j < shape[1]; ++j) {
        const auto at = static_cast<std::size_t>(i * data.strides[0] + j * data.strides[1]);
        if (to[static_cast<std::size_t>(i * shape[1] + j)] != from[at]) return false;
      }
    }
    return true;
  }
};

std::vector<float> counted_from(float first) {
  std::vector<float> values(4096);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(KnownCopies, AreRightOnBuffersOfTheirOwn) {
  const Asked transposed({40, 30}, {1, 40});
  bool known = false;
  for (int time = 0; time < 4; ++time) {
    const std::vector<float> from = counted_from(static_cast<float>(1000 * time));
    std::vector<float> to(4096, -1);
    known = transposed.copy(from, to);
    EXPECT_TRUE(transposed.right(from, to)) << "time " << time;
  }
  EXPECT_TRUE(known);
}

TEST(KnownCopies, MayHaveSeams) {
  Asked rows({40, 7}, {9, 1});
  rows.output = {Shape{70, 4}, {5, 1}, 0};
  const std::vector<float> from = counted_from(1);
  std::vector<float> once(4096, -1);
  EXPECT_FALSE(rows.copy(from, once));
  bool known = false;
  for (int time = 0; time < 3; ++time) {
    std::vector<float> to(4096, -1);
    known = rows.copy(from, to);
    EXPECT_EQ(to, once);
  }
  EXPECT_TRUE(known);
}

TEST(KnownCopies, DifferInWhatTheyAreKnownBy) {
  const std::vector<float> from = counted_from(1);
  std::vector<float> to(4096);
  const Asked one({20, 30}, {30, 1}), other({20, 30}, {1, 20}), gaps({20, 30}, {32, 1});
  for (int time = 0; time < 6; ++time) {
    for (const Asked* asked : {&one, &other, &gaps}) {
      asked->copy(from, to);
      EXPECT_TRUE(asked->right(from, to)) << "time " << time;
    }
  }
}

TEST(KnownCopies, AreNotTakenForOthersThatShareTheirPlace) {
  const std::vector<float> from = counted_from(1);
  std::vector<float> to(4096);
  const Asked one({20, 30}, {1, 20});
  for (int time = 0; time < 3; ++time) one.copy(from, to);
  const auto known = [&](ElementType type, const Layout& data, const Layout& output) {
    Side in(data), out(output);
    EXPECT_TRUE(look_at(in) && look_at(out));
    return run_known(type, in, out, reinterpret_cast<const std::byte*>(from.data()),
                     reinterpret_cast<std::byte*>(to.data()))
        .has_value();
  };
  ASSERT_TRUE(known(ElementType::f32, one.data, one.output));
  // There are only 256 places, so some of these many other copies fall into the same one.
  for (const ElementType type : kAllElementTypes) {
    EXPECT_EQ(known(type, one.data, one.output), type == ElementType::f32) << name(type);
  }
  for (std::int64_t more = 1; more <= 200; ++more) {
    Layout data = one.data, output = one.output, moved = one.data;
    data.strides[1] += more;
    output.strides[0] += more;
    moved.offset = more;
    EXPECT_FALSE(known(ElementType::f32, data, one.output)) << more;
    EXPECT_FALSE(known(ElementType::f32, one.data, output)) << more;
    EXPECT_FALSE(known(ElementType::f32, moved, one.output)) << more;
    EXPECT_FALSE(known(ElementType::f32, Asked({20 + more, 30}, {1, 20}).data, one.output));
  }
}

TEST(KnownCopies, TellAnOverlapAsOthersDo) {
  const Asked transposed({17, 19}, {1, 17});
  std::vector<float> values = counted_from(0), to(4096);
  for (int time = 0; time < 3; ++time) transposed.copy(values, to);
  auto* bytes = reinterpret_cast<std::byte*>(values.data());
  Side in(transposed.data), out(transposed.output);
  ASSERT_TRUE(look_at(in) && look_at(out));
  EXPECT_EQ(run_known(ElementType::f32, in, out, bytes, bytes + 4), Ran::overlap);
  EXPECT_EQ(values, counted_from(0));
}

TEST(KnownCopies, AreUsedByThreadsAtOnce) {
  std::atomic<int> wrong = 0;
  const auto work = [&wrong](int thread) {
    const std::vector<float> from = counted_from(static_cast<float>(thread));
    std::vector<float> to(4096);
    for (int time = 0; time < 2000; ++time) {
      const std::int64_t n = 20 + (time + thread) % 3;
      const Asked asked({n, 30}, {1, n});
      asked.copy(from, to);
      if (!asked.right(from, to)) ++wrong;
    }
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) threads.emplace_back(work, thread);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace reshape::optimized
