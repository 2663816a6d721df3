#include "conformance/files/plain_text.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

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

TEST(PlainText, TellsTheFirstByteThatIsNoUtf8) {
  EXPECT_FALSE(not_plain_text("\x7f \xc2\x80 \xe0\xa0\x80 \xed\x9f\xbf \xf4\x8f\xbf\xbf", "a"));
  EXPECT_EQ(not_plain_text("one\ngr\xfc\xdf", "a")->text(), "a:2:3: a byte that is no UTF-8, fc");
  const char* const kNone[] = {"\x80",
                               "\xc0\x80",
                               "\xc3",
                               "\xe0\x9f\x80",
                               "\xed\xa0\x80",
                               "\xf0\x8f\x80\x80",
                               "\xf4\x90\x80\x80",
                               "\xff",
                               "\xe2\x82"};
  for (const char* text : kNone) EXPECT_TRUE(not_plain_text(text, "a")) << text;
}

TEST(PlainText, IsReadOrRefusedWithItsPlace) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "plain-text").string();
  std::ofstream(path, std::ios::binary) << "known: []\n";
  EXPECT_EQ(*read_text(path, 100), "known: []\n");
  std::ofstream(path, std::ios::binary) << "known: []\n\0- more"s;
  EXPECT_EQ(read_text(path, 100).error().where, path + ":2:1");
  std::filesystem::remove(path);
}

class ReadFile : public ::testing::Test {
 protected:
  ReadFile() : folder(std::filesystem::path(::testing::TempDir()) / "read-file") {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  ~ReadFile() override { std::filesystem::remove_all(folder); }
  std::string path(const char* name) const { return (folder / name).string(); }

  const std::filesystem::path folder;
};

TEST_F(ReadFile, GivesTheWholeOfAFile) {
  std::ofstream(path("a"), std::ios::binary) << std::string(100'000, 'x') << '\0' << "end";
  const Result<std::string> text = read_file(path("a"), 1 << 20);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->size(), 100'004u);
}

// Reading any of these must neither block nor go on until the end.
TEST_F(ReadFile, RefusesWhatIsNoFileAndWhatIsTooLarge) {
  EXPECT_EQ(read_file(path("none"), 1).error().message,
            "cannot be read: No such file or directory");
  EXPECT_EQ(read_file(folder.string(), 1).error().message, "cannot be read: it is a folder");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(path("pipe"), 1).error().message, "not read: it is no regular file");
  EXPECT_EQ(read_file("/dev/zero", 1).error().message, "not read: it is no regular file");
  std::ofstream(path("large")) << std::string((1 << 20) + 1, 'x');
  EXPECT_EQ(read_file(path("large"), 1 << 20).error().text(),
            path("large") + ": larger than 1 MiB");
}

}  // namespace
}  // namespace reshape::conformance
