#include "conformance/adapter/examine/probes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/model/payload.h"

namespace reshape::conformance {
namespace {

using Ask = Probe::Ask;
using Placement = Probe::Placement;

Request asking(ElementType type, Shape data) {
  Request request;
  request.data_type = type;
  request.data = std::move(data);
  request.pattern.values = {-1};
  return request;
}

std::vector<Probe> probes(const Request& request, const Capabilities& can = {}) {
  return probes_for_execution(request, can,
                              extent_of(request.data_type, data_layout(request))->size);
}

template <typename Value>
std::set<Value> values(const std::vector<Probe>& probes, Payload payload, Value Probe::* member) {
  std::set<Value> found;
  for (const Probe& probe : probes) {
    if (probe.payload == payload) found.insert(probe.*member);
  }
  return found;
}

TEST(Probes, EveryPayloadHasBothPoisonsAndTellingOnesAllPlacements) {
  for (ElementType type : kAllElementTypes) {
    for (std::int64_t count : {1, 3, 24, 300, 1000}) {
      const auto made = probes(asking(type, {count}));
      const std::set<std::uint8_t> poisons(std::begin(kPoisons), std::end(kPoisons));
      for (Payload payload : {Payload::distinct, Payload::hard, Payload::zeros}) {
        EXPECT_EQ(values(made, payload, &Probe::poison), poisons) << name(type) << count;
      }
      for (Payload payload : {Payload::distinct, Payload::hard}) {
        EXPECT_EQ(values(made, payload, &Probe::placement).size(), 3u) << name(type) << count;
      }
      EXPECT_EQ(static_cast<int>(values(made, Payload::distinct, &Probe::round).size()),
                distinct_rounds(type, count));
    }
  }
}

TEST(Probes, EveryRoundOfASmallTensorHasBothPoisons) {
  for (const Probe& probe : probes(asking(ElementType::boolean, {40}))) {
    if (probe.payload != Payload::distinct) continue;
    std::set<std::uint8_t> poisons;
    for (const Probe& other : probes(asking(ElementType::boolean, {40}))) {
      if (other.payload == Payload::distinct && other.round == probe.round) {
        poisons.insert(other.poison);
      }
    }
    EXPECT_EQ(poisons.size(), 2u);
  }
}

TEST(Probes, StridesAndOffsetsAlternate) {
  const auto made = probes(asking(ElementType::f32, {2, 3}));
  std::set<std::pair<bool, bool>> ways;
  for (const Probe& probe : made) ways.insert({probe.explicit_strides, probe.byte_offset});
  EXPECT_EQ(ways.size(), 4u);
  EXPECT_LE(made.size(), 10u);
}

// What fails with one of them alone has an execution of each kind without it.
TEST(Probes, ErrnoIsInStepWithNothingElse) {
  const auto made = probes(asking(ElementType::f32, {2, 3}));
  std::set<std::pair<bool, int>> poisons, strides, offsets;
  for (const Probe& probe : made) {
    if (probe.ask != Probe::Ask::execute) continue;
    poisons.insert({probe.errno_left, probe.poison});
    strides.insert({probe.errno_left, probe.explicit_strides});
    offsets.insert({probe.errno_left, probe.byte_offset});
  }
  for (const auto& ways : {poisons, strides, offsets}) EXPECT_EQ(ways.size(), 4u);
  EXPECT_TRUE(made.front().errno_left);
  EXPECT_NE(text(made.front()).find(" errno=ERANGE"), std::string::npos);
}

TEST(Probes, NoPlacementIsAlwaysBehindAnOffset) {
  std::set<Placement> against_the_page;
  for (const Probe& probe : probes(asking(ElementType::f32, {2, 3}))) {
    if (!probe.byte_offset) against_the_page.insert(probe.placement);
  }
  EXPECT_EQ(against_the_page.size(), 3u);
}

TEST(Probes, LargeTensorsKeepAllPayloadsAndBothPoisons) {
  const auto made = probes(asking(ElementType::u8, {1 << 20}));
  for (Payload payload : {Payload::distinct, Payload::hard, Payload::zeros}) {
    EXPECT_EQ(values(made, payload, &Probe::poison).size(), 2u);
  }
  EXPECT_EQ(values(made, Payload::distinct, &Probe::round).size(), 3u);
  EXPECT_LE(made.size(), 7u);
}

TEST(Probes, HugeTensorsShowEveryElementOnce) {
  const auto made = probes(asking(ElementType::f32, {1 << 22}));
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[0].payload, Payload::distinct);
  EXPECT_EQ(made[1].payload, Payload::hard);
}

TEST(Probes, HugeTensorsEndAtTheGuardOnceAndKeepTwoRounds) {
  const auto made = probes(asking(ElementType::u8, {(std::int64_t{16} << 20) + 3}));
  EXPECT_EQ(values(made, Payload::distinct, &Probe::round), (std::set<int>{0, 1}));
  EXPECT_EQ(made[0].placement, Placement::odd);
  EXPECT_EQ(made[1].placement, Placement::back);
}

TEST(Probes, EmptyTensorsComeWithNullAndWithARealPointer) {
  const auto made = probes(asking(ElementType::f32, {0, 3}));
  EXPECT_EQ(values(made, Payload::distinct, &Probe::null_if_empty).size(), 2u);
  Request request = asking(ElementType::f32, {});
  request.pattern.values.clear();
  EXPECT_EQ(values(probes(request), Payload::distinct, &Probe::null_if_empty).size(), 2u);
  for (const Probe& probe : probes(asking(ElementType::f32, {2}))) {
    EXPECT_FALSE(probe.null_if_empty);
  }
}

TEST(Probes, AFixedPayloadIsTheOnlyOne) {
  Request request = asking(ElementType::f32, {6});
  request.payload = Payload::zeros;
  const auto made = probes(request);
  ASSERT_FALSE(made.empty());
  EXPECT_EQ(std::ranges::count(made, Payload::zeros, &Probe::payload), std::ssize(made));
}

TEST(Probes, WrittenElementsNeedNoRounds) {
  Request request = asking(ElementType::boolean, {4});
  request.elements = {0, 1, 1, 0};
  const auto made = probes(request);
  EXPECT_EQ(made.size(), 5u);
  EXPECT_EQ(values(made, Payload::distinct, &Probe::placement).size(), 3u);
  EXPECT_EQ(values(made, Payload::distinct, &Probe::poison).size(), 2u);
}

// An arena needs no capability.
TEST(Probes, TwoHaveTheOutputInTheAllocationOfTheDataBehindItAndBeforeIt) {
  using Shifts = std::vector<std::int64_t>;
  const auto in_one = [](const Shape& data) {
    Shifts found;
    for (const Probe& probe : probes(asking(ElementType::f32, data))) {
      if (probe.one_allocation && probe.ask == Ask::execute && !probe.byte_offset) {
        found.push_back(probe.shift);
      }
    }
    return found;
  };
  EXPECT_EQ(in_one({6}), (Shifts{0, -1}));
  EXPECT_EQ(in_one({0}), Shifts{});
  EXPECT_EQ(in_one({1 << 20}), Shifts{});
}

bool asks(const std::vector<Probe>& probes, Ask ask) {
  return std::ranges::find(probes, ask, &Probe::ask) != probes.end();
}

TEST(Probes, WhatIsDeclaredIsAsked) {
  Request request = asking(ElementType::f32, {6});
  Capabilities can;
  EXPECT_FALSE(asks(probes(request, can), Ask::in_place) || asks(probes(request, can), Ask::view));
  can.in_place = can.views = true;
  EXPECT_TRUE(asks(probes(request, can), Ask::in_place));
  EXPECT_TRUE(asks(probes(request, can), Ask::view));
  request.strides = Strides{2};
  EXPECT_FALSE(asks(probes(request, can), Ask::in_place));
  EXPECT_TRUE(asks(probes(request, can), Ask::view));
  request.strides.reset();
  request.in_place = true;
  EXPECT_FALSE(asks(probes(request, can), Ask::execute));
}

TEST(Probes, AViewOfFewElementsIsAskedForHoweverFarApartTheyLie) {
  Capabilities can;
  can.views = true;
  const Request request = asking(ElementType::u8, {2, 3});
  EXPECT_TRUE(asks(probes_for_execution(request, can, std::int64_t{1} << 33), Ask::view));
}

TEST(Probes, AnotherOutputOfEmptyDataIsAlsoANullPointer) {
  Capabilities can;
  can.views = can.checks_output = true;
  for (const Ask ask : {Ask::other_output, Ask::refused_view}) {
    const auto with_null = [&](const Shape& data) {
      const auto made = probes_of_another_output(asking(ElementType::f32, data), can, data);
      return std::ranges::any_of(
          made, [&](const Probe& one) { return one.ask == ask && one.null_if_empty; });
    };
    EXPECT_TRUE(with_null({0, 3}));
    EXPECT_FALSE(with_null({2, 3}));
  }
}

std::set<std::int64_t> shifts(const std::vector<Probe>& probes) {
  std::set<std::int64_t> found;
  for (const Probe& probe : probes) {
    if (probe.ask == Ask::overlap) found.insert(probe.shift);
  }
  return found;
}

TEST(Probes, OverlapsLieBeforeAndBehindNearAndFar) {
  using Shifts = std::set<std::int64_t>;
  Capabilities can;
  EXPECT_EQ(shifts(probes(asking(ElementType::f32, {10}), can)), Shifts{});
  can.overlap = true;
  EXPECT_EQ(shifts(probes(asking(ElementType::f32, {10}), can)), (Shifts{-9, -5, -1, 1, 5, 9}));
  EXPECT_EQ(shifts(probes(asking(ElementType::i4, {10}), can)), (Shifts{-8, -4, -2, 2, 4, 8}));
  EXPECT_EQ(shifts(probes(asking(ElementType::f32, {1}), can)), Shifts{});
  EXPECT_EQ(shifts(probes(asking(ElementType::f32, {1 << 20}), can)), Shifts{1});
  EXPECT_EQ(shifts(probes(asking(ElementType::f32, {1 << 24}), can)), Shifts{});
  EXPECT_EQ(shifts(probes(asking(ElementType::f32, {1 << 16}), can)), (Shifts{-(1 << 15), 1}));
  Request strided = asking(ElementType::f32, {10});
  strided.strides = Strides{-1};
  strided.offset = 9;
  EXPECT_EQ(shifts(probes(strided, can)), (Shifts{-9, -5, -1, 0, 1, 5, 9}));
  strided.strides = Strides{-3};
  strided.offset = 27;
  EXPECT_EQ(shifts(probes(strided, can)), (Shifts{-9, -5, -1, 0, 1, 5, 9, 27}));
  can.alignment = 16;
  EXPECT_EQ(shifts(probes(asking(ElementType::f32, {10}), can)), (Shifts{-8, -4, 4, 8}));
  EXPECT_EQ(shifts(probes(asking(ElementType::f32, {4}), can)), Shifts{});  // would not overlap
}

TEST(Probes, AnOverlapBeginsWithinAnElementWhereTheAlignmentAllowsIt) {
  Capabilities can;
  can.overlap = true;
  const auto within = [&can](ElementType type, const Shape& data) {
    std::vector<std::string> found;
    for (const Probe& probe : probes(asking(type, data), can)) {
      const std::string says = text(probe);
      if (probe.shift_bytes != 0) found.push_back(says.substr(0, says.find(" payload")));
    }
    return found;
  };
  using Found = std::vector<std::string>;
  EXPECT_EQ(within(ElementType::f32, {10}), Found{});
  can.alignment = 1;
  EXPECT_EQ(within(ElementType::f32, {10}), Found{"ask=overlap shift=1 shift_bytes=2"});
  EXPECT_EQ(within(ElementType::f16, {10}), Found{"ask=overlap shift=1 shift_bytes=1"});
  EXPECT_EQ(within(ElementType::u8, {10}), Found{});
  EXPECT_EQ(within(ElementType::i4, {10}), Found{});
  EXPECT_EQ(within(ElementType::f32, {1}), Found{});
  can.alignment = 4;
  EXPECT_EQ(within(ElementType::f64, {10}), Found{"ask=overlap shift=1 shift_bytes=4"});
  EXPECT_EQ(within(ElementType::f32, {10}), Found{});
}

TEST(Probes, ShapesAloneAreNotExecuted) {
  Request request = asking(ElementType::f32, {6});
  Capabilities can;
  can.shape_only = true;
  EXPECT_TRUE(probes(request, can).empty());
  EXPECT_TRUE(probes_for_refusal(request, can).empty());
  request.shape_only = true;
  EXPECT_TRUE(probes(request).empty());
  EXPECT_TRUE(probes_for_refusal(request, {}).empty());
}

TEST(Probes, ARefusalIsExecutedOverBothPoisons) {
  const auto made = probes_for_refusal(asking(ElementType::f32, {6}), {});
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[0].ask, Ask::execute_rejected);
  EXPECT_NE(made[0].poison, made[1].poison);
}

TEST(Probes, ARefusalIsExecutedInPlaceWhereThatIsPromised) {
  const auto over_data = [](const Request& request, const Capabilities& can) {
    return std::ranges::count(probes_for_refusal(request, can), true, &Probe::over_data);
  };
  Request request = asking(ElementType::f32, {6});
  Capabilities can;
  EXPECT_EQ(over_data(request, can), 0);
  can.in_place = true;
  EXPECT_EQ(over_data(request, can), 1);
  EXPECT_EQ(over_data(asking(ElementType::f32, {0}), can), 0);  // no memory to share
  request.strides = Strides{2};
  EXPECT_EQ(over_data(request, can), 0);
}

TEST(Probes, AViewOfARefusalIsAskedForInBothShapesWhereViewsArePromised) {
  const auto views = [](const Capabilities& can) {
    return std::ranges::count(probes_for_refusal(asking(ElementType::f32, {6}), can),
                              Ask::refused_view, &Probe::ask);
  };
  Capabilities can;
  EXPECT_EQ(views(can), 0);
  can.views = true;
  EXPECT_EQ(views(can), 2);
}

}  // namespace
}  // namespace reshape::conformance
