#include "conformance/models/fold.h"

#include <gtest/gtest.h>

#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

ModelReshape reshape(const std::string& line, const std::string& id) {
  return {*parse_line(line, "openvino-reshape-1"), {"layer", id, "model.xml:1"}, {}};
}

std::vector<std::string> ids(const FoldedReshape& folded) {
  std::vector<std::string> all;
  for (const LayerPlace& layer : folded.layers) all.push_back(layer.id);
  return all;
}

TEST(Fold, PutsTheMostFrequentFirstAndKeepsTheOrderOfTheFile) {
  const std::string rare = "f32[6] i64[2,3] special_zero=true";
  const std::string frequent = "f32[6] i64[3,2] special_zero=true";
  const std::string other_flag = "f32[6] i64[3,2] special_zero=false";
  const std::vector<FoldedReshape> folded =
      fold({reshape(rare, "a"), reshape(frequent, "b"), reshape(other_flag, "c"),
            reshape(frequent, "d")});
  ASSERT_EQ(folded.size(), 3U);
  EXPECT_EQ(ids(folded[0]), (std::vector<std::string>{"b", "d"}));
  EXPECT_EQ(ids(folded[1]), std::vector<std::string>{"a"});
  EXPECT_EQ(ids(folded[2]), std::vector<std::string>{"c"});
  EXPECT_EQ(folded[2].request.special_zero, false);
}

TEST(Fold, KeepsTypesApart) {
  EXPECT_EQ(fold({reshape("f32[6] i64[6] special_zero=true", "a"),
                  reshape("f16[6] i64[6] special_zero=true", "b"),
                  reshape("f32[6] i32[6] special_zero=true", "c")})
                .size(),
            3U);
}

}  // namespace
}  // namespace reshape::conformance
