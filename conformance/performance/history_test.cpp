#include "conformance/performance/history.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance::performance {
namespace {

const char* const kResult = R"({"context": {"identity": "one", "library": "a.so"}, "benchmarks": [
  {"run_type": "iteration", "workload": "copy, <1>", "real_time": 300, "fraction_of_best_copy": 0.5},
  {"run_type": "iteration", "workload": "copy, <1>", "real_time": 300, "fraction_of_best_copy": 0.25},
  {"run_type": "iteration", "workload": "infer", "real_time": 90, "ask": "infer x"},
  {"run_type": "iteration", "workload": "view", "real_time": 90, "product_loops": 12},
  {"run_type": "iteration", "workload": "crashed", "real_time": 0, "error_occurred": true},
  {"run_type": "aggregate", "workload": "infer", "real_time": 7}]})";

std::string fresh_file() {
  const std::string path = ::testing::TempDir() + "history.sqlite";
  std::remove(path.c_str());
  return path;
}

TEST(ResultFile, HasTimesInYardsticksAndInNanosecondsWhereThereWasNone) {
  const Result<ResultFile> read = read_result(kResult, "r.json");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->machine, "one");
  EXPECT_EQ(read->figures.at("copy, <1>").values, (std::vector<double>{2, 4}));
  EXPECT_EQ(read->figures.at("copy, <1>").unit, "copies");
  EXPECT_EQ(read->figures.at("infer").values, (std::vector<double>{90}));
  EXPECT_EQ(read->figures.at("infer").unit, "ns");
  EXPECT_EQ(read->figures.at("infer").ask, "infer x");
  EXPECT_EQ(read->figures.at("view").values, (std::vector<double>{12}));
  EXPECT_EQ(read->figures.at("view").unit, "product loops");
  EXPECT_EQ(read->figures.size(), 3u);
}

TEST(ResultFile, SaysWhatIsNoResult) {
  EXPECT_EQ(read_result("{", "r.json").error().where, "r.json");
  EXPECT_FALSE(read_result("{}", "r.json"));
  EXPECT_FALSE(
      read_result(R"({"context": {"identity": "", "library": ""}, "benchmarks": []})", ""));
}

TEST(ResultFile, RefusesFiguresThatContradictThemselves) {
  const auto error = [](const std::string& from, const std::string& to) {
    std::string text = kResult;
    text.replace(text.find(from), from.size(), to);
    const Result<ResultFile> read = read_result(text, "r.json");
    return read ? "none" : read.error().text();
  };
  for (const char* time : {"-5", "0", "1e308"}) {
    EXPECT_EQ(error("300", time), "r.json: 'copy, <1>' has a time that is none");
    EXPECT_EQ(error("90", time), "r.json: 'infer' has a time that is none");
  }
  EXPECT_EQ(error("0.25", "1e-308"), "r.json: 'copy, <1>' has a time that is none");
  EXPECT_EQ(error("300, \"fraction_of_best_copy\": 0.25", "300"),
            "r.json: 'copy, <1>' is told in copies and in ns");
}

TEST(History, AReaderMakesNoHistoryOfAnotherFile) {
  const std::string path = fresh_file();
  std::ofstream(path).flush();
  const auto empty = History::open(path, true);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().text(), path + ": is no history: it holds no results");
  EXPECT_EQ(std::filesystem::file_size(path), 0u);
  std::ofstream(path) << std::string(5000, 'x');
  ASSERT_FALSE(History::open(path, true));
  expect_in(History::open(path, true).error().text(), "file is not a database");
  std::filesystem::remove(path);
  std::filesystem::create_symlink(path, path);
  expect_in(History::open(path, true).error().text(), "Too many levels of symbolic links");
}

TEST(History, APrintedNameIsOneLine) {
  ResultFile result = *read_result(kResult, "r.json");
  result.figures["two\nlines"] = result.figures.at("infer");
  const auto history = History::open(fresh_file(), false);
  ASSERT_TRUE((*history)->add("aaa", 100, result));
  expect_in(history_table(*(*history)->entries("one"), {}, {}), "\ntwo\\nlines ");
}

TEST(History, PrintsControlBytesOfACommitAsText) {
  const auto history = History::open(fresh_file(), false);
  ASSERT_TRUE((*history)->add("a\x1b[31m<b", 100, *read_result(kResult, "r.json")));
  const auto entries = *(*history)->entries("one");
  for (const std::string& made : {history_page("one", entries, {}, {}), history_csv(entries)}) {
    EXPECT_EQ(made.find('\x1b'), std::string::npos) << made;
    expect_in(made, "a\\x1b[31m");
  }
  EXPECT_EQ(history_page("one", entries, {}, {}).find("<b"), std::string::npos);
}

TEST(History, KeepsResultsByCommitAndMachineInTheOrderOfTheCommits) {
  const auto history = History::open(fresh_file(), false);
  ASSERT_TRUE(history) << history.error().text();
  ResultFile result = *read_result(kResult, "r.json");
  EXPECT_EQ(*(*history)->add("bbb", 200, result), 3);
  EXPECT_EQ(*(*history)->add("aaa", 100, result), 3);
  result.machine = "two";
  EXPECT_TRUE((*history)->add("bbb", 200, result));
  const auto entries = (*history)->entries("one");
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[0].commit, "aaa");
  EXPECT_EQ((*entries)[0].values.at("copy, <1>"), 3);
  EXPECT_EQ(*(*history)->machines(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ((*history)->units("one")->at("infer"), "ns");
}

TEST(History, DoesNotMixUnits) {
  const auto history = History::open(fresh_file(), false);
  ResultFile result = *read_result(kResult, "r.json");
  EXPECT_TRUE((*history)->add("aaa", 100, result));
  result.figures.at("infer") = {{9}, "product loops", ""};
  EXPECT_TRUE((*history)->add("bbb", 200, result));
  const auto entries = (*history)->entries("one");
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_FALSE((*entries)[0].values.contains("infer"));
  EXPECT_TRUE((*entries)[0].values.contains("view"));
  EXPECT_EQ((*entries)[1].values.at("infer"), 9);
  EXPECT_EQ((*history)->units("one")->at("infer"), "product loops");
}

TEST(History, AddsNothingTwice) {
  const std::string path = fresh_file();
  const ResultFile result = *read_result(kResult, "r.json");
  {
    const auto history = History::open(path, false);
    EXPECT_TRUE((*history)->add("aaa", 100, result));
    const auto again = (*history)->add("aaa", 100, result);
    ASSERT_FALSE(again);
    expect_in(again.error().text(), "already");
  }
  const auto history = History::open(path, true);
  EXPECT_EQ((*history)->entries("one")->size(), 1u);
}

TEST(History, IsAFile) {
  for (const char* name : {":memory:", "", "folder/"}) {
    const auto history = History::open(name, false);
    ASSERT_FALSE(history) << name;
    expect_in(history.error().text(), "a history is a file");
  }
}

TEST(History, IsNotMadeWhereOneIsExpected) {
  EXPECT_FALSE(History::open(::testing::TempDir() + "no.sqlite", true));
}

// A file may grow to no size, as on a full disk.
TEST(History, LeavesNoFileWhereNoneCanBeWritten) {
  const std::string path = testing::TempDir() + "/history-on-a-full-disk.sqlite";
  std::filesystem::remove(path);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto signal = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  const auto opened = History::open(path, false);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, signal);
  ASSERT_FALSE(opened.ok());
  expect_in(opened.error().text(), path);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(History::open(path, false).ok());
}

TEST(History, WritesWhatOtavaReads) {
  const std::vector<HistoryEntry> entries = {
      {"aaa", 0, "one", {{"copy, \"x\"", 1.5}, {"infer", 9}}},
      {"bbb", 86400, "one", {{"infer", 8}}}};
  EXPECT_EQ(history_csv(entries),
            "time,commit,\"copy, \"\"x\"\"\",\"infer\"\n"
            "1970-01-01 00:00:00 +0000,\"aaa\",1.5,9\n"
            "1970-01-02 00:00:00 +0000,\"bbb\",,8\n");
  expect_in(otava_config(entries, "h.csv"), "\"infer\": {column: \"infer\", direction: -1");
}

TEST(History, MarksTheChangesThatOtavaFound) {
  const char* const said =
      R"({"reshape": [{"time": 86400, "attributes": {"commit": "bbb"}, "changes": [
    {"metric": "infer", "mean_before": "100.0", "mean_after": "106.0"}]}]})";
  const auto changes = read_change_points(said, "c.json");
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_NEAR((*changes)[0].percent, 6, 1e-9);
  const std::vector<HistoryEntry> entries = {{"aaa", 0, "one", {{"infer", 100}}},
                                             {"bbb", 86400, "one", {{"infer", 106}}}};
  const std::string page = history_page("<one>", entries, {{"infer", "ns"}}, *changes);
  expect_in(page, "class=\"slower\"");
  expect_in(page, "&lt;one&gt;");
  const std::string table = history_table(entries, {{"infer", "ns"}}, *changes);
  expect_in(table, "+6.0 % at bbb");
  expect_in(table, " 106 ns ");
  EXPECT_FALSE(read_change_points("[]x", "c.json"));
}

// What another program keeps in a file of SQLite is not made a history of, and stays as it is.
TEST(History, IsAddedToNoDatabaseOfAnother) {
  const std::string path = fresh_file();
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "CREATE TABLE mine (a)", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  const auto size = std::filesystem::file_size(path);
  for (const bool must_exist : {false, true}) {
    const auto opened = History::open(path, must_exist);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().message, "is no history: it holds no results");
  }
  EXPECT_EQ(std::filesystem::file_size(path), size);
}

}  // namespace
}  // namespace reshape::conformance::performance
