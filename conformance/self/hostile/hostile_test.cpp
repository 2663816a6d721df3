// Every hostile library, with the program as run from a shell: checks the verdict and exit code,
// that every planned case has a result, that the run ends, and that it leaves no process and no
// file behind.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
// A sanitized program takes longer: its tests have three times as long (reshape_test of CMake).
constexpr double kSlower = kSanitized ? 3 : 1;

struct Expected {
  const char* kind;
  int code;
  const char* says;       // expected somewhere in the output
  const char* more = "";  // options
  double seconds = 20;    // at most, on a busy machine
  int tries = 1;          // more for random misbehaviour
  const char* deadline = "0.5";
};
void PrintTo(const Expected& one, std::ostream* out) { *out << one.kind; }

constexpr const char* kConforms = "mine 1.0 conforms: 5 planned = 5 executed + 0 skipped, 5 pass";
constexpr const char* kHang = "timed out during inference: no answer within 0.5 s";
constexpr int kNoFilter = 77;            // of `refuse`
constexpr const char* kPatience = "20";  // seconds; enough for a busy machine

const Expected kExpected[] = {
    // Not started: 3, and why.
    {"load-crashes", 3, "while it was loaded, the host process died of SIGSEGV"},
    {"load-aborts", 3, "while it was loaded, the host process died of SIGABRT"},
    {"load-exits", 3, "while it was loaded, the host process ended with exit(0)"},
    {"load-kills", 3, "while it was loaded, the host process died of SIGKILL"},
    {"load-prints", 0, kConforms},
    {"load-starts-a-daemon", 1, "a process that is nobody's child any more was left behind"},
    {"load-forks", 3, "while it was loaded, the host process had more than"},
    {"unload-crashes", 1, "asked to end after its cases, its process died of SIGSEGV"},
    {"unload-exits", 1, "asked to end after its cases, its process ended with exit(7)"},
    {"unload-hangs", 1, "its process had not ended after 0.5 s"},
    {"entry-null", 3, "reshape_plugin_entry returned no table"},
    {"entry-throws", 3, "reshape_plugin_entry threw a C++ exception: no table today"},
    {"entry-crashes", 3, "while it was loaded, the host process died of SIGSEGV"},
    {"table-version", 3, "its table has version 7"},
    {"table-size", 3, "its table says struct_size 8"},
    {"table-no-inference", 3, "its table has no infer_shape"},
    {"table-no-execution", 3, "its table has no execute"},
    {"table-capabilities", 3, "sets capability bits that this version does not have"},
    {"describes-no-name", 3, "its description has no name"},
    {"describes-no-dialect", 3, "its description names no dialect"},
    {"describes-another-dialect", 4, "it declares none of the dialects of this suite"},
    {"describes-freed-text", 4, "it declares none of the dialects of this suite"},
    {"describes-endless-text", 3, "while it was loaded, the host process died of SIGSEGV"},
    {"describes-a-megabyte", 0, "conforms: 5 planned = 5 executed"},
    {"describes-control-bytes", 0, "conforms: 5 planned = 5 executed"},
    {"describes-a-command", 0, "\n\\x3a:stop-commands::x 1.0 conforms: 5 planned = 5 executed"},
    {"describes-unknown-type", 3, "the unknown word 'f33'"},
    {"describes-negative-rank", 3, "its max_rank is -1"},
    {"describes-odd-alignment", 3, "its alignment is 3"},
    {"describes-too-much", 1, "elements whole bytes here", "-t i4"},
    // Ended: the case fails, the run goes on.
    {"crashes", 1, "died of SIGSEGV (a bad memory access): wrote through a null pointer"},
    {"divides-by-zero", 1, "died of SIGFPE"},
    {"illegal-instruction", 1, "died of SIGILL"},
    {"aborts", 1, "died of SIGABRT"},
    {"terminates", 1, "terminate called without an active exception"},
    {"throws", 1, "threw a C++ exception: thrown"},
    {"throws-a-number", 1, "threw a C++ exception of a type of its own"},
    {"exits-with-0", 1, "ended with exit(0) instead of answering"},
    {"exits-at-once", 1, "ended with exit(0) instead of answering"},
    {"ends-its-thread", 1, "the host process"},
    {"jumps-nowhere", 1, "crashed during inference"},
    {"kills-itself", 1, "died of SIGKILL"},
    {"stops-itself", 1, kHang},
    {"kills-its-parent", 1, "died of SIGKILL"},
    {"aborts-its-parent", 1, "died of SIGABRT"},
    {"kills-its-group", 1, "died of SIGKILL"},
    {"stops-its-parent", 1, "the process that started this one was stopped"},
    {"stops-its-grandparent", 1,
     "stopped the process above the one that started it, and was ended"},
    {"recurses", 1, "the stack overflowed"},
    {"allocates", 1, "the host process died of"},
    {"grows-a-file", 1, "died of SIGXFSZ (the limit of a file's size)"},
    {"hangs", 1, kHang},
    {"loops", 1, kHang},
    {"hangs-deaf", 1, kHang},
    {"hangs-in-a-session", 1, kHang},
    {"hangs-beside-a-session", 1, kHang},
    {"hangs-beside-a-daemon", 1, kHang},
    {"forks", 1, "processes at a time, and was ended with all of them", "", 60, 1, kPatience},
    {"forks-and-ends", 1, kHang},
    {"starts-threads", 1, "threads at a time, and was ended with all of them", "", 60, 1,
     kPatience},
    {"hangs-in-a-later-process", 0, kConforms},
    {"forks-in-a-later-process", 0, kConforms},
    {"hangs-in-its-first-call", 1, kHang},
    {"hangs-in-execute", 1, "timed out during execution"},
    {"hangs-in-threads", 0, kConforms},
    {"crashes-in-execute", 1, "crashed during execution"},
    {"slow", 0, kConforms},
    {"prints-much", 0, kConforms},
    {"closes-every-file", 1, "lost its connection"},
    {"answers-itself", 1, "something else wrote into the host's connection"},
    {"dies-with-words", 1, "it printed last: "},
    // Left behind.
    {"leaves-a-child", 1, "a child process was left behind"},
    {"leaves-a-zombie", 1, "a child process was left behind"},
    {"leaves-a-session", 1, "a child process was left behind"},
    {"leaves-a-daemon", 1, "a process that is nobody's child any more was left behind"},
    {"leaves-a-thread", 1, "1 more threads than before the request"},
    {"sets-itself-up", 0, kConforms, "-f '*/example-?' --waive process-start"},
    {"leaves-a-file-open", 1, "was left open"},
    {"leaves-a-file", 1, "hostile-was-here was left in the working directory"},
    {"leaves-a-folder", 1, "hostile-folder was left in the working directory"},
    {"leaves-deep-folders", 1, "deep was left in the working directory", "", 60, 1, kPatience},
    {"leaves-memory", 1, "equal calls left more memory in use"},
    {"changes-rounding", 1, "rounding changed"},
    {"changes-locale", 1, "the locale changed"},
    {"changes-folder", 1, "the working directory changed to /"},
    {"changes-umask", 1, "the umask was changed"},
    {"changes-environment", 1, "the variable HOSTILE_WAS_HERE was set"},
    {"changes-priority", 1, "the priority of the process changed"},
    {"changes-signals", 1, "the handler of SIGTERM was replaced"},
    {"changes-the-mask", 1, "SIGUSR1 was blocked"},
    {"changes-terminate", 1, "the handler of std::terminate was replaced"},
    {"changes-processors", 1, "the thread was bound to other processors"},
    {"changes-user", 1, "the user or the group of the process was changed"},
    {"ignores-children", 1, "the handler of SIGCHLD was replaced"},
    {"starts-a-timer", 1, "the real timer was left running"},
    {"starts-a-posix-timer", 1, "a timer (timer_create) was left running"},
    {"takes-over-orphans", 1, "who takes over orphans (PR_SET_CHILD_SUBREAPER) was changed"},
    {"limits-open-files", 1, "the limit of open files was changed"},
    {"limits-file-size", 1, "the limit of the size of files was changed"},
    {"limits-processes", 1, "the limit of processes was changed"},
    {"limits-locked-memory", 1, "the limit of locked memory was changed"},
    {"changes-scheduling", 1, "the scheduling policy was changed"},
    {"filters-its-calls", 1, "the filter of system calls was changed"},
    {"is-traced", 1, "the process was given to a tracer"},
    // Wrong answers.
    {"status-of-its-own", 1, "77"},
    {"always-fails", 1, "no memory"},
    {"supports-nothing", 1, "not today"},
    {"negative-rank", 1, "a rank of -1"},
    {"huge-rank", 1, "a rank of 2147483647"},
    {"huge-size", 1, "produced [9223372036854775807,"},
    {"infers-too-much", 1, "behind the output"},
    {"writes-behind-the-shape", 1, "past the end of the array that receives the shape"},
    {"message-without-an-end", 1, "no NUL in the message"},
    {"silent", 1, "watch message"},
    {"now-and-then-wrong", 1, "same-answer", "-t f32"},
    {"races", 1, "BROKEN     different-at-once", "--laws", 60, 6},
    {"seldom-wrong", 1, "same-answer", "-t f32"},
    {"changes-the-pattern", 1, "of the pattern, read-only during the call"},
    {"unprotects-the-pattern", 1, "arguments-unchanged"},
    {"writes-nothing", 1, "watch     bytes"},
    {"one-byte-wrong", 1, "watch     bytes"},
    {"writes-behind-the-output", 1, "behind the output"},
    {"writes-before-the-output", 1, "wrote 1 byte before the start of the output"},
    {"reads-behind-the-input", 1, "crashed during execution"},
    {"changes-the-input", 1, "of the data, read-only during the call"},
    {"unprotects-the-input", 1, "input-unchanged"},
    {"changes-the-output", 1, "of the ndim in the tensor of the output"},
    {"refuses-to-execute", 1, "execution: rejected"},
};

struct Ran {
  int code = -1;
  double seconds = 0;
  std::string out;
};

class Runs : public testing::Test {
 protected:
  Runs() {
    folder_ = fs::path(testing::TempDir()) / ("hostile-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "temporary");
    fs::create_directories(folder_ / "here");
  }
  ~Runs() override { fs::remove_all(folder_); }

  // An environment variable that marks all processes of the run.
  std::string mark() const { return "RESHAPE_HOSTILE_MARK=" + folder_.string(); }

  Ran run(const std::string& kind, const std::string& options, const std::string& deadline = "0.5",
          const std::string& through = "", const std::string& command_name = "run") const {
    // AddressSanitizer unmaps each ending thread's stack for signals, also one of the library.
    const char* const sanitizer = kSanitized ? " ASAN_OPTIONS=use_sigaltstack=0:$ASAN_OPTIONS" : "";
    const std::string command =
        "cd '" + (folder_ / "here").string() + "' && " + mark() + " TMPDIR='" +
        (folder_ / "temporary").string() + "'" + sanitizer + " RESHAPE_HOSTILE=" + kind + ' ' +
        through + " '" RESHAPE_PROGRAM "' " + command_name + " -i '" +
        RESHAPE_HOSTILE_LIBRARY "' --deadline " + deadline + " " + options + " 2>&1";
    Ran ran;
    const auto began = std::chrono::steady_clock::now();
    FILE* pipe = popen(command.c_str(), "r");
    char buffer[4096];
    for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
      ran.out.append(buffer, got);
    }
    const int status = pclose(pipe);
    ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ran;
  }

  std::vector<std::string> processes_left() const {
    std::vector<std::string> left;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename().string();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream stream(entry.path() / "environ", std::ios::binary);
      const std::string words{std::istreambuf_iterator<char>(stream), {}};
      if (words.find(mark() + '\0') != std::string::npos) left.push_back(name);
    }
    return left;
  }

  std::vector<std::string> files_left() const {
    std::vector<std::string> left;
    for (const char* place : {"temporary", "here"}) {
      for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / place)) {
        left.push_back(entry.path().string());
      }
    }
    return left;
  }

 private:
  fs::path folder_;
};

class Hostile : public Runs, public testing::WithParamInterface<Expected> {};

bool has_control_bytes(const std::string& text) {
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte < 0x20 && letter != '\n') || byte == 0x7f) return true;
  }
  return text.find("\xe2\x80\xae") != std::string::npos;
}

// The counts of the last line, "N planned = N executed + N skipped".
std::vector<int> counts_of(const Ran& ran) {
  std::smatch sum;
  const std::regex form("(\\d+) planned = (\\d+) executed \\+ (\\d+) skipped");
  if (!std::regex_search(ran.out, sum, form)) return {};
  return {std::stoi(sum[1]), std::stoi(sum[2]), std::stoi(sum[3])};
}

// Kinds that a sanitizer detects first: it reports them and calls exit(1), or handles the signals
// itself. ThreadSanitizer does not survive the end of the main thread.
bool met_by_a_sanitizer(std::string_view kind) {
#if defined(__SANITIZE_ADDRESS__)
  const std::set<std::string_view> met = {"describes-freed-text", "exits-with-0",
                                          "aborts-its-parent", "allocates"};
#elif defined(__SANITIZE_THREAD__)
  const std::set<std::string_view> met = {"ends-its-thread", "allocates"};
#else
  const std::set<std::string_view> met;
#endif
  return met.contains(kind);
}

TEST_P(Hostile, EndsTellsTheTruthAndLeavesNothing) {
  const Expected& expected = GetParam();
  if (met_by_a_sanitizer(expected.kind)) GTEST_SKIP() << "the sanitizer meets this one first";
  const std::string options = std::string("-d openvino-reshape-1 --no-diagnosis ") +
                              (*expected.more != '\0' ? expected.more : "-f '*/example-?'");
  // Random misbehaviour gets a long deadline, so that no timeout breaks another law than the
  // intended one.
  const std::string deadline = expected.tries > 1 ? kPatience : expected.deadline;
  Ran ran = run(expected.kind, options, deadline);
  for (int more = 1; more < expected.tries && ran.code != expected.code; ++more) {
    ran = run(expected.kind, options, deadline);
  }
  EXPECT_EQ(ran.code, expected.code) << ran.out;
  EXPECT_NE(ran.out.find(expected.says), std::string::npos) << ran.out;
  EXPECT_LT(ran.seconds, kSlower * expected.seconds);
  if (ran.code <= 1 && std::string_view(expected.more) != "--laws") {
    const std::vector<int> counts = counts_of(ran);
    ASSERT_EQ(counts.size(), 3u) << ran.out;
    EXPECT_EQ(counts[0], counts[1] + counts[2]);
    EXPECT_GT(counts[0], 0);
  } else if (ran.code > 1) {
    EXPECT_EQ(ran.out.find('\n'), ran.out.size() - 1) << ran.out;  // one sentence
  }
  EXPECT_FALSE(has_control_bytes(ran.out)) << ran.out;
  EXPECT_LT(ran.out.size(), 100'000u);
  EXPECT_EQ(processes_left(), std::vector<std::string>());
  EXPECT_EQ(files_left(), std::vector<std::string>());
}

std::string test_name(const testing::TestParamInfo<Expected>& asked) {
  std::string name;
  bool begins = true;
  for (const char letter : std::string(asked.param.kind)) {
    if (letter != '-') name += begins ? static_cast<char>(std::toupper(letter)) : letter;
    begins = letter == '-';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Hostile, testing::ValuesIn(kExpected), test_name);

// Interrupting a hanging run leaves no process that the library started, not even in sessions of
// their own.
TEST_F(Runs, LeaveNothingWhereTheyAreStopped) {
  for (const char* kind :
       {"hangs-deaf", "hangs-in-a-session", "hangs-beside-a-session", "hangs-beside-a-daemon"}) {
    for (const char* stop : {"INT", "KILL"}) {
      run(kind, "-q -d openvino-reshape-1 -f '*/example-?' > stopped", "600",
          std::string("timeout -s ") + stop + " 1");
      const auto began = std::chrono::steady_clock::now();
      constexpr std::chrono::seconds kPatient(20);
      while (!processes_left().empty() && std::chrono::steady_clock::now() - began < kPatient) {
        usleep(50'000);
      }
      const std::vector<std::string> left = processes_left();
      EXPECT_EQ(left, std::vector<std::string>()) << kind << ' ' << stop;
      for (const std::string& one : left) kill(std::stoi(one), SIGKILL);
      std::vector<std::string> files = files_left();
      std::erase_if(files, [](const std::string& file) { return file.ends_with("/stopped"); });
      EXPECT_EQ(files, std::vector<std::string>()) << kind << ' ' << stop;
    }
  }
}

// ---- a run always ends

// Each hang costs a deadline: after some of them the rest is skipped, with a reason.
TEST_F(Runs, WhatAlwaysHangsIsNotAskedForHours) {
  const Ran ran = run("hangs", "-q -d openvino-reshape-1 --most-hangs 3 --no-diagnosis -j 1");
  EXPECT_EQ(ran.code, 1) << ran.out;
  const std::vector<int> counts = counts_of(ran);
  ASSERT_EQ(counts.size(), 3u) << ran.out;
  EXPECT_EQ(counts[1], 3);
  EXPECT_EQ(counts[0], counts[1] + counts[2]);
  EXPECT_NE(ran.out.find("not asked after 3 hangs (--most-hangs)"), std::string::npos) << ran.out;
}

TEST_F(Runs, AHangInALawCostsADeadlineAndNoMore) {
  const Ran ran = run("hangs-in-threads", "-d openvino-reshape-1 --laws --most-hangs 2 -j 1");
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_NE(ran.out.find("2 laws broken"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("not asked after 2 hangs (--most-hangs)"), std::string::npos) << ran.out;
  EXPECT_LT(ran.seconds, kSlower * 120);
  EXPECT_EQ(processes_left(), std::vector<std::string>());
}

// The benchmark engine aborts a program whose repetitions have different numbers of iterations.
TEST_F(Runs, AHangInOneRepetitionLeavesAWorkloadOfTheBenchOut) {
  const std::string count = testing::TempDir() + "/hostile-count-" + std::to_string(getpid());
  const Ran ran = run("hangs-in-a-later-process", "--filter '^infer/rank 1$' --repetitions 3", "2",
                      "env RESHAPE_HOSTILE_COUNT='" + count + "'", "bench");
  fs::remove(count);
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_NE(ran.out.find("left out: "), std::string::npos) << ran.out;
}

constexpr const char* kBomb = "processes at a time, and was ended with all of them";

// The bench runs without a supervisor, which would disturb the timing.
TEST_F(Runs, ABombIsEndedInTheBench) {
  const std::string count = testing::TempDir() + "/hostile-count-" + std::to_string(getpid());
  const Ran ran = run("forks-in-a-later-process", "--filter '^infer/rank 1$' --repetitions 3",
                      kPatience, "env RESHAPE_HOSTILE_COUNT='" + count + "'", "bench");
  fs::remove(count);
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_NE(ran.out.find(kBomb), std::string::npos) << ran.out;
  EXPECT_EQ(processes_left(), std::vector<std::string>());
}

TEST_F(Runs, ABombIsEndedInABoundedRunAndWithIt) {
  const std::string asked = "-q -d openvino-reshape-1 --exhaustive";
  const Ran ran = run("forks", asked, kPatience);
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_NE(ran.out.find(kBomb), std::string::npos) << ran.out;
  EXPECT_LT(ran.seconds, kSlower * 60);
  EXPECT_EQ(processes_left(), std::vector<std::string>());
  run("hangs-beside-a-session", asked, "600", "timeout -s KILL 2");
  sleep(3);  // the supervisors' patience with a runner that is gone
  EXPECT_EQ(processes_left(), std::vector<std::string>());
}

TEST_F(Runs, TheFirstFailureCanBeTheLast) {
  const Ran ran = run("crashes", "-q -d openvino-reshape-1 --fail-fast --no-diagnosis -j 1");
  EXPECT_EQ(ran.code, 1) << ran.out;
  const std::vector<int> counts = counts_of(ran);
  ASSERT_EQ(counts.size(), 3u) << ran.out;
  EXPECT_EQ(counts[1], 1);
  EXPECT_EQ(counts[0], counts[1] + counts[2]);
}

// Everything asked was right, but an incomplete run is no pass.
TEST_F(Runs, ATimeLimitIsKeptAndIsNoPass) {
  // A sanitized program needs seconds to plan what it asks, and so does any on a busy machine.
  const std::string limit = kSanitized ? "60" : "10";
  const Ran ran = run("slow", "-q -d openvino-reshape-1 -j 1 --time-limit " + limit);
  EXPECT_EQ(ran.code, 4) << ran.out;
  EXPECT_NE(
      ran.out.find("was not asked everything, not asked within " + limit + " s (--time-limit)"),
      std::string::npos)
      << ran.out;
  const std::vector<int> counts = counts_of(ran);
  ASSERT_EQ(counts.size(), 3u) << ran.out;
  EXPECT_EQ(counts[0], counts[1] + counts[2]);
  EXPECT_LT(ran.seconds, kSlower * (18 + std::stoi(limit)));
}

TEST_F(Runs, ALongRunSaysEarlyHowLongItTakes) {
  const std::string limit = kSanitized ? "60" : "8";
  const Ran ran = run("slow", "-d openvino-reshape-1 -j 1 -f '*/dense-*' --time-limit " + limit);
  EXPECT_NE(ran.out.find("more; --time-limit SECONDS ends a run"), std::string::npos) << ran.out;
}

// ---- a machine that is full

// One job does all of the work, and laws about threads are not checked; the library is not blamed.
TEST_F(Runs, NobodyIsBlamedForAMachineThatRefusesThreads) {
  const Ran ran =
      run("", "-d openvino-reshape-1 -j 4 -f '*/example-?'", kPatience, RESHAPE_REFUSE " threads");
  if (ran.code == kNoFilter) GTEST_SKIP() << "this kernel refuses nothing";
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_NE(ran.out.find(kConforms), std::string::npos) << ran.out;
  const Ran laws =
      run("", "-q -d openvino-reshape-1 -j 4 --laws", kPatience, RESHAPE_REFUSE " threads");
  EXPECT_EQ(laws.code, 4) << laws.out;
  EXPECT_NE(laws.out.find("the machine refused another thread: "), std::string::npos) << laws.out;
  EXPECT_EQ(laws.out.find("BROKEN"), std::string::npos) << laws.out;
}

// Our optimized copies run on one thread if no others can be started.
TEST_F(Runs, OptimizedNeedsNoMoreThreadsThanAMachineGives) {
  const Ran ran = run("", "-q -i '" RESHAPE_OPTIMIZED "' -d openvino-reshape-1 --tier quick -j 1",
                      kPatience, RESHAPE_REFUSE " threads");
  if (ran.code == kNoFilter) GTEST_SKIP() << "this kernel refuses nothing";
  EXPECT_EQ(ran.code, 4) << ran.out;  // a law needs threads
  EXPECT_EQ(ran.out.find("FAIL"), std::string::npos) << ran.out;
}

TEST_F(Runs, NobodyIsBlamedForAMachineThatRefusesProcesses) {
  for (const char* what : {" spawned", " forked"}) {
    const Ran ran = run("", "-d openvino-reshape-1 -f '*/example-?'", kPatience,
                        std::string(RESHAPE_REFUSE) + what);
    if (ran.code == kNoFilter) GTEST_SKIP() << "this kernel refuses nothing";
    EXPECT_EQ(ran.code, 4) << ran.out;
    EXPECT_NE(ran.out.find("a host process cannot be started: "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("Resource temporarily unavailable"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find('\n'), ran.out.size() - 1) << ran.out;  // one sentence
  }
}

// A prefix that runs the program in a shell with this limit.
std::string limited(const std::string& limit) {
  return "sh -c 'ulimit " + limit + R"(; exec "$0" "$@"')";
}

TEST_F(Runs, NobodyIsBlamedForFewOpenFiles) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer looks at objects through a pipe, which is two files";
#endif
  for (const char* files : {"-n 5", "-n 6", "-n 7", "-n 8"}) {
    const Ran ran = run("", "-d openvino-reshape-1 -f '*/example-?'", kPatience, limited(files));
    EXPECT_EQ(ran.code, 4) << ran.out;
    EXPECT_NE(ran.out.find("a host process cannot be started: "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("Too many open files"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find('\n'), ran.out.size() - 1) << ran.out;  // one sentence
  }
}

// Such a limit shows only by its signal; what is excused by it is in ended_by_limit_test.cpp.
TEST_F(Runs, ALimitThatIsNotUsedUpExcusesNobody) {
  const Ran ran = run("load-kills", "-f '*/example-?'", kPatience, limited("-t 1000"));
  EXPECT_EQ(ran.code, 3) << ran.out;
  EXPECT_NE(ran.out.find("while it was loaded, the host process died of SIGKILL"),
            std::string::npos)
      << ran.out;
}

// Without a working directory of its own a host could not be watched, and its files would be left
// in the user's.
TEST_F(Runs, AMissingFolderForTemporaryFilesHidesNothing) {
  const Ran ran = run("leaves-a-file", "-d openvino-reshape-1 -f '*/example-?' --no-diagnosis",
                      kPatience, "env TMPDIR=/none");
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_NE(ran.out.find("hostile-was-here was left in the working directory"), std::string::npos)
      << ran.out;
  EXPECT_EQ(files_left(), std::vector<std::string>());
}

// ---- a wrong shape is executed

// The wrong shape is reported first, followed by what it does to the memory.
TEST_F(Runs, WhoInfersTooMuchAndWritesItFailsBothPlanes) {
  const Ran ran = run("infers-too-much", "-d openvino-reshape-1 -f '*/example-2' --no-diagnosis");
  EXPECT_EQ(ran.code, 1);
  const std::size_t shape = ran.out.find("shape plane, clause ");
  const std::size_t memory = ran.out.find("memory plane, duty C7, watch canaries");
  EXPECT_NE(shape, std::string::npos) << ran.out;
  EXPECT_NE(memory, std::string::npos) << ran.out;
  EXPECT_LT(shape, memory);
}

// ---- what is done once in a process

// Expects that two runs of a library with its own thread pool, cache and signal handlers give the
// same report.
void expect_twice_the_same(const std::function<Ran()>& run, int code,
                           const std::vector<const char*>& says) {
  const std::regex seconds("in [0-9.]+ s( and [0-9.]+ s of diagnosis)?");
  std::string before;
  for (int turn = 0; turn < 2; ++turn) {
    const Ran ran = run();
    EXPECT_EQ(ran.code, code);
    for (const char* said : says) {
      EXPECT_NE(ran.out.find(said), std::string::npos) << ran.out;
    }
    EXPECT_EQ(ran.out.find("FAIL"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("BROKEN"), std::string::npos) << ran.out;
    const std::string now = std::regex_replace(ran.out, seconds, "in N s");
    if (turn > 0) {
      EXPECT_EQ(now, before);
    }
    before = now;
  }
}

// Whichever request comes first, in whichever of two hosts, no case is blamed; and a filling cache
// is no leak.
TEST_F(Runs, WhatALibraryDoesAtItsFirstUseIsNoFaultOfACase) {
  for (const char* tier : {"--tier quick", ""}) {
    const auto asked = [&] {
      return run("sets-itself-up", "-q -d openvino-reshape-1 -j 2 " + std::string(tier), kPatience);
    };
    expect_twice_the_same(
        asked, 1,
        {"does not conform: 5 faults of each process;", "RED     threads (C14): 4 more threads"});
  }
}

// Twenty equal calls at each site would exceed this deadline.
TEST_F(Runs, ASlowLibraryIsNotAskedThatOftenForTheMemoryWatch) {
  const Ran ran = run("slow", "-q -f '*/example-?'", "0.4");
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find(kConforms), std::string::npos) << ran.out;
}

// It leaves four threads at each unloading, which must not add up until none can be started.
TEST_F(Runs, WhatALibraryDoesAtItsFirstUseBreaksNoLaw) {
  // Sanitizers do not support forking or running out of memory.
  const char* const says = kSanitized ? "conforms: 30 laws hold and 8 could not be asked"
                                      : "conforms: 35 laws hold and 3 could not be asked";
  expect_twice_the_same([&] { return run("sets-itself-up", "-q --laws", kPatience); }, 0, {says});
}

// ---- the diagnosis

// Failures that are right when asked again are not compared with known mistakes. By chance a failure
// may seem to hang on an earlier request, in one run of six, which is then told instead.
TEST_F(Runs, ChanceIsDiagnosedAsChance) {
  constexpr int kRuns = 6;
  Ran ran;
  bool told = false;
  for (int times = 0; times < kRuns && !told; ++times) {
    ran = run("seldom-wrong", "-q -d openvino-reshape-1 -t f32 --most-failures 1");
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.out.find("are answered exactly as if"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("\n      breaks C17"), std::string::npos) << ran.out;
    told = ran.out.find("not by the request alone: wrong in ") != std::string::npos &&
           ran.out.find("how much was asked before\n      breaks C17") != std::string::npos;
  }
  EXPECT_TRUE(told) << ran.out;
}

// A kind that is missing in the table would not be tested.
TEST(HostileKinds, AreAllExpected) {
  void* library = dlopen(RESHAPE_HOSTILE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto kind_at =
      reinterpret_cast<const char* (*)(std::size_t)>(dlsym(library, "hostile_kind"));
  ASSERT_NE(kind_at, nullptr);
  std::set<std::string> kinds;
  for (std::size_t place = 0; const char* name = kind_at(place); ++place) kinds.insert(name);
  std::set<std::string> expected;
  for (const Expected& one : kExpected) expected.insert(one.kind);
  EXPECT_EQ(kinds, expected);
  EXPECT_GE(kinds.size(), 100u);
}

}  // namespace
