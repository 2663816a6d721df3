#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/report/report.h"
#include "conformance/run/baseline.h"
#include "conformance/run/testing/small_suite.h"
#include "conformance/text/testing/expect_in.h"

// For tests: runs over the small suite with everything that a report can show.
namespace reshape::conformance::testing {

inline Report with_options(Report result) {
  result.program_version = "1.2.3";
  result.options.library = "./libfake.so";
  return result;
}

inline Report good_run(const Suite& suite) { return with_options(Report(run_all(suite))); }

// As if the library's debug symbols had told it.
inline void name_frame(RunResult& run) {
  for (CaseResult& one : run.cases) {
    for (Fault& fault : one.verdict.faults) {
      if (!fault.frame) continue;
      fault.frame->function = "copy<int>(\"x\")";
      fault.frame->file = "src/my copy.cpp";
      fault.frame->line = 104;
    }
  }
}

// The implementation knows one dialect and no booleans, and is wrong in every way.
inline Report bad_run(const Suite& suite) {
  Capabilities capabilities = everything();
  capabilities.name = "wrong\x1b[31m";
  capabilities.dialects = {"one"};
  capabilities.element_types = {ElementType::f32, ElementType::i64};
  RunResult result = run_all(
      suite,
      [](const Request& request) {
        Outcome outcome = right_answer(request);
        if (request.data == Shape{2, 3} && outcome.kind == Outcome::Kind::rejected) {
          outcome.kind = Outcome::Kind::produced;  // the volume goes unchecked
          outcome.shape = {2, 5};
        } else if (request.data_type == ElementType::i64) {
          outcome.executions[0].elements[8] ^= std::byte{1};
          outcome.executions[0].observations = {{CaughtBy::output_gaps, Plane::memory, Duty::C8,
                                                 "byte 5 changed <from> \"a5\" & \x01"}};
        } else if (is_empty(request.data)) {
          outcome = Outcome();
          outcome.kind = Outcome::Kind::crashed;
          outcome.during = "inference";
          outcome.message = "signal 11\xff\nsecond line";
          outcome.crashed_at = 0x1a2b;
        } else {
          outcome.executions.clear();
        }
        return outcome;
      },
      capabilities);
  name_frame(result);
  result.at_first_use = {
      {{CaughtBy::threads, Plane::memory, Duty::C14, "4 more threads \x01"}, false},
      {{CaughtBy::signal_handlers, Plane::memory, Duty::C14, "SIGSEGV was taken"}, true}};
  return with_options(Report(std::move(result)));
}

// The bad run with a baseline that has every kind of entry.
inline Report known_run(const Suite& suite) {
  Report result = bad_run(suite);
  Baseline baseline = mended({"known.yaml", {}}, result);
  baseline.known[0].reason = "known for long";
  baseline.known[0].link = "https://example.org/1";
  baseline.known[1].fingerprint = "something else";
  baseline.known.push_back({"one/plain", "fails no more", "", "x", 7});
  baseline.known.push_back({"two/plain", "not promised any more", "", "x", 8});
  baseline.known.push_back({"one/gone", "was renamed", "", "x", 9});
  result.options.baseline = "known.yaml";
  apply(baseline, result);
  return result;
}

// As if there had been no debug symbols.
inline void forget_symbols(RunResult& run) {
  for (CaseResult& one : run.cases) {
    for (Fault& fault : one.verdict.faults) {
      if (fault.frame) fault.frame = CrashFrame{fault.frame->address, "", "", 0};
    }
  }
}

// A test of what is reported of these runs.
class ReportTest : public ::testing::Test {
 protected:
  const Suite suite = small_suite();
  std::vector<Report> good = {good_run(suite)};
  std::vector<Report> bad = {bad_run(suite)};
  std::vector<Report> known = {known_run(suite)};
};

}  // namespace reshape::conformance::testing
