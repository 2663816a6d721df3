// Each mutant is asked as a user's library is, in host processes, and has to be caught
// by the watch that its entry names. This program is also its own host process: see main.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/run/runner.h"
#include "conformance/run/selection.h"
#include "conformance/self/mutant.h"
#include "conformance/spec/load.h"

namespace reshape::conformance::self {
namespace {

constexpr const char* kLibrary = RESHAPE_MUTANTS_LIBRARY;

// Mutants whose entry names no cases are asked an eighth of one document, which is enough to catch
// them.
constexpr const char* kDialect = "openvino-reshape-1";
constexpr Shard kSample{1, 8};
// For a case with all its probes, of a library that has to pass. As long under sanitizers as the
// gates have there: the largest copies take more than 10 seconds of work under ThreadSanitizer.
constexpr double kDeadlineSeconds = kSanitized ? 60 : 10;

RunResult asked(const std::string& name, const Selection& selection, Shard shard = {},
                double deadline_seconds = kDeadlineSeconds) {
  setenv("RESHAPE_MUTANT", name.c_str(), 1);
  AdapterOptions options;
  options.library = kLibrary;
  options.deadline_seconds = deadline_seconds;
  Plan plan;
  plan.suite = &built_in_suite();
  plan.shard = shard;
  const auto cases = select(*plan.suite, selection);
  EXPECT_TRUE(cases.ok()) << cases.error().text();
  if (cases.ok()) plan.cases = *cases;
  const auto first = start_adapter(options);
  EXPECT_TRUE(first.ok()) << first.error().text();
  if (!first.ok()) return {};
  Result<RunResult> result = run(plan, **first, [&] { return start_adapter(options); });
  EXPECT_TRUE(result.ok()) << result.error().text();
  return result.ok() ? std::move(result).value() : RunResult{};
}

Selection selection_for(const Mutant& mutant) {
  Selection selection;
  const bool of_another = mutant.cases.find('/') != std::string_view::npos;
  if (mutant.cases.empty()) {
    selection.dialects = {kDialect};
  } else {
    selection.filters = {(of_another ? "" : std::string(kDialect) + "/") +
                         std::string(mutant.cases)};
  }
  return selection;
}

std::string described(const Fault& fault) {
  return std::string(name(fault.plane)) + " plane, " + name(fault.watch) + ", clause '" +
         fault.clause + "', duty '" + name(fault.duty) + "': expected " + fault.expected +
         ", answered " + fault.answered;
}

// A wrong shape is reported as output.shape, whichever clause was broken.
bool shows(const Fault& fault, const Case& asked, const Mutant& mutant) {
  const bool concerned = fault.clause == name(mutant.breaks) ||
                         name(fault.duty) == name(mutant.breaks) ||
                         std::find(asked.clauses.begin(), asked.clauses.end(),
                                   name(mutant.breaks)) != asked.clauses.end();
  return concerned && name(fault.plane) == mutant.caught().plane &&
         name(fault.watch) == mutant.caught().watch;
}

class MutantLibrary : public testing::TestWithParam<Mutant> {};

TEST_P(MutantLibrary, IsCaught) {
  const Mutant& mutant = GetParam();
  const bool hangs = mutant.name == "hangs";
  const RunResult result = asked(std::string(mutant.name), selection_for(mutant),
                                 mutant.cases.empty() ? kSample : Shard{}, hangs ? 1.0 : 10.0);
  ASSERT_FALSE(result.cases.empty());
  EXPECT_FALSE(result.cases_conform()) << mutant.says;

  bool caught = false;
  std::string others;
  for (const CaseResult& one : result.cases) {
    EXPECT_NE(one.asked, nullptr);
    for (const Fault& fault : one.verdict.faults) {
      caught = caught || shows(fault, *one.asked, mutant);
      if (others.size() < 2000) others += "\n  " + one.asked->id + ": " + described(fault);
    }
  }
  // Faults that occur once in each process are reported for the library, not for a case.
  for (const ProcessFault& one : result.at_first_use) {
    caught = caught || (name(one.seen.duty) == name(mutant.breaks) &&
                        name(one.seen.plane) == mutant.caught().plane &&
                        name(one.seen.watch) == mutant.caught().watch);
    others += "\n  at the first use: " + std::string(name(one.seen.watch)) + ": " + one.seen.saw;
  }
  EXPECT_TRUE(caught) << mutant.says << "; expected in some case: " << mutant.caught().plane
                      << " plane, " << mutant.caught().watch << ", " << name(mutant.breaks)
                      << "; seen:" << others;
}

std::string test_name(const testing::TestParamInfo<Mutant>& info) {
  std::string name(info.param.name);
  for (char& letter : name) {
    if (letter == '-') letter = '_';
  }
  return name;
}

// Mutants that a watch catches in one request. The kill matrix tests the others.
std::vector<Mutant> caught_by_a_watch() {
  const std::span<const Mutant> all = all_mutants();
  std::vector<Mutant> caught;
  std::copy_if(all.begin(), all.end(), std::back_inserter(caught),
               [](const Mutant& mutant) { return !mutant.caught().watch.empty(); });
  return caught;
}

INSTANTIATE_TEST_SUITE_P(Self, MutantLibrary, testing::ValuesIn(caught_by_a_watch()), test_name);

// One mutant answers shapes that need more room than the right ones, the other is also wrong
// between two executions.
TEST(Blame, IsNotOnTheOrderWhereTheSameIsAlwaysWrong) {
  for (const char* name : {"filled-up-to-four", "last-size-one-more"}) {
    Selection selection;
    selection.dialects = {kDialect};
    int wrong = 0;
    for (const CaseResult& one : asked(name, selection, kSample).cases) {
      for (const Fault& fault : one.verdict.faults) {
        ++wrong;
        EXPECT_NE(fault.duty, Duty::C17) << one.asked->id << ": " << described(fault);
      }
    }
    EXPECT_GT(wrong, 0);
  }
}

TEST(Family, SaysOnceWhatItsRowsLeaveOut) {
  Table table(Kind::process, {"memory", "threads"});
  table[Duty::C14] = {{"a", "", "a sentence", Steps{}},
                      {"b", "", "another", Steps{}, caught("shape", "process") | kHostile}};
  table.rows(Duty::C15, caught("memory", "memory-growth")) = {Mutant{"c", "", "more", Steps{}}};
  const Mutants rows = table.mutants();
  EXPECT_EQ(name(rows[0].kind), "process");
  EXPECT_EQ(name(rows[0].breaks), name(Duty::C14));
  EXPECT_EQ(rows[0].caught().watch, "threads");
  EXPECT_FALSE(rows[0].hostile());
  EXPECT_EQ(rows[1].caught().watch, "process");
  EXPECT_TRUE(rows[1].hostile());
  EXPECT_EQ(rows[2].caught().watch, "memory-growth");
}

TEST(Ledger, NamesEachMutantOnce) {
  const std::span<const Mutant> all = all_mutants();
  for (std::size_t at = 1; at < all.size(); ++at) EXPECT_LT(all[at - 1].name, all[at].name);
  EXPECT_EQ(mutant_named("hangs")->name, "hangs");
  EXPECT_EQ(mutant_named("no-such-mistake"), nullptr);
}

// Two mutants in one process each keep their own steps.
TEST(Table, IsThatOfItsMutant) {
  const reshape_plugin* refuses = table_of("nothing-is-fine");
  const reshape_plugin* fails = table_of("executes-only-what-was-inferred-last");
  ASSERT_NE(refuses, nullptr);
  ASSERT_NE(fails, nullptr);
  EXPECT_EQ(table_of("nothing-is-fine"), refuses);
  std::int64_t two = 2, one = 1;
  DLTensor data{};
  data.ndim = 1;
  data.shape = &two;
  data.device = {kDLCPU, 0};
  data.dtype = {kDLFloat, 32, 1};
  DLTensor pattern = data;
  pattern.shape = &one;
  pattern.dtype = {kDLInt, 64, 1};
  pattern.data = &two;
  const reshape_request request{sizeof request, RESHAPE_FLAG_FALSE, kDialect, &data, &pattern};
  std::int64_t sizes[1];
  reshape_shape shape{1, 0, sizes};
  reshape_message why;
  EXPECT_EQ(refuses->infer_shape(&request, &shape, &why), RESHAPE_REJECTED);
  EXPECT_EQ(fails->infer_shape(&request, &shape, &why), RESHAPE_OK);
  EXPECT_NE(refuses->execute, fails->execute);
}

// The program's own exit code and output.
struct Said {
  int exit_code = -1;
  std::string text;
};

Said program_run(const std::string& name, const std::string& arguments) {
  setenv("RESHAPE_MUTANT", name.c_str(), 1);
  const std::string command =
      std::string(RESHAPE_PROGRAM) + " run -i " + kLibrary + " " + arguments + " 2>&1";
  Said said;
  FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) return said;
  char piece[4096];
  while (const std::size_t size = fread(piece, 1, sizeof piece, output)) {
    said.text.append(piece, size);
  }
  const int status = pclose(output);
  if (WIFEXITED(status)) said.exit_code = WEXITSTATUS(status);
  return said;
}

TEST(Program, FailsACrashAndGoesOn) {
  const Said said = program_run("crashes", "-f 'openvino-reshape-1/example-?'");
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_NE(said.text.find("died of SIGSEGV"), std::string::npos) << said.text;
  // The one example without a -1 is still asked, and passes.
  EXPECT_NE(said.text.find("4 failed; 5 planned = 5 executed + 0 skipped"), std::string::npos)
      << said.text;
}

TEST(Program, FailsAHang) {
  const Said said = program_run("hangs",
                                "-f openvino-reshape-1/example-1 -f openvino-reshape-1/example-2 "
                                "--deadline 1");
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_NE(said.text.find("timed out"), std::string::npos) << said.text;
  EXPECT_NE(said.text.find("1 failed; 2 planned = 2 executed + 0 skipped"), std::string::npos)
      << said.text;
}

TEST(Program, FailsAWriteOnRejection) {
  const Said said = program_run("writes-on-rejection", "-d openvino-reshape-1 -c volume.kept");
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_NE(said.text.find("memory plane"), std::string::npos) << said.text;
  EXPECT_NE(said.text.find("rejection-writes-nothing"), std::string::npos) << said.text;
}

TEST(Program, DoesNotStartWhatIsNotThere) {
  EXPECT_EQ(program_run("no-such-mistake", "").exit_code, 3);
}

// The unspoiled implementation passes, so the failures above are due to the mistakes.
TEST(RightImplementation, Passes) {
  Selection selection;
  selection.dialects = {kDialect};
  const RunResult result = asked("right", selection);
  ASSERT_FALSE(result.cases.empty());
  for (const CaseResult& one : result.cases) {
    EXPECT_FALSE(one.failed()) << one.asked->id << ": " << described(one.verdict.faults.front());
  }
  EXPECT_TRUE(result.cases_conform());
}

// A library's output is never taken for an answer.
TEST(RightImplementation, MayPrintWhatItLikes) {
  Selection selection;
  selection.dialects = {kDialect};
  selection.clauses = {"zero.copies"};
  const RunResult result = asked("right-but-chatty", selection);
  ASSERT_FALSE(result.cases.empty());
  for (const CaseResult& one : result.cases) EXPECT_FALSE(one.failed()) << one.asked->id;
}

TEST(RightImplementation, IsNotFoundUnderAMisspeltName) {
  setenv("RESHAPE_MUTANT", "no-such-mistake", 1);
  AdapterOptions options;
  options.library = kLibrary;
  EXPECT_FALSE(start_adapter(options).ok());
}

}  // namespace

// Prints the parameter of a failed test.
void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.says; }

}  // namespace reshape::conformance::self

int main(int argc, char** argv) {
  // "host --library PATH --channel FD": how the adapter starts its host processes.
  if (argc == 6 && std::strcmp(argv[1], "host") == 0) {
    return reshape::conformance::serve_as_host(argv[3], std::atoi(argv[5]));
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
