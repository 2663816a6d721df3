// The same copy on one thread and on several, with cuts at odd places.
#include "optimized/execute.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <thread>

#include "optimized/kernels/trial.h"

namespace reshape::optimized {
namespace {

class Threads : public testing::TestWithParam<int> {};

const std::vector<LoopNest>& large_nests() {
  static const std::vector<LoopNest> nests = {
      {8, 0, 0, {{3'000'017, 1, 1}}},
      {16, 0, 0, {{1'000'003, 0, 1}}},
      {32, 0, 0, {{400'001, 2, 1}}},
      {8, 0, 0, {{1'500'001, -1, 1}}},
      {4, 1, 0, {{3'000'001, 1, 1}}},
      {32, 0, 0, {{1027, 1030, 1024}, {1024, 1, 1}}},
      {32, 0, 0, {{1027, 1024, 1030}, {1024, 1, 1}}},
      {32, 0, 0, {{1001, 0, 1000}, {1000, 1, 1}}},
      permuted_nest(32, {1021, 1033}, {1, 0}),
      permuted_nest(16, {1024, 1024}, {1, 0}),
      permuted_nest(8, {1111, 1222}, {1, 0}, 0, 1),
      permuted_nest(64, {333, 777}, {1, 0}),
      permuted_nest(32, {200'003, 3}, {1, 0}),
      permuted_nest(8, {3, 500'009}, {1, 0}),
      permuted_nest(32, {100'003, 8}, {1, 0}),
      permuted_nest(32, {8, 100'003}, {1, 0}),
      permuted_nest(16, {8, 12, 257, 64}, {0, 2, 1, 3}),
      permuted_nest(32, {12, 8, 24, 16, 17}, {4, 3, 2, 1, 0}),
      permuted_nest(32, {5, 257, 80, 3}, {0, 1, 3, 2}),
  };
  return nests;
}

TEST_P(Threads, GiveTheSameBytes) {
  const std::unique_ptr<ThreadPool> pool = make_thread_pool(GetParam());
  EXPECT_EQ(pool->threads(), GetParam());
  for (const LoopNest& nest : large_nests()) {
    for (int shift : {0, 4, 9}) {
      Trial trial(nest, 0, shift);
      for (const bool stream : {false, true}) {
        EXPECT_EQ(
            trial.difference([&](const LoopNest& placed, const std::byte* read, std::byte* write) {
              PreparedCopy copy(placed, runnable_targets().front());
              copy.force_streaming(stream);
              copy.run(read, write, pool.get());
            }),
            "")
            << text(nest) << " shifted by " << shift;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(One, Threads, testing::Range(1, 5));

// A caller's pool that counts, and runs its tasks last first.
class Counting final : public ThreadPool {
 public:
  int threads() const override { return 3; }
  void run(int count, const std::function<void(int)>& task) override {
    ran += count;
    for (int i = count; i-- > 0;) task(i);
  }
  int ran = 0;
};

TEST(CallersPool, IsUsedForLargeCopies) {
  for (const LoopNest& nest : large_nests()) {
    Counting pool;
    Trial trial(nest, 0, 0);
    EXPECT_EQ(
        trial.difference([&](const LoopNest& placed, const std::byte* read, std::byte* write) {
          PreparedCopy(placed, runnable_targets().front()).run(read, write, &pool);
        }),
        "")
        << text(nest);
    if (nest.bits != 4) {
      EXPECT_GE(pool.ran, 3) << text(nest);
    }
  }
}

TEST(CallersPool, IsLeftAloneForSmallCopies) {
  Counting pool;
  Trial trial(permuted_nest(32, {100, 100}, {1, 0}), 0, 0);
  EXPECT_EQ(trial.difference([&](const LoopNest& placed, const std::byte* read, std::byte* write) {
    PreparedCopy(placed, runnable_targets().front()).run(read, write, &pool);
  }),
            "");
  EXPECT_EQ(pool.ran, 0);
}

TEST(Pool, RunsEachTaskOnce) {
  for (int threads : {0, 1, 2, 4}) {
    const std::unique_ptr<ThreadPool> pool = make_thread_pool(threads);
    for (int count : {0, 1, 2, 7, 100}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
      pool->run(count, [&](int i) { ++times[static_cast<std::size_t>(i)]; });
      for (const std::atomic<int>& ran : times) EXPECT_EQ(ran, 1);
    }
  }
}

// The processors that the calling thread may run on.
cpu_set_t processors() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  return set;
}

TEST(Pool, ItsThreadsStayOnTheProcessorsOfTheirMaker) {
  const cpu_set_t all = processors();
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is one processor";
  std::size_t last = 0;
  for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &all)) last = i;
  }
  std::thread([last] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    const auto pool = make_thread_pool(2);
    std::atomic<int> both = 0;
    // Each task waits for the other, so that both threads have one.
    pool->run(2, [&](int) {
      ++both;
      while (both < 2) std::this_thread::yield();
      const cpu_set_t mine = processors();
      EXPECT_TRUE(CPU_EQUAL(&mine, &one));
    });
  }).join();
}

// A pool thread may start only after the run has returned and its task is gone.
TEST(Pool, WaitsForTasksAndNotForThreads) {
  const auto pool = make_thread_pool(4);
  for (int round = 0; round < 3000; ++round) {
    const int count = 1 + round % 9;
    std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
    const std::function<void(int)> task = [&times](int i) {
      times[static_cast<std::size_t>(i)].fetch_add(1);
    };
    pool->run(count, task);
    for (const std::atomic<int>& one : times) ASSERT_EQ(one.load(), 1) << round;
  }
}

// Copies one layout to another, with and without threads, and compares with element by element.
void expect_copied(int bits, const Layout& data, const Layout& output) {
  const ElementType type = bits == 8    ? ElementType::u8
                           : bits == 16 ? ElementType::u16
                           : bits == 32 ? ElementType::u32
                                        : ElementType::u64;
  const Result<CopyPlan> plan = plan_copy(type, data, output);
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_FALSE(plan->seams.empty());
  ASSERT_GE(plan->read_bytes.begin, 0);
  ASSERT_GE(plan->write_bytes.begin, 0);
  std::vector<std::byte> read(static_cast<std::size_t>(plan->read_bytes.end));
  std::vector<std::byte> expected(static_cast<std::size_t>(plan->write_bytes.end) + 64,
                                  std::byte{0xA5});
  for (std::size_t i = 0; i < read.size(); ++i) read[i] = static_cast<std::byte>(i * 7 + i / 256);
  const std::vector<std::byte> poisoned = expected;
  std::vector<std::int64_t> from(data.shape.rank(), 0), to(output.shape.rank(), 0);
  do {
    naive_element(bits, read.data(), position_of(data, from), expected.data(),
                  position_of(output, to));
  } while (next_index(data.shape, from) && next_index(output.shape, to));
  const std::unique_ptr<ThreadPool> several = make_thread_pool(3);
  for (ThreadPool* pool : {static_cast<ThreadPool*>(nullptr), several.get()}) {
    for (const bool stream : {false, true}) {
      std::vector<std::byte> write = poisoned;
      run_copy(*plan, read.data(), write.data(), pool, {run_target(), stream, 3});
      EXPECT_EQ(write, expected) << bits << " bits, " << dump(*plan);
    }
    std::vector<std::byte> write = poisoned;
    run_copy(*plan, read.data(), write.data(), pool);
    EXPECT_EQ(write, expected) << bits << " bits, " << dump(*plan);
  }
}

TEST(RunCopy, WalksSeams) {
  const std::pair<Layout, Layout> copies[] = {
      // Rows with gaps, again and again.
      {{Shape({20, 6, 35}), {1000, 50, 1}, 0}, {Shape({20, 10, 21}), {800, 40, 1}, 3}},
      {{Shape({64, 7, 5}), {64, 8, 1}, 0}, {Shape({64, 5, 7}), {64, 8, 1}, 0}},
      // Read or written across, in steps, or backwards; more than fits into the stage, so that
      // pieces end within rows.
      {{Shape({300, 1001}), {1, 314}, 0}, {Shape({1001, 300}), {306, 1}, 0}},
      {{Shape({300, 1001}), {1004, 1}, 0}, {Shape({1001, 300}), {1, 1005}, 0}},
      {{Shape({77, 20}), {50, 2}, 0}, {Shape({20, 77}), {-80, -1}, 1600}},
      {{Shape({7, 11, 13}), {-150, 13, -1}, 1000}, {Shape({13, 7, 11}), {100, 1, 9}, 0}},
      {{Shape({2, 70'001}), {70'010, 1}, 0}, {Shape({70'001, 2}), {1, 70'011}, 5}},
      // Seams in the midst of loops, and two of them.
      {{Shape({12, 10, 7}), {1, 150, 13}, 0}, {Shape({10, 12, 7}), {120, 9, 1}, 0}},
      {{Shape({60, 50, 70}), {4000, 75, 1}, 0}, {Shape({70, 100, 30}), {4000, 36, 1}, 0}},
      {{Shape({6, 4, 10, 7}), {400, 60, 9, 1}, 0}, {Shape({4, 6, 7, 10}), {600, 90, 12, 1}, 0}},
      // Neighbours in long rows, and each element read several times.
      {{Shape({9, 7, 5, 80}), {4000, 560, 80, 1}, 0},
       {Shape({9, 5, 7, 80}), {4400, 800, 80, 1}, 0}},
      {{Shape({60, 50}), {0, 1}, 0}, {Shape({40, 75}), {80, 1}, 0}},
      // Few elements.
      {{Shape({2, 3}), {5, 1}, 0}, {Shape({3, 2}), {3, 1}, 0}},
      {{Shape({9, 20}), {1, 11}, 0}, {Shape({20, 9}), {10, 1}, 2}},
      {{Shape({4, 4, 7}), {40, 9, 1}, 0}, {Shape({4, 7, 4}), {40, 5, 1}, 0}},
  };
  for (const auto& [data, output] : copies) {
    for (const int bits : {8, 16, 32, 64}) expect_copied(bits, data, output);
  }
}

TEST(RunCopy, CopiesTheSmallestDirectly) {
  for (int bits : {4, 8, 16, 32, 64}) {
    for (const LoopNest& nest :
         {permuted_nest(bits, {4, 6}, {1, 0}), permuted_nest(bits, {}, {}),
          permuted_nest(bits, {2, 3, 4}, {2, 0, 1}, 1, 2), permuted_nest(bits, {0, 3}, {1, 0})}) {
      Trial trial(nest, 0, 0);
      EXPECT_EQ(
          trial.difference([](const LoopNest& placed, const std::byte* read, std::byte* write) {
            CopyPlan plan;
            plan.nest = placed;
            run_copy(plan, read, write, nullptr);
          }),
          "")
          << text(nest);
    }
  }
}

TEST(Prepared, SaysWhatItWillDo) {
  const PreparedCopy copy(permuted_nest(32, {3, 64, 64}, {0, 2, 1}), runnable_targets().back());
  EXPECT_EQ(copy.text(), "transpose of 4 bytes, scalar: 3(16384->16384) [ 64(4->256) 64(256->4) ]");
}

TEST(Prepared, SaysOfHalfBytesWhatRuns) {
  struct Case {
    std::vector<std::int64_t> sizes;  // of a table that is transposed
    const char* words;
  };
  for (const Case& one :
       {Case{{65, 95}, "half bytes unpacked to bytes and packed again, between them "},
        Case{{1201, 24}, "half bytes of every two rows joined to bytes, and then "},
        Case{{24, 1201}, "bytes parted to half bytes of every two rows, and before "}}) {
    const LoopNest nest = permuted_nest(4, one.sizes, {1, 0});
    const PreparedCopy copy(nest, run_target());
    const auto bytes = HalfBytesAsBytes::of(in_units(nest), run_target());
    ASSERT_TRUE(bytes) << copy.text();
    EXPECT_EQ(copy.choice().kernel, bytes->choice().kernel);
    EXPECT_TRUE(
        copy.text().starts_with(one.words + std::string(bytes->choice().kernel->name) + " of "))
        << copy.text();
  }
}

// What is moved in pairs begins with a whole byte on one side, and goes another way where it does
// not.
TEST(Prepared, MovesHalfBytesInPairsFromEitherHalf) {
  for (const Target& target : runnable_targets()) {
    for (const auto& sizes :
         {std::vector<std::int64_t>{24, 1201}, {1201, 24}, {2, 600}, {8, 601}}) {
      for (const std::int64_t read : {0, 1}) {
        for (const std::int64_t write : {0, 1}) {
          LoopNest nest = permuted_nest(4, sizes, {1, 0});
          nest.read_offset = read;
          nest.write_offset = write;
          Trial trial(nest, 0, 0);
          const auto copied = [&](const LoopNest& placed, const std::byte* from, std::byte* to) {
            PreparedCopy(placed, target).run(from, to, nullptr);
          };
          EXPECT_EQ(trial.difference(copied), "")
              << text(nest) << ' ' << read << ' ' << write << ' ' << target.name;
        }
      }
    }
  }
}

// The words before "since".
std::string way_of(ElementType type, const Layout& from, const Layout& to) {
  const std::string said = explanation(*plan_copy(type, from, to));
  return said.substr(0, said.find(", since"));
}

TEST(Explanation, NamesWhatCopiesWithoutAKernelOfItsOwn) {
  const auto run = [](std::int64_t n) { return Layout{Shape{n}, {1}, 0}; };
  EXPECT_EQ(way_of(ElementType::u8, run(32 << 10), run(32 << 10)), "memcpy");
  EXPECT_EQ(way_of(ElementType::f64, run(4 << 10), run(4 << 10)), "memcpy");
  EXPECT_EQ(way_of(ElementType::u8, {Shape{8, 8}, {1, 8}, 0}, {Shape{8, 8}, {8, 1}, 0}),
            "element by element");
  const Layout rows{Shape{4, 7}, {9, 1}, 0}, steps{Shape{4, 7}, {30, 3}, 0};
  const Layout others{Shape{7, 4}, {5, 1}, 0};
  EXPECT_EQ(way_of(ElementType::u8, rows, others), "1 seam(s): row by row");
  EXPECT_EQ(way_of(ElementType::u8, steps, others), "1 seam(s): element by element");
  EXPECT_EQ(way_of(ElementType::u4, steps, others),
            "1 seam(s): run by run, each by a kernel for its length");
}

}  // namespace
}  // namespace reshape::optimized
