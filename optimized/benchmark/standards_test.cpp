#include "optimized/benchmark/standards.h"

#include <gtest/gtest.h>

#include <sstream>

#include "optimized/benchmark/workloads.h"

namespace reshape::optimized {
namespace {

std::string said(const std::vector<Row>& rows) {
  std::ostringstream out;
  print_standing(out, rows);
  return out.str();
}

bool says(const std::vector<Row>& rows, std::string_view text) {
  return said(rows).find(text) != std::string::npos;
}

TEST(Standards, EveryLayoutRowHasOne) {
  for (const Workload& workload : layout_workloads()) {
    const std::string name = std::string("layout/") + workload.name + "/f32/1T";
    EXPECT_NE(standard_of(name), nullptr) << name;
  }
  EXPECT_EQ(standard_of("onednn/01 of another group/f32/1T"), nullptr);
  EXPECT_EQ(standard_of("layout/other/01 copy 4096x4096/u8/1T"), nullptr);
}

TEST(Standards, MeanIsGeometricOverThePeerOfAsManyThreads) {
  // 02: .29 at one thread, .52 at two; 12: .51 and .76.
  EXPECT_TRUE(says({{"layout/02 a/f32/1T", .58, {}}, {"layout/12 b/f32/1T", 4.08, {}}},
                   "layout, 1 thread: 4.00 times the best peer of each row in the geometric mean; "
                   "2 of 2"));
  EXPECT_TRUE(says({{"layout/02 a/f32/2T", .52, {}}, {"layout/12 b/f32/2T", .19, {}}},
                   "layout, 2 threads: 0.50 times"));
  EXPECT_EQ(said({}), "");
}

TEST(Standards, WhatIsMissedIsSaidAndWhatIsReachedIsNot) {
  const std::string text = said({{"layout/02 a/f32/1T", .596, {}},
                                 {"layout/03 b/bf16/1T", .40, {}},
                                 {"layout/12 c/f32/1T", .45, {}},
                                 {"layout/12 c/f32/2T", .70, {}}});
  EXPECT_EQ(text.find("  02 at"), std::string::npos) << text;
  EXPECT_NE(text.find("  03 at 0.40, to reach 0.50; rows a power of two apart"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  12 at 0.45, to reach 0.70, HPTT has 0.51\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  12 at 0.70, HPTT has 0.76; at two threads"), std::string::npos) << text;
}

TEST(Standards, WhatRanBesideOursCountsWhenItIsBetter) {
  const Peer apart = best_peer({"layout/19 a/f32/1T", .87, {{"Eigen", .10}, {"oneDNN", 0}}});
  EXPECT_EQ(apart.name, "XLA");
  EXPECT_TRUE(apart.apart);
  const Peer beside = best_peer({"layout/19 a/f32/1T", .87, {{"Eigen", .10}, {"oneDNN", .68}}});
  EXPECT_EQ(beside.name, "oneDNN");
  EXPECT_EQ(beside.fraction, .68);
  EXPECT_FALSE(beside.apart);
}

TEST(Standards, LibtorchMeasuredTakesThePlaceOfPyTorchMeasuredApart) {
  // 17 at one thread: PyTorch .79, and the best of the rest .46.
  EXPECT_EQ(best_peer({"layout/17 a/bf16/1T", .9, {{"oneDNN", .52}}}).name, "PyTorch");
  const Peer slower = best_peer({"layout/17 a/bf16/1T", .9, {{"oneDNN", .52}, {"libtorch", .70}}});
  EXPECT_EQ(slower.name, "libtorch");
  EXPECT_EQ(slower.fraction, .70);
  EXPECT_EQ(best_peer({"layout/17 a/bf16/1T", .9, {{"libtorch", .30}}}).name, "oneDNN");
}

TEST(Standards, RowsWithoutAStandardAreHeldToThoseBesideThem) {
  const std::vector<Row> rows = {{"onednn/merge 4,512/f32/1T", .8, {{"oneDNN", .4}}},
                                 {"onednn/reshape 1,1/f32/1T", .4, {{"oneDNN", .8}}},
                                 {"onednn/other/merge 4,512/u8/1T", .9, {}}};
  EXPECT_TRUE(says(rows,
                   "onednn, 1 thread: 1.00 times the best peer of each row in the geometric mean; "
                   "1 of 2 rows not below it\n  reshape 1,1/f32 at 0.40, oneDNN has 0.80\n"));
  EXPECT_FALSE(says(rows, "onednn/other"));
}

}  // namespace
}  // namespace reshape::optimized
