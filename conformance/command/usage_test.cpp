// Options, input files and reports of the program, run from a shell.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "conformance/command/shell_test.h"

namespace reshape::conformance {
namespace {

using Usage = ShellTest;

// An option that has no effect in a run is refused.
TEST_F(Usage, OptionsWithoutUseAreRefused) {
  const std::string run = "run " + kReference;
  for (const char* fixed : {"--type f32", "--suite-only", "--exhaustive"}) {
    expect_sentence(shell(run + " --fresh " + fixed), 2, "--fresh");
  }
  expect_sentence(shell(run + " --seed 7 --filter '*'"), 2, "--seed is about what is drawn");
  for (const char* idle :
       {"--clause volume.kept", "--filter '*'", "--tier quick", "--waive '*'", "--shard 1/2"}) {
    const std::string option = std::string(idle).substr(0, std::string(idle).find(' '));
    expect_sentence(shell(run + " --generate 10 " + idle), 2,
                    option + " is about the cases of the suite, and --generate asks others");
  }
  expect_sentence(shell(run + " --exhaustive --baseline none.yaml"), 2,
                  "--baseline is about the cases of the suite, and --exhaustive asks others");
  expect_sentence(shell(run + " --laws --waive process-start"), 2,
                  "--waive is about the cases of the suite, and --laws asks others");
  EXPECT_EQ(shell(run + " --generate 20 --waive process-start").code, 0);
  expect_sentence(shell(run + " --laws --type f32"), 2, "--type is about the cases of the suite");
  expect_sentence(shell("mutants --shard 5/2"), 2,
                  "a shard is I/N with 1 <= I <= N <= 2147483647, not '5/2'");
  expect_sentence(shell("mutants --seed 7"), 2, "--seed is about what is drawn");
  expect_sentence(shell("mutants --shard 1/2 --list"), 2, "--shard cuts the cases of --tier");
  expect_sentence(shell("mutants --folds 10"), 2, "--folds chooses from all: give --tier full");
  for (const char* seconds : {"nan", "inf", "0", "-1", "1e9", "5x"}) {
    expect_sentence(shell(run + " --deadline " + seconds), 2, "is no number of seconds from 0.01");
  }
}

// A number parsed as another one would ask something else, and a limit of NaN would limit nothing.
TEST_F(Usage, NumbersAreTheNumbersThatWereGiven) {
  const std::string run = "run " + kReference;
  for (const char* seed : {"-1", "1.5", "99999999999999999999", "0x10", "+1"}) {
    expect_sentence(shell(run + " --generate 5 --seed=" + seed), 2,
                    std::string("--seed: '") + seed + "' is no whole number from 0 to 184467");
  }
  expect_sentence(shell(run + " --most-failures=-1"), 2,
                  "--most-failures: '-1' is no whole number from 0 to 2147483647");
  expect_sentence(shell("history add h.sqlite --result r.json --commit c --time=-5"), 2,
                  "--time: '-5' is no whole number");
  for (const char* option : {"--minutes", "--find", "--floor", "--floor-ns", "--exclude",
                             "--sessions", "--deadline", "--most-mib"}) {
    const std::string bound = std::string(" ") + option + " nan";
    expect_sentence(shell("compare --baseline a.so --candidate b.so" + bound), 2,
                    std::string(option) + ": 'nan' is no number");
  }
  expect_sentence(shell("count " + kReference + " --floor nan"), 2, "--floor: 'nan' is no number");
}

// An empty value comes from a variable that a script has not set.
TEST_F(Usage, EmptyValuesAreRefusedByName) {
  for (const char* option : {"--json", "--baseline", "--specs", "--junit", "--shard", "--waive"}) {
    expect_sentence(shell("run " + kReference + ' ' + option + " ''"), 2,
                    std::string(option) + ": its value is empty");
  }
  expect_sentence(shell("run -i ''"), 2, "--implementation: its value is empty");
}

TEST_F(Usage, AnOptionIsNoValueOfTheOneBeforeIt) {
  expect_sentence(shell("run " + kReference + kExamples + " --json -q"), 2,
                  "--json: '-q' is an option, and no value of this one");
  expect_sentence(shell("bench " + kReference + " --json --gate"), 2,
                  "--json: '--gate' is an option");
  EXPECT_FALSE(std::filesystem::exists("-q"));
  expect_sentence(shell("run " + kReference + kExamples + " --json --html=report.html"), 2,
                  "--json: '--html=report.html' is an option, and no value of this one");
}

// A terminal without carriage return would be filled with lines of progress.
TEST_F(Usage, ProgressIsShownInATerminalThatCanWipeIt) {
  const auto in_terminal = [](const std::string& kind) {
    const Ran ran = run_command("TERM=" + kind + " script -qec \"'" RESHAPE_PROGRAM "' run " +
                                kReference + " -f '*/example-?'\" /dev/null");
    expect_says(ran, 0, {"conforms"});
    return ran.out;
  };
  constexpr const char* kWiped = "\x1b[K";
  expect_in(in_terminal("xterm"), kWiped);
  EXPECT_FALSE(has(in_terminal("dumb"), kWiped));
}

TEST_F(Usage, TwoReportsToOneFileAreRefused) {
  const std::string same = file("r.txt");
  std::filesystem::create_symlink(same, file("link.txt"));
  for (const std::string& other : {same, file("./r.txt"), file("link.txt")}) {
    expect_sentence(shell("run " + kReference + kExamples + " --json " + same + " --text " + other),
                    2, "--json names the same file");
  }
  expect_sentence(shell("run " + kReference + kExamples + " --json - --text -"), 2,
                  "--json names the same file");
  // One stream by two names, and one pipe or file behind two descriptors.
  for (const std::string& two :
       {std::string("--json - --html /dev/stdout"), std::string("--json /dev/fd/1 --html -"),
        std::string("--junit /proc/self/fd/1 --html /dev/stdout"),
        std::string("--json - --html /dev/stderr"), std::string("--json - --html /dev/fd/7 7>&1"),
        "--json /dev/fd/7 --html " + file("7.txt") + " 7> " + file("7.txt")}) {
    expect_sentence(shell("run " + kReference + kExamples + two), 2, "names the same file");
  }
  expect_says(shell("run -q " + kReference + kExamples + " --json /dev/null --html /dev/null"), 0,
              {"conforms"});
}

// No output of a command may overwrite one of its inputs.
TEST_F(Usage, NoReportTakesThePlaceOfWhatIsRead) {
  std::filesystem::create_directories(folder / "specs" / "cases");
  for (const char* name : {"lib.so", "child.py", "specs/cases/a.yaml", "known.yaml", "model.xml",
                           "1.json", "history.db"}) {
    std::ofstream(file(name)) << "mine";
  }
  std::filesystem::create_symlink(file("lib.so"), file("link.so"));
  const std::pair<std::string, const char*> lost[] = {
      {"run -i " + file("lib.so") + " --json " + file("lib.so"), "--implementation names"},
      {"run -i " + file("link.so") + " --html " + file("lib.so"), "--implementation names"},
      {"run -i 'child:python3 " + file("child.py") + "' --text " + file("child.py"),
       "--implementation names"},
      {"run " + kReference + " --specs " + file("specs") + " --json " + file("specs/cases/a.yaml"),
       "--specs names"},
      {"run " + kReference + " --baseline " + file("known.yaml") + " --json " + file("known.yaml"),
       "--baseline names"},
      {"bench -i " + file("lib.so") + " --json " + file("lib.so"), "--implementation names"},
      {"import " + file("model.xml") + " -o " + file("model.xml"), "model names"},
      {"merge " + file("1.json") + " --json " + file("1.json"), "shard names"},
      {"history page " + file("history.db") + " --html " + file("history.db"), "history names"}};
  for (const auto& [command, what] : lost) {
    expect_sentence(shell(command), 2, std::string(what) + ", and would be lost");
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      EXPECT_EQ(text_of(entry.path()), "mine") << entry.path();
    }
  }
}

TEST_F(Usage, AReportToStandardOutputStandsThereAlone) {
  const Ran ran =
      shell("run " + kReference + kExamples + " --json - 2> " + file("people.txt"), "", false);
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_EQ(ran.out.front(), '{');
  expect_in(ran.out, "\"conforming\": true");
  expect_in(text_of(file("people.txt")), " conforms: 5 planned");
}

// A report that cannot be written does not keep the others from being written.
TEST_F(Usage, EachReportIsWrittenWhateverBecomesOfTheOthers) {
  expect_says(
      shell("run -q " + kReference + kExamples + " --json /dev/full --junit " + file("r.xml")), 2,
      {"/dev/full: cannot be written"});
  expect_in(text_of(file("r.xml")), "</testsuites>");
}

// Pipes and devices may never end, so they are refused before they are read.
TEST_F(Usage, OnlyRegularFilesAreRead) {
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  for (const std::string& path : {file("pipe"), std::string("/dev/zero")}) {
    expect_sentence(shell("run " + kReference + " --baseline " + path), 2, "it is no regular file");
    expect_sentence(shell("infer --from " + path), 2, "it is no regular file");
  }
  std::filesystem::create_directories(folder / "specs");
  std::filesystem::create_symlink("/dev/zero", folder / "specs" / "suite.yaml");
  expect_sentence(shell("lint --specs " + file("specs")), 2, "it is no regular file");
}

// Every option that names an output file has the same check, before the work.
TEST_F(Usage, OnlyRegularFilesAreReplaced) {
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  const std::string pipe = file("pipe");
  for (const std::string& command :
       {"run " + kReference + kExamples + "--html ", "run " + kReference + " --badge ",
        "bench " + kReference + " --json ",
        "compare --baseline " + kReference.substr(3) + " --record ",
        std::string("mutants --matrix "), std::string("mutants --random 3 --json "),
        std::string("export --json "), std::string("verify none --badge "),
        std::string("import none -o "), std::string("history export none --csv ")}) {
    expect_sentence(shell(command + pipe), 2, pipe + ": not written: it is no regular file");
  }
  expect_sentence(shell("mutants --matrix -"), 2, "-: cannot be written");
}

// Standard output is written in place: the content of a file behind >> stays.
TEST_F(Usage, WhatAShellOpensIsWrittenInPlace) {
  std::ofstream(file("log")) << "kept\n";
  for (const char* name : {"/dev/stdout", "/dev/fd/7"}) {
    const Ran ran = shell("run -q " + kWrong + kExamples + " --json " + name + " 7>> " +
                              file("log") + " >&7 2> /dev/null",
                          "minus-one-rounds-down", false);
    EXPECT_LE(ran.code, 1);
    const std::string log = text_of(file("log"));
    EXPECT_EQ(log.find("kept\n"), 0u) << log;
    EXPECT_EQ(times(log, "\"program\": \"reshape-conformance\""), 1) << log;
    std::ofstream(file("log")) << "kept\n";
  }
}

// The command is printed on one line, and still names the library.
TEST_F(Usage, AReplayCanBePastedWhateverTheLibraryIsCalled) {
  const std::string library = file("it's\n\\n \t$(x).so");
  std::filesystem::copy_file(RESHAPE_MUTANTS_LIBRARY, library);
  setenv("ODD", library.c_str(), 1);
  const Ran ran = shell("run -q -i \"$ODD\" --no-diagnosis --most-failures 1 -f '*/divides-*'",
                        "minus-one-rounds-down");
  unsetenv("ODD");
  EXPECT_EQ(ran.code, 1) << ran.out;
  std::ofstream(file("pasted")) << "'" RESHAPE_PROGRAM "' " << advised(ran.out, "replay");
  const std::string command = "RESHAPE_MUTANT=minus-one-rounds-down bash '" + file("pasted") +
                              "' > '" + file("out") + "' 2>&1";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1) << text_of(file("out"));
  expect_in(text_of(file("out")), "verdict   fail");
}

TEST_F(Usage, ASuiteWithoutADocumentIsNotClean) {
  std::filesystem::create_directories(folder / "specs");
  std::ofstream(folder / "specs" / "suite.yaml") << "suite: reshape-conformance\nversion: 1.0.0\n";
  const Ran ran = shell("lint --specs " + file("specs"));
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_FALSE(has(ran.out, "clean")) << ran.out;
}

// A name may contain control sequences for a terminal.
TEST_F(Usage, WhatOthersWroteReachesNoTerminalRaw) {
  std::filesystem::create_directories(folder / "specs" / "cases");
  std::ofstream(folder / "specs" / "suite.yaml") << "suite: reshape-conformance\nversion: 1.0.0\n";
  std::ofstream(folder / "specs" / "suite.yaml", std::ios::app) << "\"a\\nb\": 1\n";
  std::ofstream(folder / "specs" / "cases" / "a\x1b[2J\xe2\x80\xae.yaml") << "volume.kept: 7\n";
  const Ran ran = shell("lint --specs " + file("specs"));
  EXPECT_EQ(ran.code, 2);
  EXPECT_FALSE(has(ran.out, "\x1b")) << ran.out;
  EXPECT_FALSE(has(ran.out, "\xe2\x80\xae")) << ran.out;
  expect_in(ran.out, "a\\x1b[2J\\u202e.yaml");
  expect_in(ran.out, "unknown key \"a\\nb\" in suite.yaml\n");
}

TEST_F(Usage, AnErrorIsToldOnceAndNamesTheCommand) {
  EXPECT_EQ(shell("list --since /dev/zero").out,
            "reshape-conformance list: /dev/zero: not read: it is no regular file\n");
  EXPECT_EQ(
      shell("infer 'nonsense'").out,
      "reshape-conformance infer: malformed: column 9: expected the data, as in f32[2,3], not "
      "the end of the line\n");
}

TEST_F(Usage, HelpIsGivenAsPeopleAskForIt) {
  EXPECT_EQ(shell("help").out, shell("--help").out);
  EXPECT_EQ(shell("help run").out, shell("run --help").out);
  EXPECT_EQ(shell("-V").out, shell("--version").out);
  expect_sentence(shell("rum"), 2, "there is no command 'rum'");
  expect_sentence(shell("help rum"), 2, "there is no command 'rum'");
  EXPECT_EQ(shell("help history add").out, shell("history add --help").out);
  expect_sentence(shell("help run extra"), 2, "help does not take 'extra'");
  expect_sentence(shell("help history rum"), 2, "help does not take 'rum'");
  expect_sentence(shell("--version extra"), 2, "--version does not take 'extra'");
  expect_sentence(shell("manual --list trace"), 2, "--list");
  const Ran help = shell("run --help");
  EXPECT_FALSE(has(help.out, "{")) << help.out;
  expect_in(help.out, "Exit codes: 0 as expected");
  expect_in(help.out, "mistrusted");
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST_F(Usage, ReplayTakesTheIdOfACase) {
  expect_says(shell("replay " + kReference + " openvino-reshape-1/example-2"), 0,
              {"asked     openvino-reshape-1 f32[2,5,5,24] i64[0,-1,4]"});
  expect_sentence(shell("replay " + kReference + " openvino-reshape-1/none"), 2,
                  "no case is called 'openvino-reshape-1/none'");
}

// No library is to blame for what nobody can do.
TEST_F(Usage, ReplayAsksForNoOutputWhoseElementsOverlap) {
  expect_sentence(
      shell("replay " + kReference +
            " 'openvino-reshape-1 u8[2,3] i64[2,0] special_zero=true out_strides=[72,36]'"),
      2, "out_strides let elements of the output [2,3] overlap");
}

TEST_F(Usage, EveryMessageBeginsWithTheProgramsName) {
  for (const char* wrong :
       {"fly", "infer", "infer 'x f32[2] i64[2]'", "explain nothing", "lint --specs /nonexistent",
        "promote /nonexistent", "mutants no-such-mutant", "run -i /nonexistent"}) {
    const Ran ran = shell(wrong);
    EXPECT_NE(ran.code, 0) << wrong;
    EXPECT_EQ(ran.out.rfind("reshape-conformance", 0), 0u) << wrong << ": " << ran.out;
  }
}

// --mend-baseline keeps the comments that people wrote into the file.
TEST_F(Usage, MendingKeepsWhatPeopleWrote) {
  const std::string run =
      "run " + kWrong + kExamples + " --no-diagnosis --baseline " + file("known.yaml");
  EXPECT_EQ(shell(run + " --mend-baseline", "last-size-one-more").code, 0);
  std::string text = text_of(file("known.yaml"));
  const std::size_t second = text.find("  - id: openvino-reshape-1/example-2");
  ASSERT_NE(second, std::string::npos) << text;
  text.insert(second, "  # to be mended by the next release\n");
  text = "# ours\n" + text + "# the end\n";
  std::ofstream(file("known.yaml")) << text;
  EXPECT_EQ(shell(run + " --mend-baseline", "last-size-one-more").code, 0);
  EXPECT_EQ(text_of(file("known.yaml")), text);
  // An entry that differs is renewed, and keeps its comment.
  EXPECT_EQ(shell(run + " --mend-baseline", "sizes-reversed").code, 0);
  const std::string renewed = text_of(file("known.yaml"));
  expect_in(renewed, "# ours\n");
  expect_in(renewed,
            "  # to be mended by the next release\n  - id: openvino-reshape-1/example-2\n");
  expect_in(renewed, "# the end\n");
  EXPECT_EQ(shell(run, "sizes-reversed").code, 0);
}

}  // namespace
}  // namespace reshape::conformance
