#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "conformance/adapter/adapter.h"
#include "conformance/text/line.h"

namespace reshape::conformance::testing_adapter {

inline const std::string kLibrary = RESHAPE_BEHAVIOUR_LIBRARY;

inline Request request(const std::string& dialect,
                       const std::string& rest = "f32[2,3] i64[3,-1] special_zero=true") {
  Result<Request> read = parse_line(dialect + " " + rest);
  EXPECT_TRUE(read.ok()) << read.error().text();
  return read.ok() ? *read : Request{};
}

inline std::unique_ptr<Adapter> start(bool in_process, double deadline_seconds = 10,
                                      const std::string& library = kLibrary) {
  Result<std::unique_ptr<Adapter>> started = start_adapter({library, in_process, deadline_seconds});
  EXPECT_TRUE(started.ok()) << started.error().text();
  return started.ok() ? std::move(started).value() : nullptr;
}

// Why it cannot be started, in words.
inline std::string start_error(const std::string& library, bool in_process = false) {
  const Result<std::unique_ptr<Adapter>> started = start_adapter({library, in_process});
  return started.ok() ? "started" : started.error().text();
}

// Everything that was seen, during inference and in all executions.
inline std::vector<Observation> all_seen(const Outcome& outcome) {
  std::vector<Observation> seen = outcome.observations;
  for (const Execution& execution : outcome.executions) {
    seen.insert(seen.end(), execution.observations.begin(), execution.observations.end());
  }
  return seen;
}

inline std::string words(const Outcome& outcome) {
  std::string all = text(outcome);
  for (const Observation& seen : all_seen(outcome)) {
    all += "\n  " + std::string(name(seen.watch)) + " " + name(seen.duty) + ": " + seen.saw;
  }
  return all;
}

inline bool saw(const Outcome& outcome, CaughtBy watch, Duty duty, const std::string& part = "") {
  for (const Observation& seen : all_seen(outcome)) {
    if (seen.watch == watch && seen.duty == duty && seen.saw.find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace reshape::conformance::testing_adapter
