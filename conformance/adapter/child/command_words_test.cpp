#include "conformance/adapter/child/command_words.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace reshape::conformance {
namespace {

using Words = std::vector<std::string>;

Words split(std::string_view line) {
  const Result<Words> words = command_words(line);
  return words ? *words : Words{"error: " + words.error().text()};
}

TEST(CommandWords, BlanksPartWords) {
  EXPECT_EQ(split("python3 mine.py --fast"), (Words{"python3", "mine.py", "--fast"}));
  EXPECT_EQ(split("  python3 \t mine.py\n"), (Words{"python3", "mine.py"}));
}

TEST(CommandWords, QuotesKeepBlanksAndMakeEmptyWords) {
  EXPECT_EQ(split("'my python' \"a b\" '' \"\""), (Words{"my python", "a b", "", ""}));
  EXPECT_EQ(split("a'b c'd\"e f\""), (Words{"ab cde f"}));
}

TEST(CommandWords, BackslashesKeepWhatIsBehindThem) {
  EXPECT_EQ(split(R"(a\ b \'c \\)"), (Words{"a b", "'c", "\\"}));
  EXPECT_EQ(split(R"("a\"b\\c\n")"), (Words{R"(a"b\c\n)"}));
  EXPECT_EQ(split(R"('a\b')"), (Words{R"(a\b)"}));
}

TEST(CommandWords, NothingIsExpanded) {
  EXPECT_EQ(split("echo $HOME *.py ~ a;b|c >d #e"),
            (Words{"echo", "$HOME", "*.py", "~", "a;b|c", ">d", "#e"}));
}

TEST(CommandWords, WhatHasNoEndIsAnError) {
  EXPECT_EQ(split("a 'b"), (Words{"error: the quote ' never ends"}));
  EXPECT_EQ(split("a \"b\\\""), (Words{"error: the quote \" never ends"}));
  EXPECT_EQ(split("a \\"), (Words{"error: it ends with a backslash"}));
  EXPECT_EQ(split(" "), (Words{"error: it names no program"}));
}

TEST(ChildWords, AFunctionInPythonIsServedByTheModule) {
  unsetenv("RESHAPE_PYTHON");
  const auto words_of = [](std::string_view library) {
    const Result<Words> words = child_words(library);
    return words ? *words : Words{"error: " + words.error().text()};
  };
  EXPECT_EQ(words_of("python:my module:reshape"),
            (Words{"python3", "-m", "reshape_conformance", "my module:reshape"}));
  setenv("RESHAPE_PYTHON", "/opt/my python", 1);
  EXPECT_EQ(words_of("python:a.py:b"),
            (Words{"/opt/my python", "-m", "reshape_conformance", "a.py:b"}));
  unsetenv("RESHAPE_PYTHON");
  EXPECT_EQ(words_of("python:"), (Words{"error: it names no function: python:module:function"}));
  EXPECT_EQ(words_of("child:a 'b c'"), (Words{"a", "b c"}));
  EXPECT_FALSE(names_child("./child.so"));
}

}  // namespace
}  // namespace reshape::conformance
