#include "conformance/detection/set_up.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

namespace reshape::conformance {
namespace {

// Executions of dense requests, of some with strides of the output and of some with strides of the
// data, as they are varied by a run; `fails` says which fail. The last three have an
// axis more.
struct Executions {
  std::deque<Request> requests;
  std::vector<Executed> all;

  explicit Executions(bool (*fails)(const Executed&)) {
    for (int i = 0; i < 9; ++i) {
      Request& request = requests.emplace_back();
      request.data = {2, 3};
      if (i > 5) request.data = {2, 3, 1};
      if (i % 3 == 1) request.out_strides = Strides{3, 1};
      if (i % 3 == 2) request.strides = Strides{3, 1};
      for (int turn = 0; turn < 6; ++turn) {
        Executed one{&request, {}, false};
        one.probe.poison = turn % 2 != 0 ? 0x5a : 0xa5;
        one.probe.placement = static_cast<Probe::Placement>(turn % 3);
        one.probe.explicit_strides = turn / 2 % 2 != 0;
        one.probe.byte_offset = one.probe.output_offset = turn / 3 % 2 != 0;
        one.probe.errno_left = (turn + 1) / 2 % 2 == 0;
        one.probe.one_allocation = turn == 2;
        one.fails = fails(one);
        all.push_back(one);
      }
    }
  }
};

std::string behind(bool (*fails)(const Executed&)) {
  const Executions executions(fails);
  const auto found = set_up_behind(executions.all);
  return found ? (found->alone ? "" : "not alone") + found->says : "";
}

TEST(SetUp, IsToldWhereItPartsWhatFailsFromWhatPasses) {
  EXPECT_EQ(behind([](const Executed& one) {
              return !one.probe.explicit_strides && !one.request->out_strides;
            }),
            ", in each of 24 executions with strides of the output that are null, and in none of "
            "30 others");
  EXPECT_EQ(
      behind([](const Executed& one) { return one.probe.byte_offset || one.probe.one_allocation; }),
      ", in each of 36 executions with a byte_offset of the output, and in none of 18 others");
  EXPECT_EQ(
      behind([](const Executed& one) { return one.probe.placement == Probe::Placement::back; }),
      ", in each of 18 executions with buffers that end at a guard page, and in none of 36 others");
  EXPECT_EQ(behind([](const Executed& one) { return one.probe.errno_left; }),
            ", in each of 27 executions with errno set to ERANGE before the call, and in none of "
            "27 others");
}

// Then conditions on requests are told besides.
TEST(SetUp, IsToldOfSuchRequestsWhereOthersWithItPass) {
  EXPECT_EQ(
      behind([](const Executed& one) {
        return one.probe.explicit_strides && one.request->data.rank() < 3;
      }),
      "not alone, in each of 12 executions of these requests with strides written out, and in "
      "none of 24 others");
}

TEST(SetUp, IsToldOfViews) {
  Executions views([](const Executed& one) { return one.probe.byte_offset; });
  for (Executed& one : views.all) one.probe.ask = Probe::Ask::view;
  const auto found = set_up_behind(views.all);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->says.starts_with(", in each of 27 views with a byte_offset")) << found->says;
}

// What is overwritten before it is read lies on one side only, and not at every distance.
TEST(SetUp, IsToldOfTheSideOnWhichTheOutputLies) {
  Executions executions([](const Executed&) { return false; });
  int turn = 0;
  for (Executed& one : executions.all) {
    one.probe = {};
    one.probe.ask = Probe::Ask::overlap;
    one.probe.shift = turn++ % 3 - 1;
    one.fails = one.probe.shift < 0 && turn % 2 != 0;
  }
  const auto found = set_up_behind(executions.all);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->alone);
  EXPECT_EQ(found->says,
            ", in 9 of 18 executions of these requests with an output that begins before the data, "
            "and in none of 36 others");
}

TEST(SetUp, IsNotToldWhereSomeWithItPass) {
  EXPECT_EQ(
      behind([](const Executed& one) { return one.probe.byte_offset && one.probe.poison == 0xa5; }),
      "");
  EXPECT_EQ(behind([](const Executed& one) { return one.request->out_strides.has_value(); }), "");
  EXPECT_EQ(behind([](const Executed&) { return true; }), "");
}

// It may be what the requests have in common.
TEST(SetUp, IsNotToldWhereNoRequestFailsAndPasses) {
  Executions executions([](const Executed&) { return false; });
  for (Executed& one : executions.all) {
    one.probe.byte_offset = one.probe.output_offset = one.probe.one_allocation = false;
    one.fails = one.request->out_strides.has_value();
    one.probe.explicit_strides = true;
    one.probe.poison = one.fails ? 0x5a : 0xa5;
  }
  EXPECT_FALSE(set_up_behind(executions.all));
}

}  // namespace
}  // namespace reshape::conformance
