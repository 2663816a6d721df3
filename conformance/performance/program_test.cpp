#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

// The performance commands as they are run from a shell, in short form: nothing here depends on how
// fast anything is.
namespace {

struct Ran {
  int code = -1;
  std::string out;
};

Ran shell(const std::string& arguments, const std::string& environment = "") {
  const std::string command =
      environment + " RESHAPE_THREADS=1 '" RESHAPE_PROGRAM "' " + arguments + " 2>&1";
  Ran ran;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    ran.out.append(buffer, got);
  }
  const int status = pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

const std::string kOptimized = "'" RESHAPE_OPTIMIZED "'";
const std::string kWrong = "'" RESHAPE_MUTANTS_LIBRARY "'";
const std::string kFew = " --filter '^small/(one|2x3)|^infer/rank 1|^view/4' ";
const std::string kShort = kFew + "--pilot 2 --rounds 2 ";

TEST(PerformanceProgram, TwoRoundsAssertNothing) {
  const Ran ran = shell("compare --baseline " + kOptimized + " --candidate " + kOptimized + kShort);
  EXPECT_EQ(ran.code, 4) << ran.out;
  EXPECT_TRUE(has(ran.out, "nothing is asserted")) << ran.out;
  EXPECT_TRUE(has(ran.out, "byte for byte")) << ran.out;
}

TEST(PerformanceProgram, ReportsAreWritten) {
  const std::string json = ::testing::TempDir() + "compare.json";
  const std::string markdown = ::testing::TempDir() + "compare.md";
  shell("compare --baseline " + kOptimized + kShort + "--json " + json + " --markdown " + markdown);
  std::ifstream file(json), text(markdown);
  const nlohmann::json read = nlohmann::json::parse(file, nullptr, false);
  ASSERT_TRUE(read.is_object());
  EXPECT_EQ(read["workloads"].size(), 4u);
  EXPECT_EQ(read["workloads"][0]["arms"]["5 % slower"]["rounds"], 2);
  EXPECT_TRUE(text.good());
}

// A library whose copies are all wrong gets no figures, however fast it is.
TEST(PerformanceProgram, AWrongAnswerHasNoSpeed) {
  const Ran ran = shell("compare --baseline " + kOptimized + " --candidate " + kWrong + kShort,
                        "RESHAPE_MUTANT=two-elements-swapped");
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_TRUE(has(ran.out, "a wrong answer has no speed")) << ran.out;
}

TEST(PerformanceProgram, BenchWritesWhatHistoryReads) {
  const std::string json = ::testing::TempDir() + "bench.json";
  const std::string history = ::testing::TempDir() + "program-history.sqlite";
  std::remove(history.c_str());
  const Ran ran =
      shell("bench -i " + kOptimized + kFew + "--repetitions 2 --passes 1 --json " + json);
  EXPECT_EQ(ran.code, 0) << ran.out;
  std::ifstream file(json);
  const nlohmann::json read = nlohmann::json::parse(file, nullptr, false);
  ASSERT_TRUE(read.is_object());
  EXPECT_TRUE(read["context"].contains("load_avg"));  // Google Benchmark's own
  EXPECT_TRUE(read["context"].contains("governor"));
  EXPECT_GT(read["benchmarks"][0]["real_time"], 0);
  const std::string add = "history add " + history + " --result " + json + " --commit abc --time 1";
  EXPECT_EQ(shell(add).code, 0);
  EXPECT_EQ(shell(add).code, 2);  // it is there
  EXPECT_TRUE(has(shell("history table " + history).out, "infer/rank 1"));
}

// The parts of Google Benchmark's JSON that compare.py and the adapters of Bencher and CodSpeed
// read.
TEST(PerformanceProgram, OthersFindInTheJsonWhatTheyRead) {
  const std::string json = ::testing::TempDir() + "others.json";
  ASSERT_EQ(shell("bench -i " + kOptimized +
                  " --filter '^infer/rank 1' --repetitions 3 --passes 1 --json " + json)
                .code,
            0);
  std::ifstream file(json);
  const nlohmann::json read = nlohmann::json::parse(file, nullptr, false);
  ASSERT_TRUE(read.is_object());
  for (const char* field : {"date", "host_name", "executable", "num_cpus", "mhz_per_cpu",
                            "cpu_scaling_enabled", "caches", "load_avg", "library_build_type"}) {
    EXPECT_TRUE(read["context"].contains(field)) << field;
  }
  int repetitions = 0, medians = 0;
  for (const nlohmann::json& row : read["benchmarks"]) {
    for (const char* field :
         {"name", "run_name", "run_type", "repetitions", "threads", "iterations", "real_time",
          "cpu_time", "time_unit", "family_index", "per_family_instance_index"}) {
      EXPECT_TRUE(row.contains(field)) << field << " in " << row;
    }
    EXPECT_EQ(row["run_name"], "infer/rank 1");
    EXPECT_EQ(row["cpu_time"], row["real_time"]);
    if (row["run_type"] == "iteration") {
      EXPECT_EQ(row["name"], "infer/rank 1");
      EXPECT_EQ(row["repetition_index"], repetitions++);
      EXPECT_EQ(row["time_unit"], "ns");
    }
    medians += row["name"] == "infer/rank 1_median";
  }
  EXPECT_EQ(repetitions, 3);
  EXPECT_EQ(medians, 1);
}

TEST(PerformanceProgram, AStoredResultIsComparedAndSaysThatNothingIsPaired) {
  const std::string stored = ::testing::TempDir() + "stored.json";
  const std::string one = " --filter '^infer/rank 1' ";
  const auto compare = [&](const std::string& more) {
    return shell("compare --baseline " + stored + " --candidate " + kOptimized + more);
  };
  ASSERT_EQ(
      shell("bench -i " + kOptimized + one + "--repetitions 8 --passes 2 --json " + stored).code,
      0);
  const std::string report = ::testing::TempDir() + "stored-report.json";
  const Ran ran = compare(one + "--json " + report);
  EXPECT_TRUE(ran.code == 0 || ran.code == 1 || ran.code == 4) << ran.out;
  EXPECT_TRUE(has(ran.out, "Not paired")) << ran.out;
  EXPECT_FALSE(has(ran.out, "record on this machine")) << ran.out;
  std::ifstream file(report);
  const nlohmann::json read = nlohmann::json::parse(file, nullptr, false);
  ASSERT_TRUE(read.is_object());
  EXPECT_EQ(read["workloads"][0]["arms"]["candidate"]["rounds"], 8);
  EXPECT_NE(read["unpaired"], "");

  const auto refused = [&](const Ran& refusal, int code, const std::string& words) {
    EXPECT_EQ(refusal.code, code) << refusal.out;
    EXPECT_TRUE(has(refusal.out, words)) << refusal.out;
    EXPECT_EQ(refusal.out.find('\n'), refusal.out.size() - 1) << refusal.out;
  };
  refused(compare(" --filter '^infer/rank 2'"), 2, "another set of workloads");
  refused(compare(one + "--twin " + kOptimized), 2, "--twin");
  refused(shell("compare --baseline " + stored + one), 2, "--candidate");
  std::ifstream in(stored);
  nlohmann::json other = nlohmann::json::parse(in);
  const auto write = [&](const nlohmann::json& what) { std::ofstream(stored) << what; };
  other["context"]["identity"] = "another";
  write(other);
  refused(compare(one), 2, "another machine");
  ASSERT_EQ(
      shell("bench -i " + kOptimized + one + "--repetitions 2 --passes 1 --json " + stored).code,
      0);
  refused(compare(one), 4, "nothing is asserted");
}

// The library beside ours is looked at as closely as ours.
TEST(PerformanceProgram, APeerIsTimedBesideItAndAWrongOneHasNoSpeed) {
  for (const bool wrong : {false, true}) {
    const std::string json = ::testing::TempDir() + "peer.json";
    const Ran ran =
        shell("bench -i " + kOptimized + " --peer " + kWrong +
                  " --filter '^small/2x3' --threads 1 --repetitions 1 --passes 2 --json " + json,
              wrong ? "RESHAPE_MUTANT=two-elements-swapped" : "RESHAPE_MUTANT=right");
    EXPECT_EQ(ran.code, 0) << ran.out;
    EXPECT_EQ(has(ran.out, " wrong "), wrong) << ran.out;
    std::ifstream file(json);
    const nlohmann::json read = nlohmann::json::parse(file, nullptr, false);
    ASSERT_TRUE(read.is_object());
    const nlohmann::json row = read["benchmarks"][0];
    EXPECT_EQ(row["workload"], "small/2x3 to 3x2/threads:1");
    const std::string peer = read["context"]["peers"];
    ASSERT_TRUE(row.contains(peer)) << row;
    EXPECT_EQ(row[peer] == 0, wrong) << row;
    EXPECT_GT(row["fraction_of_best_copy"], 0);
  }
}

// The measurements of both commands are shown for their library, wherever its file is now, and for
// no other.
TEST(PerformanceProgram, TheReportOfARunShowsTheRatiosOfItsLibrary) {
  const std::string folder = ::testing::TempDir();
  const std::string compared = folder + "drawn-compare.json", timed = folder + "drawn-bench.json";
  const std::string page = folder + "drawn.html", moved = folder + "moved.so";
  shell("compare --baseline " + kOptimized + " --candidate " + kOptimized + kShort + "--json " +
        compared);
  shell("bench -i " + kOptimized + kFew + "--repetitions 2 --passes 1 --json " + timed);
  std::filesystem::copy_file(RESHAPE_OPTIMIZED, moved,
                             std::filesystem::copy_options::overwrite_existing);
  const std::string asked = " -q -d openvino-reshape-1 -f '*/example-?' ";
  const std::string files = " --performance " + compared + " --performance " + timed;
  const Ran ran = shell("run -i " + moved + asked + "--html " + page + files);
  EXPECT_EQ(ran.code, 0) << ran.out;
  std::ifstream file(page);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const char* over : {"\"over\":\"the baseline, ", "\"over\":\"the best plain copy",
                           "\"over\":\"the bare product"}) {
    EXPECT_TRUE(has(text, over)) << over;
  }
  const auto refused = [](const Ran& refusal, const std::string& words) {
    EXPECT_EQ(refusal.code, 2) << refusal.out;
    EXPECT_TRUE(has(refusal.out, words)) << refusal.out;
    EXPECT_EQ(refusal.out.find('\n'), refusal.out.size() - 1) << refusal.out;
  };
  std::ofstream(moved, std::ios::app) << "another build";
  refused(shell("run -i " + moved + asked + "--html " + page + files), "another version of it");
  refused(shell("run -i " + kOptimized + asked + files), "there is no --html");
  const std::string html = "run -i " + kOptimized + asked + "--html " + page + " --performance ";
  refused(shell(html + moved), "a NUL, which no text holds");
  refused(shell(html + page), "is what --performance names, and would be lost");
  refused(shell(html + "/no/such/file"), "/no/such/file");
  refused(shell(html + "''"), "its value is empty");
}

TEST(PerformanceProgram, BadInputIsOneSentenceAndExitCodeTwo) {
  for (const std::string& words :
       {"compare --baseline " + kOptimized + " --filter '('",
        "compare --baseline " + kOptimized + " --filter nothing-is-called-so",
        "compare --baseline " + kOptimized + " --workloads /dev/null",
        "compare --baseline " + kOptimized + " --find 1 --floor 2",
        "bench -i " + kOptimized + " --threads 0",
        "bench -i " + kOptimized + " --json /no/such/folder/x.json",
        std::string("history table /no/such/file")}) {
    const Ran ran = shell(words);
    EXPECT_EQ(ran.code, 2) << words << '\n' << ran.out;
    EXPECT_EQ(ran.out.find('\n'), ran.out.size() - 1) << ran.out;
  }
  EXPECT_EQ(shell("compare --baseline /no/such.so").code, 3);
}

}  // namespace
