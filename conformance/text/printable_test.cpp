#include "conformance/text/printable.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

TEST(Printable, LeavesWhatIsPlain) {
  EXPECT_EQ(printable("plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ShowsControlBytesAndBrokenCharacters) {
  EXPECT_EQ(printable("a\nb\x1b[0m\x7f\x07"), "a\\nb\\x1b[0m\\x7f\\x07");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xff\xc0\x80\xed\xa0\x80\xc3"), "\\xff\\xc0\\x80\\xed\\xa0\\x80\\xc3");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, KeepsTheShapeOfOurOwnLines) {
  EXPECT_EQ(printable_lines("a\tb\x1b\n\xff\n"), "a\tb\\x1b\n\\xff\n");
  EXPECT_EQ(printable_lines("\n\n"), "\n\n");
  EXPECT_EQ(printable_lines(""), "");
}

// Characters that make a name read differently than it is, and controls of two bytes in UTF-8.
TEST(Printable, ShowsWhatTurnsTextRoundOrHides) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b\xe2\x81\xa6"),
            "a\\u202eb\\u2066");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J\xc2\x85"),
            "\\u009b2J\\u0085");
  EXPECT_EQ(printable("a\xe2\x80\x8b"
                      "b\xef\xbb\xbf\xe2\x80\xa8"),
            "a\\u200bb\\ufeff\\u2028");
  EXPECT_EQ(printable("\xef\xbf\xbf"), "\\uffff");
}

TEST(Printable, ShowsWhatACiServiceWouldTakeForACommand) {
  EXPECT_EQ(printable("::stop-commands::x"), "\\x3a:stop-commands::x");
  EXPECT_EQ(printable(" \xc2\xa0::error::x"), " \xc2\xa0\\x3a:error::x");
  EXPECT_EQ(printable("std::string ::x"), "std::string ::x");
  EXPECT_EQ(printable("a ##[group]b ##vso[task.x]"), "a \\x23#[group]b \\x23#vso[task.x]");
  EXPECT_EQ(printable("###[x] ## [x] #[x]"), "#\\x23#[x] ## [x] #[x]");
  EXPECT_EQ(printable_lines("::error::x\n"), "::error::x\n");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("ab\xc3\xa4", 3), "ab...");
  EXPECT_EQ(printable("ab\x1b", 5), "ab...");
}

}  // namespace
}  // namespace reshape::conformance
