#include "conformance/files/plain_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace reshape::conformance {
namespace {

using namespace std::string_literals;

TEST(PlainText, TellsTheFirstNulByLineAndColumn) {
  EXPECT_FALSE(not_plain_text("", "a"));
  EXPECT_FALSE(not_plain_text("one\ntwo\n", "a"));
  EXPECT_EQ(not_plain_text("\0"s, "a")->text(), "a:1:1: a NUL, which no text holds");
  EXPECT_EQ(not_plain_text("one\ntw\0o\0"s, "a")->where, "a:2:3");
  EXPECT_EQ(not_plain_text("one\n\0"s, "a")->where, "a:2:1");
}

TEST(PlainText, IsReadOrRefusedWithItsPlace) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "plain-text").string();
  std::ofstream(path, std::ios::binary) << "known: []\n";
  EXPECT_EQ(*read_text(path, 100), "known: []\n");
  std::ofstream(path, std::ios::binary) << "known: []\n\0- more"s;
  EXPECT_EQ(read_text(path, 100).error().where, path + ":2:1");
  EXPECT_EQ(read_text(path + "-none", 100).error().message,
            "cannot be read: No such file or directory");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace reshape::conformance
