#include "conformance/command/list_since.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

Case one_case(const std::string& id, Shape data, Shape produced) {
  Case one;
  one.id = id;
  one.request.dialect = "one";
  one.request.data = std::move(data);
  one.request.pattern.values = {-1};
  one.expect = Ruling::produces(std::move(produced));
  return one;
}

Suite suite_now() {
  Suite suite;
  suite.version = "2.1.0";
  Document document;
  document.dialect.name = "one";
  document.cases =
      std::vector<Case>{one_case("one/kept", {2, 3}, {6}), one_case("one/fresh", {7}, {7}),
                        one_case("one/renamed", {8}, {8}), one_case("one/asks-else", {9}, {9}),
                        one_case("one/expects-else", {10}, {10})};
  suite.documents.push_back(std::move(document));
  return suite;
}

constexpr const char* kOlder = R"({"suite": "2.0.0", "cases": [
  {"id": "one/kept", "request": "one f32[2,3] i64[-1]", "expect": "produces [6]"},
  {"id": "one/old-name", "request": "one f32[8] i64[-1]", "expect": "produces [8]"},
  {"id": "one/asks-else", "request": "one f32[99] i64[-1]", "expect": "produces [99]"},
  {"id": "one/expects-else", "request": "one f32[10] i64[-1]", "expect": "rejects volume.kept"},
  {"id": "one/lost", "request": "one f32[11] i64[-1]", "expect": "produces [11]"},
  {"id": "one/twice", "request": "one f32[2,3] i64[-1]", "expect": "produces [6]"}]})";

TEST(ListSince, TellsByIdAndByRequest) {
  const Result<std::string> changes = changes_since(kOlder, suite_now());
  ASSERT_TRUE(changes) << changes.error().text();
  EXPECT_EQ(*changes,
            "changed  one/asks-else  asked one f32[99] i64[-1], now one f32[9] i64[-1]\n"
            "changed  one/expects-else  expected rejects volume.kept, now produces [10]\n"
            "new      one/fresh  one f32[7] i64[-1] -> produces [7]\n"
            "renamed  one/renamed  was one/old-name\n"
            "gone     one/lost  one f32[11] i64[-1] -> produces [11]\n"
            "gone     one/twice  its request is asked by one/kept\n"
            "1 new, 2 changed, 1 renamed, 2 gone between suite 2.0.0 and 2.1.0\n");
}

// Two cases of one request had their say, and one of another name is left of them.
TEST(ListSince, TellsEachIdOnce) {
  const Result<std::string> changes = changes_since(R"({"suite": "2.0.0", "cases": [
    {"id": "one/a", "request": "one f32[8] i64[-1]", "expect": "produces [8]"},
    {"id": "one/b", "request": "one f32[8] i64[-1]", "expect": "produces [8]"}]})",
                                                    suite_now());
  ASSERT_TRUE(changes) << changes.error().text();
  EXPECT_NE(changes->find("renamed  one/renamed  was one/a\n"), std::string::npos) << *changes;
  EXPECT_NE(changes->find("gone     one/b  its request is asked by one/renamed\n"),
            std::string::npos)
      << *changes;
}

TEST(ListSince, RefusesWhatIsNoList) {
  EXPECT_TRUE(changes_since("[1,\n", suite_now())
                  .error()
                  .message.starts_with("is no JSON: parse error at line 2, column 1: "));
  for (const char* other : {"[]", "{}", R"({"cases": [1]})", R"({"cases": [{"id": 7}]})",
                            R"({"suite": {}, "cases": []})"}) {
    EXPECT_FALSE(changes_since(other, suite_now())) << other;
  }
}

TEST(ListSince, AFilteredListIsNoSuite) {
  const Result<std::string> changes = changes_since(
      R"({"suite": "2.0.0", "of": 2, "cases": [)"
      R"({"id": "one/kept", "request": "one f32[2,3] i64[-1]", "expect": "produces [6]"}]})",
      suite_now());
  ASSERT_FALSE(changes);
  EXPECT_EQ(changes.error().text(), "whole suites are compared, and this lists 1 of 2 cases");
}

}  // namespace
}  // namespace reshape::conformance
