#include "conformance/model/wrong_elements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "conformance/model/poison_bits.h"
#include "conformance/model/testing/judging.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

using Elements = std::vector<std::uint64_t>;

class Wrong : public testing::Judging {
 protected:
  void ask(ElementType type, Shape data, Shape output) {
    request.data_type = type;
    request.data = std::move(data);
    expectation.ruling = Ruling::produces(output);
    produce(std::move(output));
  }

  // The facts about an execution whose output is the right elements after `change`.
  WrongElements facts(const std::function<void(Elements&)>& change,
                      Payload payload = Payload::distinct) {
    const Shape shape = outcome.shape;
    produce(shape);
    Execution& execution = execute(payload);
    Elements elements = elements_of(execution);
    change(elements);
    write(elements, execution);
    return verdict().faults.empty() ? WrongElements{} : facts();
  }
  // The facts about the outcome as it is, which is wrong.
  WrongElements facts() const {
    return wrong_elements(request, expectation, outcome, verdict().faults.at(0)).value();
  }

  Elements elements_of(const Execution& execution) const {
    Elements all;
    for (std::int64_t at = 0; at < *element_count(outcome.shape); ++at) {
      all.push_back(load_element(request.data_type, execution.elements.data(), at));
    }
    return all;
  }
  void write(const Elements& elements, Execution& execution) {
    for (std::size_t at = 0; at < elements.size(); ++at) {
      set(execution, static_cast<std::int64_t>(at), elements[at]);
    }
  }

  std::string words(const std::function<void(Elements&)>& change,
                    Payload payload = Payload::distinct) {
    return text(facts(change, payload));
  }
};

const std::uint64_t kPoison = poison_bits(0xa5, ElementType::f32);

bool has(const std::vector<ElementFact>& facts, std::string_view says) {
  return std::ranges::any_of(facts, [&](const ElementFact& one) { return one.says == says; });
}

TEST_F(Wrong, NothingIsSaidOfWhatIsRight) {
  ask(ElementType::f32, {5, 7}, {35});
  EXPECT_EQ(words([](Elements&) {}), "");
}

TEST_F(Wrong, TailsThatAreNotWritten) {
  ask(ElementType::f32, {5, 7}, {35});
  const auto unwritten = [](Elements& all) { std::fill(all.begin() + 32, all.end(), kPoison); };
  EXPECT_EQ(words(unwritten), "the last 3 elements; each holds what was there before");
  const WrongElements wrong = facts(unwritten);
  for (const char* says : {"the elements from 32 on", "the elements from byte 128 on",
                           "what is left behind the last full 8 elements",
                           "what is left behind the last full 16 bytes"}) {
    EXPECT_TRUE(has(wrong.places, says)) << says;
  }
  EXPECT_FALSE(has(wrong.places, "what is left behind the last full 2 elements"));
}

// The element before it may well share half of its bits.
TEST_F(Wrong, OfOneShortElementNoBitsAreTold) {
  ask(ElementType::u8, {5, 7}, {35});
  EXPECT_EQ(words([](Elements& all) { all.back() ^= 0x20; }), "the last element");
  EXPECT_EQ(words([](Elements& all) { all.back() ^= 0x80; }), "the last element");
  EXPECT_EQ(words([](Elements& all) { all.back() ^= 0xff; }), "the last element");
  ask(ElementType::i4, {5, 7}, {35});
  EXPECT_EQ(words([](Elements& all) { all.back() ^= 0xf; }), "the last element");
}

TEST_F(Wrong, ARunInTheMiddleIsToldInBytesToo) {
  for (const ElementType type : {ElementType::u8, ElementType::f64}) {
    ask(type, {48}, {48});
    const auto elements = static_cast<std::size_t>(128 / bits(type));
    const WrongElements wrong = facts([=](Elements& all) {
      std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(elements), elements, 0);
    });
    EXPECT_TRUE(has(wrong.places, "the 16 bytes from byte 16 on"));
  }
}

TEST_F(Wrong, OneElement) {
  ask(ElementType::f32, {5, 7}, {35});
  EXPECT_EQ(words([](Elements& all) { all.back() = 0; }), "the last element; each is 0");
  EXPECT_EQ(words([](Elements& all) { all.front() ^= 0xffffffff; }),
            "the first element; each has all its bits inverted");
  EXPECT_EQ(words([](Elements& all) { all[11] ^= 0x80000000; }),
            "element 11; each is wrong in its highest bit only");
}

// A single element is the first and the last one: that says nothing unless other failures agree.
TEST_F(Wrong, OfASingleElementThePlaceIsNotTold) {
  ask(ElementType::f32, {}, {});
  const auto cleared = [](Elements& all) { all.front() = 0; };
  EXPECT_EQ(words(cleared), "each is 0");
  EXPECT_TRUE(has(facts(cleared).places, "the last element"));
}

TEST_F(Wrong, EveryOtherElement) {
  ask(ElementType::u8, {40}, {40});
  EXPECT_EQ(words([](Elements& all) {
              for (std::size_t at = 1; at < all.size(); at += 4) all[at] ^= 0xff;
            }),
            "every 4th element, element 1 the first of them; each has all its bits inverted");
}

TEST_F(Wrong, PlacesInRows) {
  ask(ElementType::i32, {6, 5}, {5, 6});
  EXPECT_EQ(words([](Elements& all) {
              for (std::size_t at = 5; at < all.size(); at += 6) all[at] = 0;
            }),
            "the last element of each row; each is 0");
  // The rows of the data end at other elements.
  EXPECT_EQ(words([](Elements& all) {
              for (std::size_t at = 4; at < all.size(); at += 5) all[at] = 0;
            }),
            "the last element of each row of the data; each is 0");
  EXPECT_TRUE(
      has(facts([](Elements& all) { std::fill(all.begin() + 12, all.begin() + 18, 7); }).places,
          "whole rows"));
  EXPECT_TRUE(has(facts([](Elements& all) { std::fill(all.begin() + 18, all.end(), 7); }).places,
                  "index 3 or more of axis 0"));
}

TEST_F(Wrong, AFewOfMany) {
  ask(ElementType::i32, {100}, {100});
  // 3 wrong elements of 60 do not make those 60 the place.
  const WrongElements wrong = facts([](Elements& all) { all[40] = all[77] = all[99] = 1; });
  EXPECT_TRUE(wrong.places.empty()) << text(wrong);
}

TEST_F(Wrong, Halves) {
  ask(ElementType::i16, {64}, {64});
  EXPECT_TRUE(has(facts([](Elements& all) { std::fill(all.begin() + 32, all.end(), 1); }).places,
                  "the second half"));
  EXPECT_TRUE(has(facts([](Elements& all) { std::fill(all.begin() + 48, all.end(), 1); }).places,
                  "the last of 4 equal parts"));
}

TEST_F(Wrong, ElementsThatMoved) {
  ask(ElementType::f32, {4, 6}, {24});
  EXPECT_EQ(words([](Elements& all) { std::rotate(all.begin(), all.begin() + 3, all.end()); }),
            "every element; each holds what belongs 3 places behind it, the last one being before "
            "the first");
  EXPECT_EQ(words([](Elements& all) {
              for (std::size_t at = 23; at > 3; --at) all[at] = all[at - 1];
            }),
            "the last 20 elements; each holds what belongs 1 place before it");
  EXPECT_EQ(words([](Elements& all) { std::reverse(all.begin(), all.end()); }),
            "every element; each holds what belongs as far from the other end");
  EXPECT_TRUE(has(facts([](Elements& all) {
                    const Elements right = all;
                    for (std::size_t at = 0; at < 24; ++at) all[at] = right[at % 4 * 6 + at / 4];
                  }).values,
                  "is that of the column-major order of the data"));
  EXPECT_TRUE(has(facts([](Elements& all) {
                    for (auto row = all.begin(); row != all.end(); row += 6) {
                      std::reverse(row, row + 6);
                    }
                  }).values,
                  "holds what belongs at the other end of axis 1 of the data"));
}

TEST_F(Wrong, WhatBelongsFirstInARow) {
  ask(ElementType::f32, {4, 6}, {24});
  const auto repeats = [](Elements& all) {
    for (std::size_t at = 0; at < 24; ++at) all[at] = all[at / 6 * 6];
  };
  EXPECT_TRUE(has(facts(repeats).values, "holds what belongs at index 0 of axis 1 of the data"));
}

TEST_F(Wrong, WhatIsNotWrittenHasNotMoved) {
  ask(ElementType::f32, {7}, {7});
  constexpr const char* kSwapped = "has changed places with its neighbour";
  const auto swapped = [](Elements& all) { std::swap(all[0], all[1]); };
  EXPECT_TRUE(has(facts(swapped).values, kSwapped));
  EXPECT_FALSE(has(facts([&](Elements& all) {
                     swapped(all);
                     all[6] = kPoison;  // has no neighbour
                   }).values,
                   kSwapped));
}

TEST_F(Wrong, StridesThatAreNotFollowed) {
  ask(ElementType::f32, {4, 6}, {24});
  request.strides = {1, 4};
  EXPECT_EQ(words([](Elements& all) {
              const Elements right = all;  // lies at 4 * column + row
              for (std::size_t at = 0; at < 24; ++at) all[at] = right[at % 4 * 6 + at / 4];
            }),
            "the 22 elements from 1 on; each is as if the data were dense");
  request.strides.reset();
  request.out_strides = {2};
  EXPECT_EQ(words([](Elements& all) {
              const Elements right = all;
              for (std::size_t at = 0; at < 24; ++at) {
                all[at] = 2 * at < 24 ? right[2 * at] : kPoison;
              }
            }),
            "the last 23 elements; each is as if the output were dense");
}

TEST_F(Wrong, ValuesThatChanged) {
  ask(ElementType::f32, {26}, {26});
  const auto quiet = [](Elements& all) {
    for (std::uint64_t& one : all) {
      if (one == 0x7f800001 || one == 0xffa54321) one |= 0x400000;
    }
  };
  EXPECT_EQ(words(quiet, Payload::hard),
            "where a signalling NaN belongs; each is the quiet NaN of the right one");
  ask(ElementType::i64, {26}, {26});
  EXPECT_TRUE(has(facts([](Elements& all) {
                    for (std::uint64_t& one : all) one &= 0xffffffff;
                  }).values,
                  "is what its lowest 32 bits are, without a sign"));
  EXPECT_TRUE(has(facts([](Elements& all) {
                    for (std::uint64_t& one : all) one = __builtin_bswap64(one);
                  }).values,
                  "has its bytes in reverse order"));
}

// Three bytes that hold their neighbours' values are no coincidence; three that hold what lies 50
// places away may be one.
TEST_F(Wrong, FewHoldWhatLiesNearby) {
  ask(ElementType::u8, {81}, {3, 27});
  const auto from = [&](std::size_t distance) {
    return words([=](Elements& all) {
      const Elements right = all;
      for (std::size_t at = 26; at < 81; at += 27) all[at] = right[(at + 81 - distance) % 81];
    });
  };
  EXPECT_EQ(from(1), "the last element of each row; each holds what belongs 1 place before it");
  EXPECT_EQ(from(50), "the last element of each row");
}

// Narrow elements are often right by coincidence, so the number of wrong ones is named.
TEST_F(Wrong, OfAPlaceWhereOthersAreRightTheNumberIsTold) {
  ask(ElementType::i4, {4}, {4});
  EXPECT_EQ(words([](Elements& all) { all[1] ^= 2, all[3] ^= 4; }), "2 of the last 3 elements");
  ask(ElementType::f32, {26}, {26});
  EXPECT_EQ(words([](Elements& all) {
              for (const std::size_t at : {3, 7, 8, 10, 14, 15, 16, 17, 18, 19, 22, 23, 24})
                all[at] = 1 + at * at;
            }),
            "13 of the 22 elements from 3 on");
}

TEST_F(Wrong, OneValueInThePlaceOfMany) {
  ask(ElementType::f32, {26}, {26});
  EXPECT_EQ(words([](Elements& all) { std::fill(all.begin() + 4, all.end(), 0x12345678); }),
            "the last 22 elements; each holds the same value");
}

TEST_F(Wrong, WhatArithmeticDoesNotKeepByItsKind) {
  ask(ElementType::f32, {8}, {8});
  const auto as = [&](Elements right, Elements came) {
    request.elements = right;
    produce({8});
    write(came, execute(Payload::distinct));
    return facts();
  };
  const Elements right = {1, 0x80000001, 0x7f812345, 4, 5, 6, 0x3f800000, 0x80000000};
  const WrongElements both =
      as(right, {0, 0x80000000, 0x7fc12345, 0, 0, 0, 0x3f800000, 0x80000000});
  EXPECT_TRUE(
      has(both.values,
          "is 0 where a denormal belongs, a NaN made quiet where a signalling one belongs"));
  EXPECT_TRUE(has(both.values, "is what arithmetic that flushes denormals and quiets NaNs leaves"));
  const WrongElements payload = as(right, {1, 0x80000001, 0x7fc00000, 4, 5, 6, 0x3f800000, 0});
  EXPECT_TRUE(
      has(payload.values,
          "is 0 where -0 belongs, the NaN without a payload where one with a payload belongs"));
  const WrongElements other = as(right, {0, 0x80000001, 0x12345, 4, 5, 6, 0x3f800000, 0x80000000});
  EXPECT_FALSE(has(other.values, "is 0 where a denormal belongs"));
}

TEST_F(Wrong, CornersThatTilesLeaveOver) {
  ask(ElementType::f32, {10, 11}, {10, 11});
  const WrongElements found = facts([](Elements& elements) {
    for (std::size_t row = 8; row < 10; ++row) {
      for (std::size_t column = 8; column < 11; ++column) elements[row * 11 + column] ^= 1;
    }
  });
  EXPECT_TRUE(has(found.places, "the corner behind the last full 8 by 8 elements"));
  EXPECT_TRUE(has(found.places, "row 8 or behind, and there column 8 or behind"));
  ask(ElementType::u8, {300}, {300});
  const WrongElements tail = facts([](Elements& elements) {
    for (std::size_t at = 256; at < 300; ++at) elements[at] ^= 1;
  });
  EXPECT_TRUE(has(tail.places, "what is left behind the last full 256 bytes"));
  EXPECT_TRUE(has(tail.places, "the last 44 bytes"));
}

TEST_F(Wrong, NarrowElementsAreOftenRightByChance) {
  ask(ElementType::u4, {3, 7}, {21});
  EXPECT_EQ(words([](Elements& all) { std::fill(all.begin() + 16, all.end(), 0x5); }).substr(0, 8),
            "the last");
}

// What lies around data and output in one allocation is no value of theirs.
TEST_F(Wrong, WhatIsNotWrittenInOneAllocationHoldsWhatWasThere) {
  ask(ElementType::f32, {5, 7}, {35});
  produce(outcome.shape);
  Execution& execution = execute();
  execution.probe.one_allocation = true;
  Elements elements = elements_of(execution);
  const auto around = poison_bits(gap_poison(execution.probe.poison), ElementType::f32);
  std::fill_n(elements.begin(), 7, around);
  write(elements, execution);
  EXPECT_EQ(text(facts()), "the first 7 elements; each holds what was there before");
  execution.probe.one_allocation = false;
  EXPECT_EQ(text(facts()), "the first 7 elements; each holds the same value");
  request.strides = Strides{14, 2};
  EXPECT_EQ(text(facts()),
            "the first 7 elements; each holds what lies between the elements of the data");
}

// Whose elements these are is known: that they fit another order is chance.
TEST_F(Wrong, OfTheElementsOfAnEarlierExecutionNoOrderIsTold) {
  ask(ElementType::f32, {5, 7}, {35});
  produce(outcome.shape);
  Execution& execution = execute();
  Elements elements = elements_of(execution);
  std::ranges::reverse(elements);
  write(elements, execution);
  Fault fault = verdict().faults.at(0);
  EXPECT_TRUE(wrong_elements(request, expectation, outcome, fault).has_value());
  fault.duty = Duty::C17;
  EXPECT_FALSE(wrong_elements(request, expectation, outcome, fault).has_value());
}

TEST_F(Wrong, WhatIsNotAboutElementsHasNoFacts) {
  ask(ElementType::f32, {4}, {4});
  execute();
  Fault fault;
  fault.watch = CaughtBy::canaries;
  EXPECT_FALSE(wrong_elements(request, expectation, outcome, fault).has_value());
}

// Of every such distance the same can be said.
TEST_F(Wrong, ElementsThatAreReadTooLateAreAsFarOffAsTheOutputLies) {
  ask(ElementType::u32, {64}, {64});
  const auto said = [&](std::int64_t shift) {
    Execution& execution = execute(Payload::distinct);
    execution.probe.ask = Probe::Ask::overlap;
    execution.probe.shift = shift;
    const Elements right = elements_of(execution);
    for (std::int64_t at = 20; at < 40; ++at) {
      set(execution, at, right[static_cast<std::size_t>(at - shift)]);
    }
    outcome.executions = {execution};
    const std::string says = text(facts());
    return says.substr(says.find("; ") + 2);
  };
  for (const std::int64_t shift : {-1, -7}) {
    EXPECT_EQ(said(shift),
              "each holds what belongs as many places behind it as the output lies "
              "before the data");
  }
  EXPECT_EQ(said(7),
            "each holds what belongs as many places before it as the output lies behind "
            "the data's start");
}

// The first of 15 elements lies 14 places before the last, and 1 behind it where the end is the
// start.
TEST_F(Wrong, OfAnOverlapWhoseDistanceFitsNoOtherIsToldAroundAnEnd) {
  ask(ElementType::f32, {15}, {15});
  Execution& execution = execute(Payload::distinct);
  execution.probe.ask = Probe::Ask::overlap;
  execution.probe.shift = 14;
  set(execution, 14, load_element(request.data_type, execution.elements.data(), 0));
  const WrongElements wrong = facts();
  EXPECT_TRUE(has(wrong.values,
                  "holds what belongs as many places before it as the output lies behind the "
                  "data's start"));
  EXPECT_FALSE(has(wrong.values,
                   "holds what belongs 1 place behind it, the last one being before the first"));
}

// What lies around an end is no distance between data and output.
TEST_F(Wrong, OfAnOverlapNoDistanceIsToldThatLeavesTheOutput) {
  ask(ElementType::f32, {15}, {15});
  Execution& execution = execute(Payload::distinct);
  execution.probe.ask = Probe::Ask::overlap;
  execution.probe.shift = 1;
  set(execution, 0, load_element(request.data_type, execution.elements.data(), 14));
  const WrongElements wrong = facts();
  EXPECT_FALSE(has(wrong.values,
                   "holds what belongs as many places before it as the output lies behind the "
                   "data's start"));
}

}  // namespace
}  // namespace reshape::conformance
