// A host process dies, hangs, or speaks nonsense, and the runner goes on.
#include <elf.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/process/refuse.h"
#include "conformance/adapter/testing/asking.h"
#include "conformance/adapter/testing/processes.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {
using namespace testing_adapter;

constexpr int kNoFilter = 77;

struct Death {
  const char* dialect;
  Outcome::Kind kind;
  const char* says;
  const char* during = "inference";
};
void PrintTo(const Death& one, std::ostream* out) { *out << one.dialect; }

class Dies : public testing::TestWithParam<Death> {};

TEST_P(Dies, AndTheNextRequestIsAnsweredByANewHost) {
  const Death& one = GetParam();
  const auto adapter = start(false, 1);
  const Outcome outcome = adapter->ask(request(one.dialect));
  EXPECT_EQ(outcome.kind, one.kind) << words(outcome);
  EXPECT_NE(outcome.message.find(one.says), std::string::npos) << words(outcome);
  EXPECT_EQ(outcome.during.find(one.during), 0u) << outcome.during;
  const Outcome next = adapter->ask(request("right"));
  EXPECT_EQ(next.kind, Outcome::Kind::produced) << words(next);
  EXPECT_TRUE(all_seen(next).empty()) << words(next);
}

// The innermost frame within the library is known for crashes and hangs in it and in functions that
// it called.
TEST(CrashedAt, IsAnAddressInTheLibrary) {
  const auto size = std::filesystem::file_size(RESHAPE_BEHAVIOUR_LIBRARY);
  const auto adapter = start(false, 1);
  for (const char* way : {"null-write", "in-execute.null-write", "abort", "stack-overflow", "hang",
                          "in-execute.hang"}) {
    // ThreadSanitizer holds signals back while no system call is made.
    if (kSanitized && std::string_view(way).ends_with("hang")) continue;
    const Outcome outcome = adapter->ask(request(way));
    ASSERT_TRUE(outcome.crashed_at) << way << ": " << words(outcome);
    EXPECT_LT(*outcome.crashed_at, size) << way;
  }
  // No frame if it exits, is killed by another process, or has its own handler.
  for (const char* way : {"exit-0", "kill-group", "own-handler-then-crash", "right"}) {
    EXPECT_FALSE(adapter->ask(request(way)).crashed_at) << way;
  }
}

using Kind = Outcome::Kind;
INSTANTIATE_TEST_SUITE_P(
    Ways, Dies,
    testing::Values(
        Death{"null-write", Kind::crashed, "SIGSEGV (a bad memory access): wrote through a null"},
        Death{"in-execute.null-write", Kind::crashed, "SIGSEGV", "payload=distinct poison=a5"},
        Death{"abort", Kind::crashed, "died of SIGABRT"},
        Death{"exit-0", Kind::crashed, "ended with exit(0) instead of answering"},
        Death{"in-execute.exit-0", Kind::crashed, "exit(0)", "payload="},
        Death{"exit-7", Kind::crashed, "ended with exit(7)"},
        Death{"hang", Kind::timed_out, "no answer within 1 s"},
        Death{"in-execute.hang", Kind::timed_out, "no answer within 1 s", "payload="},
        Death{"hang-printing", Kind::timed_out, "no answer within 1 s"},
        Death{"throw", Kind::crashed, "threw a C++ exception: out of cheese"},
        Death{"throw-int", Kind::crashed, "threw a C++ exception of a type of its own"},
        Death{"in-execute.throw", Kind::crashed, "out of cheese", "payload="},
        Death{"stack-overflow", Kind::crashed, "the stack overflowed"},
        Death{"kill-group", Kind::crashed, "died of SIGKILL"},
        Death{"kill-parent", Kind::crashed, "died of SIGKILL"},
        Death{"segfault-by-kill", Kind::crashed, "died of SIGSEGV"},
        Death{"own-handler-then-crash", Kind::crashed, "died of SIGSEGV"},
        Death{"close-all", Kind::crashed, "lost its connection", ""},  // shows at the answer
        Death{"garbage-everywhere", Kind::malformed, "something else wrote"},
        Death{"last-words", Kind::crashed, "printed last: assertion failed: the sky is blue"}));

// Runs in a process of its own, because the refusal cannot be undone. Exits with 0 where `holds`.
int in_a_full_machine(Refusal what, const std::function<bool(Adapter&)>& holds) {
  return in_a_child([&] {
    const auto adapter = start(false);
    adapter->ask(request("exit-0"));
    if (!refuse(what)) return kNoFilter;
    return holds(*adapter) ? 0 : 1;
  });
}

// Many laws unload, and each would wait as long as a call may hang.
TEST(HostProcess, ALibraryThatHungWhenItWasUnloadedIsNotUnloadedAgain) {
  const auto adapter = start(false, 1);
  EXPECT_EQ(adapter->ask(request("hang-when-unloaded")).kind, Kind::produced);
  const auto hung = adapter->reload();
  ASSERT_TRUE(hung);
  EXPECT_NE(hung->message.find("no answer within 1 s"), std::string::npos) << hung->message;
  // The new process would not hang.
  EXPECT_EQ(adapter->ask(request("right")).kind, Kind::produced);
  const auto again = adapter->reload();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->message, hung->message);
  EXPECT_EQ(adapter->ask(request("right")).kind, Kind::produced);
}

// What no answer to the request can be is not kept, and what could be one is not asked for.
TEST(HostProcess, AnAnswerThatDoesNotFitTakesNobodyDown) {
  if (kSanitized) GTEST_SKIP() << "the sanitizers need more memory than any limit would leave them";
  const auto kind_with_little_memory = [](const Request& asked) {
    return static_cast<Kind>(in_a_child([&] {
      const auto adapter = start(false, 60);
      rlim_t pages = 0;
      std::ifstream("/proc/self/statm") >> pages;
      const rlim_t most = pages * static_cast<rlim_t>(getpagesize()) + (100u << 20);
      const rlimit limit = {most, most};
      setrlimit(RLIMIT_AS, &limit);
      return static_cast<int>(adapter->ask(asked).kind);
    }));
  };
  EXPECT_EQ(kind_with_little_memory(request("announces-much")), Kind::malformed);
  EXPECT_EQ(kind_with_little_memory(request("announces-much", "f32[1048576] i64[-1]")),
            Kind::not_asked);
}

// A library fails that has taken all memory, also under a limit of the shell. Where the limit is too
// low to ask, or what was asked before has taken the rest, nobody does.
TEST(HostProcess, MemoryThatIsLackingIsBlamedOnWhoTookIt) {
  if (kSanitized) GTEST_SKIP() << "the sanitizers need more memory than any limit would leave them";
  const auto under = [](rlim_t mib, const std::function<bool()>& holds) {
    return in_a_child([&] {
      const rlimit limit = {mib << 20, mib << 20};
      if (mib != 0) setrlimit(RLIMIT_DATA, &limit);
      return holds() ? 0 : 1;
    });
  };
  constexpr rlim_t kNone = 0, kTooLow = 40, kLow = 100, kEnough = 300;
  for (const rlim_t limit : {kNone, kEnough}) {
    EXPECT_EQ(under(limit,
                    [] {
                      const auto adapter = start(false, 60);
                      const Kind kind = adapter->ask(request("takes-all-memory")).kind;
                      return (kind == Kind::malformed || kind == Kind::crashed) &&
                             adapter->ask(request("takes-all-memory")).kind == kind;
                    }),
              0)
        << limit;
  }
  EXPECT_EQ(under(kEnough,
                  [] {
                    const auto adapter = start(false, 60);
                    adapter->ask(request("takes-all-memory"));
                    return adapter->ask(request("right")).kind == Kind::produced;
                  }),
            0);
  EXPECT_EQ(
      under(
          kLow,
          [] {
            const auto adapter = start(false, 60);
            return adapter->ask(request("right")).kind == Kind::produced &&
                   adapter->ask(request("right", "f64[2097152] i64[-1] special_zero=true")).kind ==
                       Kind::not_asked;
          }),
      0);
  EXPECT_EQ(under(kTooLow,
                  [] {
                    return start_error(kLibrary).find(
                               "a host process cannot be started: the machine refused 64 MiB "
                               "of memory (see ulimit -d and -v)") != std::string::npos;
                  }),
            0);
}

// If a host cannot be started again, that is neither a failure nor an answer.
TEST(HostProcess, AMachineThatRefusesOneMakesNoAnswer) {
  for (const Refusal what : {Refusal::spawned, Refusal::forked}) {
    const int code = in_a_full_machine(what, [](Adapter& adapter) {
      const Outcome outcome = adapter.ask(request("right"));
      const std::vector<Outcome> together = adapter.ask_together({request("right")}, 2);
      return outcome.kind == Outcome::Kind::not_asked && outcome.observations.empty() &&
             outcome.message.find("a host process cannot be started: ") == 0 &&
             together.size() == 1 && together[0].kind == Outcome::Kind::not_asked &&
             adapter.reload() && adapter.refused();
    });
    if (code == kNoFilter) GTEST_SKIP() << "this kernel refuses nothing";
    EXPECT_EQ(code, 0);
  }
}

TEST(HostProcess, ALibraryThatAllocatesWithoutEndDiesAlone) {
  if (kSanitized) GTEST_SKIP() << "the sanitizers need more memory than any limit would leave them";
  const Outcome outcome = start(false, 60)->ask(request("allocate-without-end"));
  EXPECT_EQ(outcome.kind, Kind::crashed) << words(outcome);
  EXPECT_NE(outcome.message.find("SIGABRT"), std::string::npos) << words(outcome);
}

TEST(HostProcess, WhatWasSeenBeforeADeathIsKept) {
  const Outcome outcome = start(false)->ask(request("write-output-end"));
  EXPECT_EQ(outcome.kind, Kind::crashed);
  EXPECT_TRUE(saw(outcome, CaughtBy::canaries, Duty::C7))
      << words(outcome);  // at the front of the page
  EXPECT_TRUE(saw(outcome, CaughtBy::guard_page, Duty::C7))
      << words(outcome);  // and then at its end
  EXPECT_FALSE(outcome.executions.empty());
}

TEST(HostProcess, AFloodOfWordsIsReadAndForgotten) {
  const Outcome outcome = start(false)->ask(request("flood"));
  EXPECT_EQ(outcome.kind, Kind::produced) << words(outcome);
}

TEST(HostProcess, RestartsLeakNoFilesAndLeaveNoChildren) {
  const auto before = open_files();
  {
    const auto adapter = start(false);
    for (int turn = 0; turn < 30; ++turn) adapter->ask(request("exit-7"));
    adapter->ask(request("right"));
  }
  EXPECT_EQ(open_files(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // nobody is left to wait for
}

// The program is a subreaper, to which the supervisors and hosts fall whose parents ended first.
TEST(HostProcess, WhatFallsToTheRunnerIsCollected) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto adapter = start(false, 1);
  for (int death = 0; death < 16; ++death) adapter->ask(request("garbage-everywhere"));
  int zombies = 0;
  while (waitpid(-1, nullptr, WNOHANG) > 0) ++zombies;
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  EXPECT_LE(zombies, 4);  // those of the last one
}

TEST(HostProcess, AHangEndsAtItsDeadlineAndNotLater) {
  const auto adapter = start(false, 0.3);
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = adapter->ask(request("hang"));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(outcome.kind, Kind::timed_out);
  EXPECT_GE(took.count(), 0.3);
  EXPECT_LT(took.count(), 30);  // far below any other deadline
  EXPECT_GE(outcome.seconds, 0.3);
}

TEST(HostProcess, WhoComputesForEverIsLateAsWell) {
  const Outcome outcome = start(false, 0.3)->ask(request("compute"));
  EXPECT_EQ(outcome.kind, Kind::timed_out);
}

// Else a library could make its runner print a verdict and end with 0.
TEST(HostProcess, ItsRunnerIsNotTracedAndItselfIs) {
  prctl(PR_SET_DUMPABLE, 1);
  const auto adapter = start(false, 60);
  EXPECT_EQ(prctl(PR_GET_DUMPABLE), 0);
  EXPECT_EQ(adapter->ask(request("exit-if-not-to-be-traced")).kind, Kind::produced);
  prctl(PR_SET_DUMPABLE, 1);
  EXPECT_EQ(start(true, 60)->ask(request("right")).kind, Kind::produced);
  EXPECT_EQ(prctl(PR_GET_DUMPABLE), 1);  // whoever debugs in-process gets a core file
}

TEST(HostProcess, ARunnerThatIsKilledTakesItsHungHostAlong) {
  const std::string path = testing::TempDir() + "host-pid";
  std::filesystem::remove(path);
  setenv("RESHAPE_PID_FILE", path.c_str(), 1);
  const pid_t runner = fork();
  if (runner == 0) {
    start(false, 600)->ask(request("hang-with-pid"));
    _exit(0);
  }
  const pid_t host = pid_in(path);
  kill(runner, SIGKILL);
  waitpid(runner, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return host > 0 && kill(host, 0) != 0; })) << host;
  unsetenv("RESHAPE_PID_FILE");
}

TEST(HostProcess, ALargeRequestAndALargeAnswerPass) {
  std::string elements = "[0";
  for (int i = 1; i < 100'000; ++i) elements.append(",").append(std::to_string(i % 251));
  const Outcome outcome =
      start(false, 60)->ask(request("right", "u8[100000] i64[-1] elements=" + elements + "]"));
  ASSERT_EQ(outcome.kind, Kind::produced) << words(outcome);
  ASSERT_EQ(outcome.executions.front().elements.size(), 100'000u);
  EXPECT_EQ(std::to_integer<int>(outcome.executions.front().elements[300]), 300 % 251);
}

// --- starting -----------------------------------------------------------------------------------

std::string start_error_where(const char* behaviour, bool in_process = false) {
  setenv("RESHAPE_BEHAVIOUR", behaviour, 1);
  const std::string error = start_error(kLibrary, in_process);
  unsetenv("RESHAPE_BEHAVIOUR");
  return error;
}

std::string written(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << content;
  return path;
}

TEST(Start, EveryFailureIsOneSentenceThatNamesTheFile) {
  for (bool in_process : {true, false}) {
    const std::string text_file = written("not-a-library.so", "just text");
    EXPECT_EQ(start_error("/nowhere/libmine.so", in_process),
              "/nowhere/libmine.so: No such file or directory");
    EXPECT_EQ(start_error("/tmp", in_process), "/tmp: not a file");
    EXPECT_EQ(start_error(text_file, in_process).find(text_file + ": cannot be loaded: "), 0u);
    EXPECT_EQ(start_error(RESHAPE_EMPTY_LIBRARY, in_process),
              std::string(RESHAPE_EMPTY_LIBRARY) + ": has no symbol reshape_plugin_entry");
    EXPECT_EQ(start_error_where("wrong-version", in_process),
              kLibrary + ": its table has version 99, this program speaks version 1");
    EXPECT_EQ(start_error_where("null-table", in_process),
              kLibrary + ": reshape_plugin_entry returned no table");
    EXPECT_EQ(start_error_where("throw-at-entry", in_process),
              kLibrary + ": reshape_plugin_entry threw a C++ exception: no device");
  }
}

// The loader says of most of these that there is no such file, or that a header is invalid.
TEST(Start, AFileThatIsNoLibraryIsToldAsWhatItIs) {
  std::ifstream file(RESHAPE_EMPTY_LIBRARY, std::ios::binary);
  const std::string library(std::istreambuf_iterator<char>(file), {});
  ASSERT_GT(library.size(), 64u);
  const auto with = [&](std::size_t at, int byte) {
    std::string bytes = library;
    bytes[at] = static_cast<char>(byte);
    return bytes;
  };
  const struct {
    std::string bytes;
    const char* says;
  } files[] = {
      {with(EI_CLASS, ELFCLASS32), "it is built for 32-bit x86-64, this program for x86-64"},
      {with(offsetof(Elf64_Ehdr, e_machine), EM_AARCH64),
       "it is built for AArch64, this program for x86-64"},
      {with(offsetof(Elf64_Ehdr, e_type), ET_REL), "it is an object file: link it into"},
      {"!<arch>\nmine.o/", "it is a static archive: link its objects into"},
      {"#!/usr/bin/env python3\n", "it is a script, no shared library: a program is reached by"},
      {"int main() {}\n", "it is a text file, no shared library: compile a source"},
      {"", "the file is empty"},
      {library.substr(0, 512), "the file is cut off"},
  };
  for (const auto& [bytes, says] : files) {
    const std::string other = written("no-library.so", bytes);
    for (bool in_process : {true, false}) {
      EXPECT_EQ(start_error(other, in_process).find(other + ": cannot be loaded: " + says), 0u)
          << start_error(other, in_process);
    }
  }
}

TEST(Start, AnEntryThatCannotBeFoundIsToldWithTheRemedy) {
  const std::string missing = ": has no symbol reshape_plugin_entry";
  EXPECT_EQ(start_error(RESHAPE_MANGLED_LIBRARY),
            RESHAPE_MANGLED_LIBRARY + missing +
                ", but the C++ name _Z20reshape_plugin_entryv: declare it extern \"C\"");
  EXPECT_EQ(start_error(RESHAPE_HIDDEN_LIBRARY)
                .find(RESHAPE_HIDDEN_LIBRARY + missing +
                      " that others see: its symbol is local or hidden; declare it RESHAPE_EXPORT"),
            0u);
}

TEST(Start, ACrashWhileLoadingIsAnErrorAndNotACrash) {
  EXPECT_EQ(start_error_where("crash-at-entry"),
            kLibrary +
                ": while it was loaded, the host process died of SIGSEGV (a bad memory "
                "access): wrote through a null pointer");
}

TEST(Start, WordsOfTheLibraryDoNotDisturb) {
  EXPECT_EQ(start_error_where("print-at-entry"), "started");
}

TEST(Start, CapabilitiesArriveWhole) {
  for (bool in_process : {true, false}) {
    const auto adapter = start(in_process);
    const Capabilities& can = adapter->capabilities();
    EXPECT_EQ(can.name, "behaviour");
    EXPECT_EQ(can.dialects, (std::vector<std::string>{"right", "right-again"}));
    EXPECT_EQ(can.element_types.text(), "f64 f32 f16 i8 i4 u8 boolean");
    EXPECT_TRUE(can.strided_input && can.strided_output && can.negative_strides && can.in_place &&
                can.views);
    EXPECT_FALSE(can.starts_threads || can.shape_only);
  }
}

TEST(Start, ALaterProcessIsHeldToWhatTheFirstDeclared) {
  const auto adapter = start(false);
  const Capabilities first = adapter->capabilities();
  EXPECT_TRUE(adapter->ask(request("right")).at_first_use.empty());
  setenv("RESHAPE_BEHAVIOUR", "aligned-64", 1);
  adapter->ask(request("exit-7"));
  const Outcome later = adapter->ask(request("right"));
  const auto another = start(false);
  unsetenv("RESHAPE_BEHAVIOUR");
  const std::string says =
      "a later start of it declares alignment 64, and the first " + std::to_string(first.alignment);
  EXPECT_EQ(adapter->capabilities().alignment, first.alignment);
  EXPECT_EQ(adapter->declares_otherwise(), says);
  ASSERT_EQ(later.at_first_use.size(), 1u);
  EXPECT_EQ(later.at_first_use[0].duty, Duty::C2);
  EXPECT_EQ(later.at_first_use[0].saw, says);
  EXPECT_EQ(another->declares_otherwise(), "");
  another->hold_to(first);
  EXPECT_EQ(another->capabilities().alignment, first.alignment);
  EXPECT_EQ(another->declares_otherwise(), says);
  another->ask(request("exit-7"));
  EXPECT_TRUE(another->ask(request("right")).at_first_use.empty());  // of a process as the first
}

TEST(Start, ALibraryThatIsLoadedAgainIsToDeclareTheSame) {
  namespace fs = std::filesystem;
  const std::string library = testing::TempDir() + "loaded-again.so";
  // Another file each time, as the old one may stay loaded.
  const auto renew = [&] {
    fs::remove(library);
    fs::copy_file(kLibrary, library);
  };
  renew();
  const auto adapter = start(true, 10, library);
  renew();
  EXPECT_FALSE(adapter->reload());
  setenv("RESHAPE_BEHAVIOUR", "aligned-64", 1);
  renew();
  const std::optional<Error> error = adapter->reload();
  unsetenv("RESHAPE_BEHAVIOUR");
  ASSERT_TRUE(error);
  expect_in(error->message, "a later start of it declares alignment 64");
}

TEST(Start, ABareNameIsAFileHere) {
  const std::filesystem::path library(kLibrary);
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(library.parent_path());
  EXPECT_EQ(start_error(library.filename().string()), "started");
  std::filesystem::current_path(here);
}

}  // namespace
}  // namespace reshape::conformance
