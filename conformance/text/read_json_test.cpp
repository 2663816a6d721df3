#include "conformance/text/read_json.h"

#include <gtest/gtest.h>

#include <string>

namespace reshape::conformance {
namespace {

std::string error_of(std::string_view text) {
  const Result<nlohmann::json> read = read_json(text);
  return read ? "none" : read.error().text();
}

TEST(ReadJson, IsWhatTheTextHolds) {
  const std::string text = R"({"a":[1,{"a":2,"b":3},{"a":4}],"b":{"a":null}})";
  EXPECT_EQ(read_json(text)->dump(), text);
}

TEST(ReadJson, NoKeyIsGivenTwice) {
  EXPECT_EQ(error_of(R"({"a":1,"b":2,"a":1})"), "the key \"a\" is given twice");
  EXPECT_EQ(error_of(R"({"runs":[{"cases":[{"id":1},[{}],{"id":1,"x":{"id":2},"id":3}]}]})"),
            "the key \"id\" is given twice in runs[0].cases[2]");
  EXPECT_EQ(error_of(R"([[0,[1,2],{"a":0,"a":0}]])"), "the key \"a\" is given twice in [0][2]");
  // An escaped spelling is the same key.
  EXPECT_EQ(error_of(R"({"a":1,"\u0061":2})"), "the key \"a\" is given twice");
}

TEST(ReadJson, WhatIsNoJsonIsToldWithItsPlace) {
  for (const auto& [text, place] :
       {std::pair("", "line 1, column 1"), std::pair("{\n\"a\":\n\n1", "line 4, column 2"),
        std::pair("nonsense", "line 1, column 2"), std::pair("{\"a\":1}}", "line 1, column 8"),
        std::pair("[1,]", "line 1, column 4")}) {
    EXPECT_TRUE(error_of(text).starts_with(std::string("is no JSON: parse error at ") + place))
        << text << " -> " << error_of(text);
  }
  EXPECT_EQ(error_of("1e400"), "is no JSON: number overflow parsing '1e400'");
}

}  // namespace
}  // namespace reshape::conformance
