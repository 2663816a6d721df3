#include "optimized/volume.h"

#include <gtest/gtest.h>

#include <vector>

namespace reshape::optimized {
namespace {

TEST(Volume, OfNothingIsOne) {
  const Volume volume({});
  EXPECT_TRUE(volume.is_one());
  EXPECT_EQ(volume.as_int64(), 1);
}

TEST(Volume, DividesExactly) {
  const std::vector<std::int64_t> sizes = {6, 35, std::int64_t{1} << 62};
  Volume volume(sizes);
  EXPECT_FALSE(volume.fits_int64());
  EXPECT_TRUE(volume.divide(std::int64_t{1} << 61));
  EXPECT_TRUE(volume.divide(21));
  ASSERT_TRUE(volume.fits_int64());
  EXPECT_EQ(volume.as_int64(), 20);
  EXPECT_FALSE(volume.divide(3));
}

TEST(Volume, TwoTo63DoesNotFitAndItsHalfDoes) {
  const std::vector<std::int64_t> sizes = {std::int64_t{1} << 62, 2};
  Volume volume(sizes);
  EXPECT_FALSE(volume.fits_int64());
  EXPECT_TRUE(volume.divide(2));
  EXPECT_EQ(volume.as_int64(), std::int64_t{1} << 62);
}

// 200 sizes of 62 bits need 194 words: more than are held in place.
TEST(Volume, GrowsBeyondWhatIsHeldInPlace) {
  const std::int64_t large = (std::int64_t{1} << 62) - 57;
  const std::vector<std::int64_t> sizes(200, large);
  Volume volume(sizes);
  for (int i = 0; i < 200; ++i) {
    ASSERT_FALSE(volume.is_one());
    ASSERT_TRUE(volume.divide(large)) << i;
  }
  EXPECT_TRUE(volume.is_one());
}

}  // namespace
}  // namespace reshape::optimized
