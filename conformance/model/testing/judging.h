#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "conformance/model/judge.h"
#include "conformance/model/payload.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::testing {

using Kind = Verdict::Kind;
using State = Verdict::PlaneState;

// f32[2,3] reshaped to [3,2], and hand-made outcomes over it.
class Judging : public ::testing::Test {
 protected:
  Judging() {
    request.dialect = "one";
    request.data = {2, 3};
    request.pattern.values = {3, 2};
    expectation.ruling = Ruling::produces({3, 2});
    capabilities.dialects = {"one"};
    capabilities.element_types = ElementTypes::all();
    capabilities.pattern_types = ElementTypes::integers();
    produce({3, 2});
  }

  void produce(Shape shape) {
    outcome = Outcome();
    outcome.kind = Outcome::Kind::produced;
    outcome.shape = std::move(shape);
  }
  void refuse(Outcome::Kind kind = Outcome::Kind::rejected) {
    outcome = Outcome();
    outcome.kind = kind;
    outcome.message = "the volume differs";
  }

  Execution& execute(Payload payload = Payload::distinct, int round = 0) {
    Execution execution;
    execution.probe.payload = payload;
    execution.probe.round = round;
    execution.probe.poison = 0xa5;
    const std::int64_t count = element_count(outcome.shape).value();
    execution.elements.resize(static_cast<std::size_t>(bytes_for(request.data_type, count)));
    for (std::int64_t position = 0; position < count; ++position) {
      store_element(request.data_type, execution.elements.data(), position,
                    payload_bits(payload, request.data_type, position, round));
    }
    outcome.executions.push_back(std::move(execution));
    return outcome.executions.back();
  }
  Execution& answer(Probe::Ask ask, Status status, std::string message = "the volume differs") {
    Execution execution;
    execution.probe.ask = ask;
    execution.status = status;
    execution.message = std::move(message);
    outcome.executions.push_back(std::move(execution));
    return outcome.executions.back();
  }
  void set(Execution& execution, std::int64_t position, std::uint64_t value) {
    store_element(request.data_type, execution.elements.data(), position, value);
  }

  Verdict verdict() const { return judge(request, expectation, capabilities, outcome); }
  State state(Plane plane) const { return verdict().planes[static_cast<std::size_t>(plane)]; }
  // The one fault of a failing verdict.
  Fault fault() const {
    const Verdict came = verdict();
    EXPECT_EQ(came.kind, Kind::fail);
    EXPECT_EQ(came.faults.size(), 1u);
    return came.faults.empty() ? Fault() : came.faults.front();
  }

  Request request;
  Expectation expectation;
  Capabilities capabilities;
  Outcome outcome;
};

}  // namespace reshape::conformance::testing
