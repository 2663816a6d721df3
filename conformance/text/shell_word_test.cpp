#include "conformance/text/shell_word.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

TEST(ShellWord, IsQuotedWhereAShellWouldReadItOtherwise) {
  EXPECT_EQ(shell_word("a-b/c.so"), "a-b/c.so");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("a \xff\n'"), "$'a \\377\\012\\''");
}

}  // namespace
}  // namespace reshape::conformance
