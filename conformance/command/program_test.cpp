// The program as a whole: verdicts, exit codes, reports.
#include <chrono>

#include "conformance/command/shell_test.h"

namespace reshape::conformance {
namespace {

using Program = ShellTest;

// ---- diagnosis

// The library is treated like any other: only its answers show which mistake it makes.
struct KnownMistake {
  const char* name;
  const char* says;
};

void PrintTo(const KnownMistake& mistake, std::ostream* out) { *out << mistake.name; }

class Diagnosed : public Program, public testing::WithParamInterface<KnownMistake> {};

TEST_P(Diagnosed, IsTheMistakeThatWasMade) {
  // Enough time to compare all known mistakes in a slow build, too.
  const Ran ran = shell("run " + kWrong +
                            " -d openvino-reshape-1 --tier quick --most-failures 0"
                            " --diagnosis-seconds 300",
                        GetParam().name);
  EXPECT_EQ(ran.code, 1);
  const std::size_t first = ran.out.find("are answered exactly as if: ");
  ASSERT_NE(first, std::string::npos) << ran.out;
  const std::string line = ran.out.substr(first, ran.out.find('\n', first) - first);
  EXPECT_EQ(line, std::string("are answered exactly as if: ") + GetParam().says);
  expect_in(ran.out, std::string("mutant ") + GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    Program, Diagnosed,
    testing::Values(KnownMistake{"minus-one-rounds-down",
                                 "the -1 is the quotient, and the remainder is forgotten"},
                    KnownMistake{"half-bytes-swapped",
                                 "the first of two 4-bit elements is put into the high half"},
                    KnownMistake{"writes-on-rejection",
                                 "the output is cleared before the request is looked at"}));

// What failing requests have in common by chance is not told where it is how they are executed.
TEST_F(Program, TheDiagnosisTellsTheSetUpThatMatters) {
  const Ran ran = shell("run " + kWrong + " -d openvino-reshape-1 --generate 300 --most-failures 0",
                        "output-strides-filled-in");
  expect_says(ran, 1, {"executions with strides of the output that are null, and in none of "});
  EXPECT_FALSE(has(ran.out, "have a dense output")) << ran.out;
}

// Only one failure of each cause is shrunk: others of the same cause would add nothing.
TEST_F(Program, OneGeneratedFailureOfEachCauseIsShrunk) {
  const Ran ran = shell(
      "run " + kWrong + " -d openvino-reshape-1 --generate 2000 --no-diagnosis --most-failures 0",
      "minus-one-rounds-down");
  EXPECT_EQ(ran.code, 1);
  const std::string words = "Smallest request that fails like ";
  const std::size_t first = ran.out.find(words);
  EXPECT_NE(first, std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.rfind(words), first) << ran.out;
}

TEST_F(Program, WhatIsGeneratedIsOfTheTypesAskedFor) {
  const Ran ran =
      shell("run " + kReference + " -d openvino-reshape-1 --generate 60 -t u8 -t bf16 --json " +
            file("r.json"));
  EXPECT_EQ(ran.code, 0) << ran.out;
  const std::string json = text_of(file("r.json"));
  EXPECT_TRUE(has(json, " u8[") && has(json, " bf16[")) << json;
  for (const char* other : {" f32[", " f64[", " i32[", " u16["}) {
    EXPECT_FALSE(has(json, std::string("openvino-reshape-1") + other)) << other;
  }
}

TEST_F(Program, ARunThatPassesHasNoDiagnosis) {
  EXPECT_FALSE(has(shell("run " + kReference + kExamples).out, "Diagnosis"));
}

// ---- exit codes

TEST_F(Program, ConformingIs0) {
  const Ran ran = shell("run " + kReference + kExamples);
  expect_says(ran, 0, {"conforms: 5 planned = 5 executed + 0 skipped, 5 pass"});
  for (const char* example : {"-1", "-2", "-3", "-4", "-5"}) {
    expect_in(ran.out, std::string("  pass        openvino-reshape-1/example") + example);
  }
  EXPECT_FALSE(has(ran.out, "\r"));  // no progress where there is no terminal
}

TEST_F(Program, NotConformingIs1AndItsReplayLineReplays) {
  const Ran ran = shell("run " + kWrong + kExamples, "last-size-one-more");
  expect_says(ran, 1, {"does not conform: 5 failed"});
  expect_says(shell(advised(ran.out, "replay"), "last-size-one-more"), 1,
              {"verdict   fail (shape fail"});
}

// A library that keeps answers and forgets the flag in their key is right alone.
TEST_F(Program, WhatFailsAfterManyCallsReplaysByTheirNumber) {
  const std::string wrong = "used-up-after-500-calls";
  const Ran ran = shell("run " + kWrong +
                            " -d openvino-reshape-1 -j 1 --suite-only --diagnosis-seconds 600"
                            " -f '*/count-2*'",
                        wrong);
  expect_says(ran, 1, {" times in the same process\n"});
  const std::string line = advised(ran.out, "replay", ran.out.find(" times in the same process\n"));
  EXPECT_TRUE(line.starts_with("replay --times ")) << line;
  const Ran replayed = shell(line, wrong);
  EXPECT_EQ(replayed.code, 1) << line << '\n' << replayed.out;
  const Ran once = shell("replay " + line.substr(line.find('\'')), wrong);
  EXPECT_EQ(once.code, 0) << line << '\n' << once.out;
  expect_sentence(shell("replay --times 0 x -i x", wrong), 2,
                  "'0' is no whole number from 1 to 1000000");
}

TEST_F(Program, WhatFailsOnlyAfterAnotherRequestReplaysWithIt) {
  const std::string wrong = "kept-without-the-flag";
  const Ran ran = shell(
      "run " + kWrong +
          " -d openvino-reshape-1 -j 1 --suite-only --diagnosis-seconds 90 "  // searched for so long
          "-f '*flag-missing-zero-empty' "
          "-f '*flag-true-copies' -f '*flag-false-is-plain'",
      wrong);
  EXPECT_EQ(ran.code, 1);
  // Of one kind one is printed, and how it is seen again.
  EXPECT_EQ(times(ran.out, "\nFAIL  "), 1) << ran.out;
  EXPECT_EQ(times(ran.out, "\n      again     "), 1) << ran.out;
  const std::size_t again = ran.out.find(
      "again     only after another request in the same process, one that is refused "
      "(special-zero.required) and that differs from it only in the flag; of others it fails after "
      "none of ");
  ASSERT_NE(again, std::string::npos) << ran.out;
  const std::string line = advised(ran.out, "replay", again);
  const Ran replayed = shell(line, wrong);
  EXPECT_EQ(replayed.code, 1) << line << '\n' << replayed.out;
  expect_in(replayed.out, "before    openvino-reshape-1 ");
  // The last request of the line, asked alone, does not fail.
  const std::size_t last = line.find("' '");
  ASSERT_NE(last, std::string::npos) << line;
  EXPECT_EQ(shell("replay " + line.substr(last + 2), wrong).code, 0) << line;
}

TEST_F(Program, EveryKindOfBreakdownCostsTheCaseOnly) {
  for (const char* wrong : {"crashes", "aborts", "exits-with-0", "throws"}) {
    const Ran ran = shell("run " + kWrong + kExamples + " --no-diagnosis", wrong);
    EXPECT_EQ(ran.code, 1);
    EXPECT_TRUE(has(ran.out, "5 planned = 5 executed + 0 skipped")) << wrong << ran.out;
    EXPECT_TRUE(has(ran.out, "  pass        openvino-reshape-1/example-1")) << wrong;
    EXPECT_TRUE(has(ran.out, "  fail        openvino-reshape-1/example-2")) << wrong;
  }
}

TEST_F(Program, AHangEndsAtTheDeadline) {
  expect_says(
      shell("run " + kWrong + " --filter openvino-reshape-1/example-2 --deadline 0.5", "hangs"), 1,
      {"timed out"});
}

// Ctrl-C in the middle of a run: what is known is told and written, and not read as a pass.
TEST_F(Program, ARunThatIsAskedToEndTellsWhatItKnows) {
  const std::string run = "'" RESHAPE_PROGRAM "' run " + kReference +
                          " -d openvino-reshape-1 -j 1 --json " + file("report.json") + " 2>&1";
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    const std::string reason = "not asked after SIG" + signal + ", which ended the run";
    expect_says(run_command("timeout --preserve-status --signal=" + signal + " 3 " + run), 4,
                {reason, "ends with what it knows by now"});
    std::ifstream json(file("report.json"));
    expect_in(std::string(std::istreambuf_iterator<char>(json), {}), reason);
  }
}

TEST_F(Program, BadUsageIs2InOneSentence) {
  const std::string run = "run " + kReference;
  expect_sentence(shell(""), 2, "A subcommand is required");
  expect_sentence(shell("fly"), 2, "--help says more");
  expect_sentence(shell("run"), 2, "--implementation is required");
  expect_sentence(shell(run + " --colour"), 2, "--colour");
  expect_sentence(shell(run + " --shard 3/2"), 2, "a shard is I/N");
  expect_sentence(shell(run + " -d nothing"), 2, "unknown dialect 'nothing'; the suite has ");
  expect_sentence(shell(run + " -f nothing"), 2, "no case has filter 'nothing'");
  expect_sentence(shell(run + " -c nothing"), 2, "no case has clause 'nothing'");
  expect_sentence(shell(run + " -t f33"), 2, "unknown element type 'f33'");
  expect_sentence(shell(run + " --jobs 0"), 2, "--jobs");
  expect_sentence(shell(run + " --in-process --jobs 2"), 2, "excludes");
  expect_sentence(shell(run + " --specs " + file("none")), 2, file("none"));
  expect_sentence(shell(run + " --mend-baseline"), 2, "--mend-baseline needs --baseline");
  expect_sentence(shell(run + " " + kWrong + " --baseline x.yaml"), 2, "several were given");
  expect_sentence(shell(run + " --baseline " + file("none.yaml")), 2,
                  file("none.yaml") + ": cannot be read");
  expect_sentence(shell("replay " + kReference + " 'f32[2] i64[2]'"), 2, "column");
  expect_sentence(shell("replay " + kReference + " 'nothing f32[2] i64[2]'"), 2, "nothing");
}

TEST_F(Program, WhatIsTooLongForASentenceIsCut) {
  const std::string word(5000, 'a');
  for (const std::string& line :
       {"run " + kReference + " -d " + word, "run " + kReference + " --jobs " + word,
        "infer x " + word, "help " + word, "help run " + word, word}) {
    const Ran ran = shell(line);
    expect_sentence(ran, 2, "aaa... (500");
    EXPECT_LT(ran.out.size(), 1000u) << line.substr(0, 20);
  }
}

TEST_F(Program, AnUnwritableReportIsKnownBeforeTheRun) {
  const std::string path = file("none") + "/report.json";
  for (const char* option : {" --json ", " --junit ", " --text "}) {
    expect_sentence(shell("run " + kReference + option + path), 2,
                    path + ": cannot be written: No such file or directory");
  }
}

TEST_F(Program, WhatIsNoImplementationIs3) {
  expect_sentence(shell("run -i " + file("none.so")), 3, file("none.so"));
  std::ofstream(file("text.so")) << "no library";
  expect_sentence(shell("run -i " + file("text.so")), 3, file("text.so"));
  expect_sentence(
      shell("replay 'openvino-reshape-1 f32[2] i64[2] special_zero=true' -i " + file("none.so")), 3,
      file("none.so"));
}

TEST_F(Program, NothingExecutedIs4) {
  // A single case in two shards leaves one of them empty.
  int codes[2] = {0, 0};
  for (int part : {1, 2}) {
    codes[part - 1] = shell("run " + kReference + " -f openvino-reshape-1/example-1 --shard " +
                            std::to_string(part) + "/2")
                          .code;
  }
  EXPECT_EQ(codes[0] + codes[1], 4);
}

// A library is not asked dialects that it does not declare, and a run without requests is no pass.
TEST_F(Program, ADialectThatIsNotDeclaredIs4) {
  const TestFolder specs(small_specs());
  const std::string run = "run " + kExample + " --specs " + specs.path();
  expect_sentence(shell(run + " -d small-reshape -q"), 4,
                  "it declares none of the dialects of this suite");
  EXPECT_EQ(shell(run + " -d small-reshape --waive '*'").code, 4);
  EXPECT_EQ(shell(run).code, 4);
  for (const char* more : {"", " --tier quick", " --laws", " --generate 10", " --exhaustive"}) {
    expect_sentence(shell("run " + kExample + " -d onednn-static-reshape" + more), 4,
                    "it declares openvino-reshape-1, and --dialect names others");
  }
  // One of the two dialects is declared; the clauses of the other are reported as not asked.
  expect_says(
      shell("run " + kExample + " -d openvino-reshape-1 -d onednn-static-reshape -f '*/example-?'"),
      1, {"RED     onednn-static-reshape/"});
}

// The laws of the quick tier are asked beside its cases; a shard without a case asks nothing.
TEST_F(Program, LawsWithoutACaseAreNoPass) {
  const std::string run = "run " + kReference + " --tier quick -d onednn-static-reshape";
  expect_says(shell(run + " --shard 1/1000000 --waive '*' -q"), 4,
              {"nothing was executed: 0 planned"});
}

// ---- reports and baseline

TEST_F(Program, ReportsAreWritten) {
  const Ran ran = shell("run " + kReference + kExamples + " --json " + file("r.json") +
                        " --junit " + file("r.xml") + " --text " + file("r.txt"));
  EXPECT_EQ(ran.code, 0) << ran.out;
  expect_in(text_of(file("r.json")), "\"conforming\": true");
  expect_in(text_of(file("r.xml")), "<testsuites name=\"reshape-conformance\"");
  EXPECT_EQ(text_of(file("r.txt")), ran.out);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 3);
}

TEST_F(Program, ABaselineOfCausesKnowsWhateverFailsOfThem) {
  const std::string run = "run " + kWrong + " --baseline " + file("known.yaml");
  const std::string one = " --filter openvino-reshape-1/example-3";
  EXPECT_EQ(shell(run + one + " --mend-baseline=causes", "last-size-one-more").code, 0);
  const std::string text = text_of(file("known.yaml"));
  expect_in(text, "- id: \"*\"\n    cause: \"openvino-reshape-1: ");
  EXPECT_FALSE(has(text, "example-3")) << text;
  expect_says(shell(run + kExamples, "last-size-one-more"), 0,
              {" conforms, apart from 5 known failures: 5 planned"});
  expect_sentence(shell(run + " --mend-baseline=clauses"), 2, "clauses");
}

TEST_F(Program, ABaselineIsMadeKeptAndMended) {
  const std::string run = "run " + kWrong + kExamples + " --baseline " + file("known.yaml");
  EXPECT_EQ(shell(run + " --mend-baseline", "last-size-one-more").code, 0);
  expect_in(text_of(file("known.yaml")), "id: openvino-reshape-1/example-3");
  const Ran known = shell(run, "last-size-one-more");
  expect_says(known, 0, {" conforms, apart from 5 known failures: 5 planned"});
  expect_says(shell(run, "sizes-reversed"), 1, {"known to fail, but differently"});
  const Ran passes = shell("run " + kReference + kExamples + " --baseline " + file("known.yaml"));
  expect_says(passes, 1, {"unexpected pass"});
  // The command that it prints mends the baseline.
  EXPECT_EQ(shell(advised(passes.out, "mend it")).code, 0);
  EXPECT_FALSE(has(text_of(file("known.yaml")), "example"));
}

TEST_F(Program, ShardsAddUp) {
  int planned = 0;
  for (const char* part : {"1/3", "2/3", "3/3"}) {
    const Ran ran = shell("run -q " + kReference + " -c minus-one.once -t f32 --shard " + part);
    EXPECT_EQ(ran.code, 0) << ran.out;
    planned += std::stoi(ran.out.substr(ran.out.find("conforms: ") + 10));
  }
  const Ran whole = shell("run -q " + kReference + " -c minus-one.once -t f32");
  EXPECT_EQ(planned, std::stoi(whole.out.substr(whole.out.find("conforms: ") + 10)));
}

TEST_F(Program, InProcessAndHostAgree) {
  const std::string run = "run -q " + kReference + " -c minus-one.inferred -t i4";
  const auto counts = [](const Ran& ran) { return ran.out.substr(0, ran.out.find(", in ")); };
  EXPECT_EQ(counts(shell(run)), counts(shell(run + " --in-process")));
}

// ---- replay

TEST_F(Program, ReplayShowsEveryProbeWhenAsked) {
  const std::string replay =
      "replay " + kReference + " 'openvino-reshape-1 f32[2,3] i64[3,-1] special_zero=true'";
  const Ran ran = shell(replay);
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_EQ(ran.out,
            "asked     openvino-reshape-1 f32[2,3] i64[3,-1] special_zero=true\n"
            "expected  produces [3,2]\nanswered  produced [3,2]\n"
            "verdict   pass (shape pass, bytes pass, memory pass)\n");
  const Ran verbose = shell(replay + " -v");
  expect_in(verbose.out, "\n  inference: produced [3,2]\n");
  expect_in(verbose.out, "values that are hard to keep, ");
  expect_in(verbose.out, "buffers that end at a guard page, ");
}

TEST_F(Program, ReplayOfWhatIsNotPromisedAssertsNothing) {
  const TestFolder specs(small_specs());
  expect_says(shell("replay " + kExample + " --specs " + specs.path() +
                    " 'small-reshape f32[2,3] i64[3,-1] plain_zero=no'"),
              4, {"verdict   unsupported: dialect small-reshape is not declared\n"});
}

// ---- the rest of the command line

TEST_F(Program, SaysItsVersions) {
  expect_says(shell("--version"), 0,
              {"reshape-conformance " RESHAPE_VERSION "\ncase suite ", "\ncontract 1.1\n"});
  EXPECT_EQ(shell("--help").code, 0);
  EXPECT_EQ(shell("run --help").code, 0);
}

TEST_F(Program, HostIsNotForPeople) {
  expect_sentence(shell("host"), 2, "'host' is started by the program itself");
  EXPECT_FALSE(has(shell("--help").out, "host "));
}

TEST_F(Program, AnOutputThatCannotBeWrittenIsNoSuccess) {
  const Ran ran = shell("run " + kReference + kExamples + " > /dev/full");
  EXPECT_EQ(ran.code, 2) << ran.out;
}

// A file size limit set in the shell is not the library's fault.
TEST_F(Program, WhatTheLimitOfFilesEndsIsNotBlamedOnALibrary) {
  const Ran ran =
      limited("ulimit -f 8", "run " + kReference + " --tier quick -q -d openvino-reshape-1");
  EXPECT_EQ(ran.code, 0) << ran.out;
}

// A quota or a limit of the shell; by default SIGXFSZ would end the program.
TEST_F(Program, AReportPastTheLimitOfFilesIsToldAndNotHalfWritten) {
  const std::string path = file("report.json");
  std::ofstream(path) << "old";
  expect_sentence(limited("ulimit -f 8",
                          "run " + kReference + kExamples + "-q --json '" + path + "' > /dev/null"),
                  2, path + ": cannot be written: File too large");
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

// Whatever the verdict is, and however early the stream fails.
TEST_F(Program, AnOutputThatCannotBeWrittenIsToldByEveryCommand) {
  const std::string line = " 'openvino-reshape-1 f32[2,3] i64[3,-1] special_zero=true'";
  const std::string commands[] = {"run " + kReference + kExamples,
                                  "replay " + kReference + line,
                                  "doctor " + kExample,
                                  "infer" + line,
                                  "explain openvino-reshape-1/example-1",
                                  "list -d openvino-reshape-1",
                                  "list --json -d openvino-reshape-1",
                                  "export -d openvino-reshape-1 --json -",
                                  "trace",
                                  "manual run",
                                  "completion bash",
                                  "--help",
                                  "--version"};
  for (const std::string& command : commands) {
    for (const char* to : {" 2>&1 > /dev/full", " 2>&1 >&-"}) {
      expect_sentence(shell(command + to, "", false), 2, "the output could not be written");
    }
  }
  // The JSON report goes to the full device, and the error is on standard error.
  const Ran json = shell("run " + kReference + kExamples + "--json - 2>&1 > /dev/full", "", false);
  EXPECT_EQ(json.code, 2);
  EXPECT_TRUE(json.out.ends_with("\nreshape-conformance: the output could not be written\n"))
      << json.out;
  // The exit code is the verdict's; standard error says that the output was not written.
  expect_sentence(shell("run " + kWrong + kExamples + " --no-diagnosis 2>&1 > /dev/full",
                        "last-size-one-more", false),
                  1, "the output could not be written");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Program, WithoutMemoryNothingIsAsserted) {
  std::ofstream(file("large.json")) << '[' << std::string(60 << 20, ' ') << ']';
  expect_sentence(limited("ulimit -v 100000", "merge '" + file("large.json") + "'"), 4,
                  "there is not enough memory for this");
}

// It is this program that lacks it, and not the library.
TEST_F(Program, WithoutMemoryForAProcessNothingIsAsserted) {
  expect_says(limited("ulimit -d 50000", "doctor " + kReference), 4,
              {"not ok  starts",
               "a host process cannot be started: the machine refused 64 MiB of "
               "memory (see ulimit -d and -v)"});
}

TEST_F(Program, WithoutStackNothingIsAsserted) {
  expect_sentence(limited("ulimit -s 64", "run " + kReference), 4,
                  "the stack is limited to less than 256 KiB");
}
#endif

// ---- what is printed of the command line

TEST_F(Program, NoArgumentPrintsALineOfItsOwn) {
  const std::string forged = "$'x\\nmine 1.0 conforms: all pass'";
  const auto ran = [&](const std::string& words) {
    return run_command("bash -c \"'" RESHAPE_PROGRAM "' " + words + " 2>&1\"");
  };
  for (const std::string& words : {forged,
                                   "run -i " + forged,
                                   "run -i" + forged,
                                   "run --implementation=" + forged,
                                   "run --colour=" + forged,
                                   "merge " + forged,
                                   "verify " + forged,
                                   "infer " + forged,
                                   "explain " + forged,
                                   "list -d " + forged,
                                   "list --since " + forged,
                                   "history table " + forged,
                                   "run " + kReference + " -d " + forged,
                                   "run " + kReference + " --baseline " + forged,
                                   "replay " + kReference + " " + forged,
                                   "help " + forged,
                                   "manual " + forged,
                                   "import " + forged,
                                   "count -i " + forged,
                                   "lint --specs " + forged}) {
    const Ran one = ran(words);
    EXPECT_TRUE(one.code == 2 || one.code == 3) << words << one.out;
    EXPECT_FALSE(has("\n" + one.out, "\nmine 1.0 conforms")) << words << '\n' << one.out;
  }
}

// ---- files that are no text

TEST_F(Program, ANulInAFileIsToldWithItsPlace) {
  std::ofstream(file("a"), std::ios::binary) << "known: []\n" << '\0';
  for (const std::string& command :
       {"run " + kReference + " --baseline ", std::string("verify "), std::string("merge "),
        std::string("list --since "), std::string("infer --from "),
        std::string("history add h --commit a --time 1 --result "),
        std::string("bench " + kReference + " --workloads "),
        std::string("compare --record r --baseline '" RESHAPE_REFERENCE "' --workloads ")}) {
    expect_sentence(shell(command + file("a")), 2, file("a") + ":2:1: a NUL, which no text holds");
  }
}

TEST_F(Program, AnInputWithoutAnEndIsReadUpToABound) {
  expect_sentence(shell("infer --from - < /dev/zero"), 2,
                  "a line of the input is longer than 1 MiB");
  expect_sentence(shell("infer --from - < " + folder.string()), 2, "the input could not be read");
  const Ran ran = shell("infer --from - < /dev/null");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "");
}

// ---- arguments

TEST_F(Program, AWaiverThatLetsNothingThroughIsRefused) {
  const std::string run = "run " + kReference + kExamples;
  expect_sentence(shell(run + " --waive nosuch"), 2,
                  "no clause is called 'nosuch', which --waive names");
  expect_sentence(shell(run + " --waive process-start/nosuch"), 2, "process-start/nosuch");
  for (const char* waiver : {"'*'", "zero.copies", "openvino-reshape-1/zero.copies",
                             "process-start", "process-start/threads"}) {
    EXPECT_EQ(shell(run + " --waive " + waiver).code, 0) << waiver;
  }
}

TEST_F(Program, ALongExpressionIsRefusedAndAnEndlessOneEnds) {
  const std::string bench = "count " + kReference + " --filter ";
  expect_sentence(shell(bench + "\"$(printf '(%.0s' $(seq 1 100000))\""), 2,
                  "--filter is longer than 200 characters");
  expect_sentence(shell(bench + "'((((((((a*)*)*)*)*)*)*)*)*$nothing'"), 2,
                  "no workload is chosen");
  expect_sentence(shell(bench + "'('"), 2, "is no regular expression");
}

TEST_F(Program, ExportToStandardOutputIsTheJsonAlone) {
  const std::string cases = "export -f openvino-reshape-1/example-1 --json ";
  const Ran written = shell(cases + file("c.json"));
  EXPECT_EQ(written.code, 0) << written.out;
  const Ran printed = shell(cases + "-");
  EXPECT_EQ(printed.code, 0);
  EXPECT_EQ(printed.out, text_of(file("c.json")));
  EXPECT_FALSE(std::filesystem::exists("-"));
  expect_sentence(shell(cases + "- --onnx " + file("o")), 2, "--json - prints the cases alone");
}

TEST_F(Program, ThePageOfHistoryHasItsCommands) {
  const Ran ran = shell("manual history");
  EXPECT_EQ(ran.code, 0);
  for (const char* part :
       {".SH \"add\"", ".SH \"export\"", ".SH \"page\"", ".SH \"table\"", "commit"}) {
    expect_in(ran.out, part);
  }
}

TEST_F(Program, WrongAnswersAreNotCounted) {
  expect_says(shell("count " + kWrong + " --filter '^infer/'", "last-size-one-more"), 1,
              {"a wrong answer is not counted: infer/"});
}

TEST_F(Program, TheDeadlineOfBenchIsThatOfItsJudging) {
  const auto began = std::chrono::steady_clock::now();
  expect_says(shell("bench " + kWrong + " --filter '^infer/' --deadline 0.3", "hangs"), 1,
              {"no answer within 0.3 s"});
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60));
}

}  // namespace
}  // namespace reshape::conformance
