#include "conformance/property/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/oracle/ruling_of.h"
#include "conformance/property/shape_pairs.h"
#include "conformance/text/line.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

Aim class_of(const Dialect& dialect, const Request& request) {
  return aim_of(ruling_of(dialect, request));
}

constexpr int kDraws = 400;

TEST(Generator, MeetsEveryClassOfEveryDialect) {
  for (const Dialect& dialect : declared_dialects()) {
    for (const Aim& aim : aims_of(dialect)) {
      SeededChoices choices(7);
      int met = 0;
      for (int draw = 0; draw < kDraws; ++draw) {
        const Generated generated = generate_in_class(dialect, aim, {}, choices);
        EXPECT_EQ(class_of(dialect, generated.request), generated.aim) << dialect.name;
        if (generated.aim == aim) ++met;
      }
      EXPECT_EQ(met, kDraws) << dialect.name << ' ' << text(aim);
    }
  }
}

// Each class must occur in many different requests: repeating one would find only one mistake.
TEST(Generator, VariesEveryClass) {
  for (const Dialect& dialect : declared_dialects()) {
    for (const Aim& aim : aims_of(dialect)) {
      SeededChoices choices(8);
      std::set<std::string> shapes;
      int plain = 0;
      for (int draw = 0; draw < kDraws; ++draw) {
        Generated generated = generate_in_class(dialect, aim, {}, choices);
        plain += generated.family == "plain" ? 1 : 0;
        generated.request.data_type = ElementType::f32;
        generated.request.pattern.type = ElementType::i64;
        generated.request.strides.reset();
        generated.request.out_strides.reset();
        shapes.insert(print_line(generated.request));
      }
      const bool few_exist = aim.clause == "pattern.empty" || aim.clause == "data.scalar";
      EXPECT_GT(shapes.size(), few_exist ? 8U : kDraws * 3 / 4) << dialect.name << ' ' << text(aim);
      EXPECT_LT(plain, kDraws / 50) << dialect.name << ' ' << text(aim);
    }
  }
}

// Which of sizes, values, flag and data type differ; the pattern's type may change with its values.
std::vector<std::string> what_differs(const Request& one, const Request& other) {
  std::vector<std::string> what;
  if (one.data != other.data) what.emplace_back("sizes");
  if (one.pattern.values != other.pattern.values) what.emplace_back("values");
  if (one.special_zero != other.special_zero) what.emplace_back("flag");
  if (one.data_type != other.data_type) what.emplace_back("type");
  if (what.empty() && one.pattern.type != other.pattern.type) what.emplace_back("pattern's type");
  return what;
}

TEST(Generator, ChangesOneThingThatAnotherAnswerBelongsTo) {
  for (const Dialect& dialect : declared_dialects()) {
    SeededChoices choices(9);
    std::set<std::string> met;
    int changes = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      const Generated before = generate(dialect, {}, choices);
      const auto changed = generate_changed(dialect, before, {}, choices);
      if (!changed) continue;
      ++changes;
      const Request& request = changed->request;
      EXPECT_EQ(class_of(dialect, request), changed->aim) << print_line(request);
      EXPECT_TRUE(changed->ruling != before.ruling || request.data_type != before.request.data_type)
          << print_line(before.request) << " and " << print_line(request);
      const std::vector<std::string> differs = what_differs(before.request, request);
      ASSERT_EQ(differs.size(), 1U) << print_line(before.request) << " and " << print_line(request);
      met.insert(differs.front());
    }
    EXPECT_GT(changes, kDraws / 2) << dialect.name;
    for (const char* what : {"sizes", "values", "type"}) {
      EXPECT_TRUE(met.contains(what)) << dialect.name << " never changes the " << what;
    }
    EXPECT_EQ(met.contains("flag"), dialect.zero == ZeroRule::by_flag) << dialect.name;
  }
}

TEST(Generator, IsTotalOverBytesAndOverNoBytes) {
  for (const Dialect& dialect : declared_dialects()) {
    for (const Aim& aim : aims_of(dialect)) {
      ByteChoices none({});
      EXPECT_EQ(generate_in_class(dialect, aim, {}, none).aim, aim)
          << dialect.name << ' ' << text(aim);
    }
  }
}

// A fuzzer's bytes may run out anywhere, after which every decision is 0: no loop may wait for
// another.
TEST(Generator, EndsWhereverTheBytesRunOut) {
  SeededChoices random(5);
  for (const Dialect& dialect : declared_dialects()) {
    for (const Aim& aim : aims_of(dialect)) {
      for (std::size_t length = 1; length < 100; ++length) {
        std::vector<std::uint8_t> bytes(length);
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
        ByteChoices choices(bytes);
        EXPECT_EQ(generate_in_class(dialect, aim, {}, choices).aim, aim)
            << dialect.name << ' ' << text(aim);
      }
    }
  }
}

TEST(Generator, PrintsRequestsThatReadBackTheSame) {
  SeededChoices choices(11);
  for (int draw = 0; draw < 5000; ++draw) {
    const Dialect& dialect = choices.one_of(declared_dialects());
    const Request request = generate(dialect, {}, choices).request;
    const std::string line = print_line(request);
    const Result<Request> read = parse_line(line);
    ASSERT_TRUE(read.ok()) << line << "\n" << read.error().text();
    EXPECT_EQ(*read, request) << line;
  }
}

TEST(Generator, DrawsEveryFamilyLayoutAndTypeOften) {
  std::map<std::string_view, int> families_met;
  std::map<std::string, int> layouts_met;  // "padded" of the data, "to padded" of the output
  std::set<ElementType> types_met;
  std::set<ElementType> pattern_types_met;
  SeededChoices choices(3);
  constexpr int kMany = 20000;
  for (int draw = 0; draw < kMany; ++draw) {
    const Generated generated =
        generate(declared_dialects()[static_cast<std::size_t>(draw) % declared_dialects().size()],
                 {}, choices);
    ++families_met[generated.family];
    const std::size_t output = generated.layout.find("to ");
    ++layouts_met[generated.layout.substr(0, output)];
    if (output != std::string::npos) ++layouts_met[generated.layout.substr(output)];
    types_met.insert(generated.request.data_type);
    pattern_types_met.insert(generated.request.pattern.type);
  }
  for (const Family& family : families()) {
    EXPECT_GT(families_met[family.name], kMany / 100) << family.name;
  }
  EXPECT_EQ(types_met.size(), kAllElementTypes.size());
  EXPECT_EQ(pattern_types_met.size(), kAllElementTypes.size());
  layouts_met.erase("");  // dense data
  EXPECT_GE(layouts_met.size(), 12U);
  for (const auto& [layout, times] : layouts_met) EXPECT_GT(times, kMany / 500) << layout;
}

bool any_stride(const Request& request, bool (*holds)(std::int64_t)) {
  return request.strides && std::ranges::any_of(*request.strides, holds);
}

// Who refuses has to write nothing however the data lies.
TEST(Generator, LaysOutTheDataOfRefusalsOfEachClause) {
  for (const Dialect& dialect : declared_dialects()) {
    for (const Aim& aim : aims_of(dialect)) {
      if (aim.kind != Ruling::Kind::rejects) continue;
      SeededChoices choices(17);
      int with_axes = 0, strided = 0, backwards = 0, repeated = 0, behind = 0;
      for (int draw = 0; draw < kDraws; ++draw) {
        const Request request = generate_in_class(dialect, aim, {}, choices).request;
        EXPECT_FALSE(request.out_strides) << print_line(request);
        with_axes += !request.shape_only && request.data.rank() > 0;
        strided += request.strides.has_value();
        backwards += any_stride(request, [](std::int64_t stride) { return stride < 0; });
        repeated += any_stride(request, [](std::int64_t stride) { return stride == 0; });
        behind += request.offset != 0;
      }
      if (with_axes < kDraws / 10) continue;  // sizes that no memory holds
      const std::string where = std::string(dialect.name) + ' ' + text(aim);
      EXPECT_GT(strided, with_axes / 4) << where;
      EXPECT_GT(backwards, with_axes / 40) << where;
      EXPECT_GT(repeated, with_axes / 40) << where;
      EXPECT_GT(behind, with_axes / 10) << where;
    }
  }
}

// What the -1 stands for; 0: there is none.
std::int64_t inferred_size(const Generated& generated) {
  const auto& values = generated.request.pattern.values;
  const auto found = std::ranges::find(values, PatternValue{-1});
  if (generated.ruling.kind != Ruling::Kind::produces || found == values.end()) return 0;
  return generated.ruling.shape[static_cast<std::size_t>(found - values.begin())];
}

TEST(Generator, InfersEverySmallSizeBesideCopies) {
  constexpr std::int64_t kSmall = 40;
  constexpr int kMany = 20000;
  const Dialect& dialect = *declared_dialect("openvino-reshape-1");
  SeededChoices choices(19);
  std::map<std::int64_t, int> met;
  for (int draw = 0; draw < kMany; ++draw) {
    const Generated generated =
        generate_in_class(dialect, {Ruling::Kind::produces, {}}, {}, choices);
    const auto& values = generated.request.pattern.values;
    const bool zero = std::ranges::find(values, PatternValue{0}) != values.end();
    if (zero && generated.request.special_zero == true) ++met[inferred_size(generated)];
  }
  for (std::int64_t size = 1; size <= kSmall; ++size) EXPECT_GE(met[size], 16) << size;
}

TEST(Generator, KeepsEveryExecutedElementWithinASmallSpan) {
  SeededChoices choices(5);
  for (int draw = 0; draw < 5000; ++draw) {
    const Request request = generate(declared_dialects().front(), {}, choices).request;
    if (request.shape_only || is_empty(request.data)) continue;
    const ElementRange range = touched(data_layout(request));
    EXPECT_GE(range.first, 0) << print_line(request);
    EXPECT_LT(range.last, std::int64_t{1} << 21) << print_line(request);
  }
}

// A smaller 6 would make four of the two along the first axis, which then lie upon each other.
TEST(Simpler, LetsNoElementsOfTheOutputOverlap) {
  const Request request =
      *parse_line("openvino-reshape-1 u8[12] i64[-1,6] special_zero=true out_strides=[1,2]");
  const Dialect& dialect = *std::ranges::find(declared_dialects(), request.dialect, &Dialect::name);
  int strided = 0;
  for (const Request& one : simpler(dialect, request)) {
    strided += one.out_strides.has_value();
    EXPECT_FALSE(output_overlaps(one, ruling_of(dialect, one).shape)) << print_line(one);
  }
  EXPECT_GT(strided, 0);
}

std::vector<std::string> simpler_lines(const std::string& line) {
  const Request request = *parse_line(line);
  std::vector<std::string> lines;
  for (const Request& one : simpler(*declared_dialect(request.dialect), request)) {
    lines.push_back(print_line(one));
  }
  return lines;
}

// The end of taking the first simpler request of which `fails` is true.
Request simplest(const std::string& line, const std::function<bool(const Request&)>& fails) {
  Request request = *parse_line(line);
  const Dialect& dialect = *declared_dialect(request.dialect);
  while (true) {
    std::vector<Request> next = simpler(dialect, request);
    const auto found = std::ranges::find_if(next, fails);
    if (found == next.end()) return request;
    request = std::move(*found);
  }
}

TEST(Simpler, LeavesOutAnOffsetAndKeepsTheStrides) {
  for (const auto& [line, simpler] :
       {std::pair("openvino-reshape-1 f32[4] i64[-1] special_zero=false strides=[2] offset=1",
                  "openvino-reshape-1 f32[4] i64[-1] special_zero=false strides=[2]"),
        {"openvino-reshape-1 i4[4] i64[-1] special_zero=false strides=[-3] offset=90",
         "openvino-reshape-1 i4[4] i64[-1] special_zero=false strides=[-3] offset=10"},
        {"openvino-reshape-1 u8[8] i64[-1] special_zero=true out_strides=[-1] out_offset=524",
         "openvino-reshape-1 u8[8] i64[-1] special_zero=true out_strides=[-1] out_offset=7"}}) {
    const std::vector<std::string> found = simpler_lines(line);
    EXPECT_NE(std::ranges::find(found, simpler), found.end()) << simpler;
  }
}

TEST(Simpler, CutsAPatternOfAnotherRank) {
  const Request request = simplest(
      "openvino-reshape-1 u8[] i64[-1,0,0,0,0,1] special_zero=true pattern_shape=[1,3,1,2]",
      [](const Request& one) { return !one.pattern.values.empty(); });
  EXPECT_EQ(request.pattern.values.size(), 1u) << print_line(request);
  EXPECT_FALSE(request.pattern.one_dimensional()) << print_line(request);
}

TEST(Simpler, FindsABoundAtAPowerOfTwo) {
  constexpr PatternValue kBound = PatternValue{1} << 63;
  const Request request =
      simplest("openvino-reshape-1 u8[] u64[11529215046068469759] special_zero=true",
               [](const Request& one) {
                 return !one.pattern.values.empty() && one.pattern.values.front() >= kBound;
               });
  EXPECT_TRUE(request.pattern.values.front() == kBound) << print_line(request);
}

// Without one of the axes a 0 would have nothing to copy.
TEST(Simpler, LeavesOutAllAxesThatZerosCopy) {
  const std::vector<std::string> found =
      simpler_lines("openvino-reshape-1 u8[1,2,1,3] i64[0,0,0,0,-9] special_zero=true");
  const std::string simpler = "openvino-reshape-1 u8[] i64[1,1,1,1,-9] special_zero=true";
  EXPECT_NE(std::ranges::find(found, simpler), found.end());
}

// What is read before the data is seen where the data begins its buffer.
TEST(Simpler, LeavesOutAnOuterAxisOfDataThatBeginsItsBuffer) {
  const Request request = simplest(
      "openvino-reshape-1 f32[9,5] i64[45] special_zero=false strides=[-1031,-1] offset=8252",
      [](const Request& one) {
        if (!one.strides || one.strides->empty() || one.strides->back() != -1) return false;
        std::int64_t before = 0;
        for (std::size_t axis = 0; axis < one.data.rank(); ++axis) {
          before -= (one.data[axis] - 1) * (*one.strides)[axis];
        }
        return one.data[one.data.rank() - 1] >= 5 && one.offset == before;
      });
  EXPECT_EQ(print_line(request),
            "openvino-reshape-1 u8[5] i64[5] special_zero=false strides=[-1] offset=4");
}

TEST(Simpler, KeepsByHowManyAValueIsAboveTheVolume) {
  const Request request = simplest(
      "onednn-static-reshape f32[157,4] i64[4294967924] special_zero=true", [](const Request& one) {
        const std::int64_t above = std::int64_t{1} << 32;
        return one.pattern.values.size() == 1 &&
               one.pattern.values.front() == *element_count(one.data) + above;
      });
  EXPECT_EQ(print_line(request), "onednn-static-reshape f32[] i64[4294967297] special_zero=true");
}

// In parts, since requests of very many sizes or values have as many candidates.
class SimplerOf : public testing::TestWithParam<int> {};
TEST_P(SimplerOf, KeepsTheClassAndEnds) {
  SeededChoices choices(static_cast<std::uint64_t>(GetParam()));
  for (int draw = 0; draw < 50; ++draw) {
    const Dialect& dialect = choices.one_of(declared_dialects());
    const Generated generated = generate(dialect, {}, choices);
    Request request = generated.request;
    int steps = 0;
    for (std::vector<Request> next = simpler(dialect, request); !next.empty();
         next = simpler(dialect, request)) {
      for (const Request& candidate : next) {
        ASSERT_EQ(class_of(dialect, candidate), generated.aim) << print_line(candidate);
        ASSERT_TRUE(parse_line(print_line(candidate)).ok()) << print_line(candidate);
      }
      request = choices.one_of(next);
      ASSERT_LT(++steps, 2000) << print_line(generated.request);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, SimplerOf, testing::Range(13, 33));

}  // namespace
}  // namespace reshape::conformance
