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
  // The same letters written otherwise are the same key.
  EXPECT_EQ(error_of(R"({"a":1,"\u0061":2})"), "the key \"a\" is given twice");
}

TEST(ReadJson, WhatIsNoJsonIsNothing) {
  for (const char* text : {"", "{", "{\"a\":1", "nonsense", "{\"a\":1}}", "[1,]"}) {
    std::string why;
    const Result<nlohmann::json> read = read_json(text, &why);
    ASSERT_TRUE(read) << text;
    EXPECT_TRUE(read->is_discarded()) << text;
    EXPECT_FALSE(why.empty()) << text;
  }
}

}  // namespace
}  // namespace reshape::conformance
