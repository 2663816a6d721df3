// Commands that measure, run from a shell in short form: nothing here depends on how fast anything
// is.
#include <fstream>
#include <nlohmann/json.hpp>

#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/command/shell_test.h"

namespace reshape::conformance {
namespace {

using Json = nlohmann::json;

class Measuring : public ShellTest {
 protected:
  Measuring() { setenv("RESHAPE_THREADS", "1", 1); }
  ~Measuring() override { unsetenv("RESHAPE_THREADS"); }
  Json json_of(const std::string& path) const {
    Json read = Json::parse(text_of(path), nullptr, false);
    EXPECT_TRUE(read.is_object()) << path;
    return read;
  }
};

const std::string kOptimized = "'" RESHAPE_OPTIMIZED "'";
const std::string kMutants = "'" RESHAPE_MUTANTS_LIBRARY "'";
const std::string kFew = " --filter '^small/(one|2x3)|^infer/rank 1|^view/4' ";
const std::string kShort = kFew + "--pilot 2 --rounds 2 ";

TEST_F(Measuring, TwoRoundsAssertNothing) {
  expect_says(shell("compare --baseline " + kOptimized + " --candidate " + kOptimized + kShort), 4,
              {"nothing is asserted", "byte for byte"});
}

TEST_F(Measuring, ReportsAreWritten) {
  const std::string json = file("compare.json");
  const std::string markdown = file("compare.md");
  shell("compare --baseline " + kOptimized + kShort + "--json " + json + " --markdown " + markdown);
  const Json read = json_of(json);
  EXPECT_EQ(read["workloads"].size(), 4u);
  EXPECT_EQ(read["workloads"][0]["arms"]["5 % slower"]["rounds"], 2);
  EXPECT_TRUE(std::filesystem::exists(markdown));
}

// A library whose copies are all wrong gets no figures, however fast it is.
TEST_F(Measuring, AWrongAnswerHasNoSpeed) {
  expect_says(shell("compare --baseline " + kOptimized + " --candidate " + kMutants + kShort,
                    "two-elements-swapped"),
              1, {"a wrong answer has no speed"});
}

TEST_F(Measuring, WhereNothingCanBeTimedIsNoWrongUsage) {
  const std::string one = " --filter '^small/one' --repetitions 1 --passes 1";
  expect_says(shell("bench -i " + kMutants + one, "last-size-one-more"), 1,
              {"a wrong answer has no speed", "no workload could be timed"});
  expect_says(shell("bench " + kExample + " --filter '^small/8x8' --repetitions 1 --passes 1"), 4,
              {"left out: ", "no workload could be timed"});
}

// What no library can be asked is no library's fault, and nothing to be content with.
TEST_F(Measuring, WhatCannotBeAskedIsLeftOutAndAssertsNothing) {
  const std::string workloads = file("workloads.yaml");
  const auto write = [&](const std::string& name, const std::string& sizes) {
    std::ofstream(workloads) << "workloads:\n  - {name: \"" << name
                             << "\", call: execute, gate: true, ask: \"openvino-reshape-1 u8["
                             << sizes << "] i64[-1] special_zero=false\"}\n";
  };
  const std::string of_file = " --workloads " + workloads;
  for (const char* sizes : {"1000000000000", "0"}) {
    write("big", sizes);
    expect_says(shell("bench -i " + kOptimized + of_file), 4, {"left out: "});
    expect_says(shell("compare -q --baseline " + kOptimized + of_file + " --rounds 2 --pilot 2"), 4,
                {"nothing is calibrated"});
    expect_says(shell("count -i " + kOptimized + of_file), 4, {"big"});
  }
  write("mine", "6");
  // Valgrind, which counts, runs no library of AddressSanitizer.
  if (!kSanitized) expect_says(shell("count -i " + kOptimized + of_file), 0, {"mine"});
  expect_says(shell("count -i " + kOptimized + of_file + " --filter other"), 2,
              {"no workload is chosen: 1 do not match --filter"});
  write("a\\e", "6");
  expect_says(shell("bench -i " + kOptimized + of_file), 2,
              {"workloads.yaml:2: a workload's name holds a control character"});
}

// Ctrl-C loses nothing that is known, what is told is no whole result, and no file stays behind.
TEST_F(Measuring, WhoIsAskedToEndTellsWhatItKnows) {
  const std::string temporary = file("tmp"), json = file("bench.json");
  std::filesystem::create_directories(temporary);
  // Runs a command, ends it as soon as `begun` succeeds, and returns what it printed.
  const auto ended = [&](const std::string& arguments, const std::string& begun) {
    return run_command("cd '" + folder.string() + "'; TMPDIR='" + temporary +
                       "' '" RESHAPE_PROGRAM "' " + arguments + " > out 2>&1 & until " + begun +
                       "; do sleep .05; done; kill -TERM $!; wait $!; code=$?; cat '" +
                       file("out") + "'; exit $code");
  };
  const std::string has_started = "ls '" + temporary + "'/reshape-host-* > /dev/null 2>&1";
  const Ran bench =
      ended("bench -i " + kOptimized + " --filter '^(infer|view)/' --passes 1 --json " + json,
            "grep -q '^infer/.* -  ' '" + file("out") + "'");
  expect_says(bench, 4,
              {"bench: ends with what it knows by now", "infer/rank 1 ",
               "not all is timed: SIGTERM came after "});
  const std::size_t rows = json_of(json)["benchmarks"].size();
  EXPECT_GT(rows, 0u);
  EXPECT_EQ(rows % 9, 0u) << "each workload has five repetitions and four aggregates";
  expect_says(ended("count -i " + kOptimized, has_started), 4,
              {"a call of", "not all is counted: SIGTERM came after "});
  expect_says(ended("mutants -j 1", has_started), 4,
              {"mutants: ends with what it knows by now", "questions kill ",
               "not all is asked: SIGTERM came after "});
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST_F(Measuring, BenchWritesWhatHistoryReads) {
  const std::string json = file("bench.json");
  const std::string history = file("program-history.sqlite");
  const Ran ran =
      shell("bench -i " + kOptimized + kFew + "--repetitions 2 --passes 1 --json " + json);
  EXPECT_EQ(ran.code, 0) << ran.out;
  const Json read = json_of(json);
  EXPECT_TRUE(read["context"].contains("load_avg"));  // Google Benchmark's own
  EXPECT_TRUE(read["context"].contains("governor"));
  EXPECT_GT(read["benchmarks"][0]["real_time"], 0);
  const std::string add = "history add " + history + " --result " + json + " --commit abc --time 1";
  EXPECT_EQ(shell(add).code, 0);
  EXPECT_EQ(shell(add).code, 2);  // it is there
  expect_in(shell("history table " + history).out, "infer/rank 1");
}

// The parts of Google Benchmark's JSON that compare.py and the adapters of Bencher and CodSpeed
// read.
TEST_F(Measuring, OthersFindInTheJsonWhatTheyRead) {
  const std::string json = file("others.json");
  ASSERT_EQ(shell("bench -i " + kOptimized +
                  " --filter '^infer/rank 1' --repetitions 3 --passes 1 --json " + json)
                .code,
            0);
  const Json read = json_of(json);
  for (const char* field : {"date", "host_name", "executable", "num_cpus", "mhz_per_cpu",
                            "cpu_scaling_enabled", "caches", "load_avg", "library_build_type"}) {
    EXPECT_TRUE(read["context"].contains(field)) << field;
  }
  int repetitions = 0, medians = 0;
  for (const Json& row : read["benchmarks"]) {
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

TEST_F(Measuring, AStoredResultIsComparedAndSaysThatNothingIsPaired) {
  const std::string stored = file("stored.json");
  const std::string one = " --filter '^infer/rank 1' ";
  const auto compare = [&](const std::string& more) {
    return shell("compare --baseline " + stored + " --candidate " + kOptimized + more);
  };
  ASSERT_EQ(
      shell("bench -i " + kOptimized + one + "--repetitions 8 --passes 2 --json " + stored).code,
      0);
  const std::string report = file("stored-report.json");
  const Ran ran = compare(one + "--json " + report);
  EXPECT_TRUE(ran.code == 0 || ran.code == 1 || ran.code == 4) << ran.out;
  expect_in(ran.out, "Not paired");
  EXPECT_FALSE(has(ran.out, "record on this machine")) << ran.out;
  const Json read = json_of(report);
  EXPECT_EQ(read["workloads"][0]["arms"]["candidate"]["rounds"], 8);
  EXPECT_NE(read["unpaired"], "");

  expect_sentence(compare(" --filter '^infer/rank 2'"), 2, "another set of workloads");
  expect_sentence(compare(one + "--twin " + kOptimized), 2, "--twin");
  expect_sentence(shell("compare --baseline " + stored + one), 2, "--candidate");
  Json other = json_of(stored);
  other["context"]["identity"] = "another";
  std::ofstream(stored) << other;
  expect_sentence(compare(one), 2, "another machine");
  ASSERT_EQ(
      shell("bench -i " + kOptimized + one + "--repetitions 2 --passes 1 --json " + stored).code,
      0);
  expect_sentence(compare(one), 4, "nothing is asserted");
}

// The library beside ours is looked at as closely as ours.
TEST_F(Measuring, APeerIsTimedBesideItAndAWrongOneHasNoSpeed) {
  for (const bool wrong : {false, true}) {
    const std::string json = file("peer.json");
    const Ran ran =
        shell("bench -i " + kOptimized + " --peer " + kMutants +
                  " --filter '^small/2x3' --threads 1 --repetitions 1 --passes 2 --json " + json,
              wrong ? "two-elements-swapped" : "right");
    EXPECT_EQ(ran.code, 0) << ran.out;
    EXPECT_EQ(has(ran.out, " wrong "), wrong) << ran.out;
    const Json read = json_of(json);
    const Json row = read["benchmarks"][0];
    EXPECT_EQ(row["workload"], "small/2x3 to 3x2/threads:1");
    const std::string peer = read["context"]["peers"];
    ASSERT_TRUE(row.contains(peer)) << row;
    EXPECT_EQ(row[peer] == 0, wrong) << row;
    EXPECT_GT(row["fraction_of_best_copy"], 0);
  }
}

// The measurements of both commands are shown for their library, wherever its file is now, and for
// no other.
TEST_F(Measuring, TheReportOfARunShowsTheRatiosOfItsLibrary) {
  const std::string compared = file("compare.json"), timed = file("bench.json");
  const std::string page = file("drawn.html"), moved = file("moved.so");
  shell("compare --baseline " + kOptimized + " --candidate " + kOptimized + kShort + "--json " +
        compared);
  shell("bench -i " + kOptimized + kFew + "--repetitions 2 --passes 1 --json " + timed);
  std::filesystem::copy_file(RESHAPE_OPTIMIZED, moved);
  const std::string asked = " -q -d openvino-reshape-1 -f '*/example-?' ";
  const std::string files = " --performance " + compared + " --performance " + timed;
  const Ran ran = shell("run -i " + moved + asked + "--html " + page + files);
  EXPECT_EQ(ran.code, 0) << ran.out;
  const std::string text = text_of(page);
  for (const char* over : {"\"over\":\"the baseline, ", "\"over\":\"the best plain copy",
                           "\"over\":\"the bare product"}) {
    expect_in(text, over);
  }
  std::ofstream(moved, std::ios::app) << "another build";
  expect_sentence(shell("run -i " + moved + asked + "--html " + page + files), 2,
                  "another version of it");
  expect_sentence(shell("run -i " + kOptimized + asked + files), 2, "there is no --html");
  const std::string html = "run -i " + kOptimized + asked + "--html " + page + " --performance ";
  expect_sentence(shell(html + moved), 2, "a NUL, which no text holds");
  expect_sentence(shell(html + page), 2, "is what --performance names, and would be lost");
  expect_sentence(shell(html + "/no/such/file"), 2, "/no/such/file");
  expect_sentence(shell(html + "''"), 2, "its value is empty");
}

// What was not counted is said, and is no pass.
TEST_F(Measuring, WhatIsNotCountedIsNotComparedWithABaseline) {
  const std::string count = "count -i " + kOptimized + " --baseline " + kOptimized + kFew;
  // Without valgrind, and with sanitizers without the library that counts allocations.
  expect_says(run_command("PATH=/no/such/folder '" RESHAPE_PROGRAM "' " + count + " 2>&1"),
              kSanitized ? 4 : 0,
              {"not compared: the instructions of every workload",
               kSanitized ? "nothing is compared" : "nothing that both have a count of"});
}

TEST_F(Measuring, BadInputIsOneSentenceAndExitCodeTwo) {
  for (const std::string& words :
       {"compare --baseline " + kOptimized + " --filter '('",
        "compare --baseline " + kOptimized + " --filter nothing-is-called-so",
        "compare --baseline " + kOptimized + " --workloads /dev/null",
        "compare --baseline " + kOptimized + " --find 1 --floor 2",
        "bench -i " + kOptimized + " --threads 0",
        "bench -i " + kOptimized + " --json /no/such/folder/x.json",
        std::string("history table /no/such/file")}) {
    expect_sentence(shell(words), 2, "");
  }
  EXPECT_EQ(shell("compare --baseline /no/such.so").code, 3);
}

}  // namespace
}  // namespace reshape::conformance
