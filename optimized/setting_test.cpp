#include "optimized/setting.h"

#include <gtest/gtest.h>

namespace reshape::optimized {
namespace {

TEST(Setting, ByDefaultAllThreads) {
  for (const char* unset : {static_cast<const char*>(nullptr), ""}) {
    const Setting setting = setting_for(unset, unset);
    EXPECT_EQ(setting.threads, usable_threads());
    EXPECT_EQ(setting.fault, "");
  }
}

TEST(Setting, NumberOfThreads) {
  EXPECT_EQ(setting_for("7", "scalar").threads, 7);
  EXPECT_EQ(setting_for("7", "scalar").fault, "");
  for (const char* wrong : {"0", "-1", "seven", "7 ", "99999999999999", "1025"}) {
    EXPECT_EQ(setting_for(wrong, nullptr).fault,
              "RESHAPE_THREADS: '" + std::string(wrong) + "' is not a number from 1 to 1024");
  }
}

TEST(Setting, AnUnknownTargetIsAFaultThatNamesTheKnownOnes) {
  const std::string fault = setting_for("2", "mmx").fault;
  EXPECT_TRUE(fault.starts_with("RESHAPE_TARGET: ")) << fault;
  EXPECT_NE(fault.find("'mmx'"), std::string::npos) << fault;
  EXPECT_NE(fault.find("scalar"), std::string::npos) << fault;
}

}  // namespace
}  // namespace reshape::optimized
