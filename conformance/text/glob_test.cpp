#include "conformance/text/glob.h"

#include <fnmatch.h>
#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

TEST(Glob, IsTheWholeId) {
  EXPECT_TRUE(matches("a/b", "a/b"));
  EXPECT_TRUE(matches("a*", "a/b.c-d"));
  EXPECT_TRUE(matches("*.i?", "x/y.i8"));
  EXPECT_FALSE(matches("a", "a/b"));
  EXPECT_FALSE(matches("b", "a/b"));
  EXPECT_FALSE(matches("a/B", "a/b"));
}

// It says what fnmatch(3) says, in a time that is bounded.
TEST(Glob, HasBracketsAndNoEscapes) {
  const char* const globs[] = {
      "",        "*",    "**a",          "[ab]c",         "[!a]*", "[^a]?", "[]a]",
      "[a-c]*x", "[a",   "[[:digit:]]?", "[[:alpha:]-]*", "[*]",   "a[*]b", "\\*",
      "*[b-]*",  "[a]]", "*a*b*",        "?*?",           "[[]",   "[!]a]", "a**",
      "[]",      "[!]"};
  const char* const ids[] = {"",   "a",     "ab", "bc", "]",  "-",  "*", "a*b", "\\*",
                             "1x", "axbxb", "[a", "[",  "a]", "[]", "x", "cx",  "[!]"};
  for (const char* glob : globs) {
    for (const char* id : ids) {
      EXPECT_EQ(matches(glob, id), fnmatch(glob, id, FNM_NOESCAPE) == 0) << glob << ' ' << id;
    }
  }
  std::string stars;
  for (int turn = 0; turn < 20'000; ++turn) stars += "*a";
  EXPECT_FALSE(matches(stars + "b", std::string(30'000, 'a')));
  EXPECT_TRUE(matches(std::string(20'000, '*') + "zz", "a/zz"));
}

}  // namespace
}  // namespace reshape::conformance
