#include "conformance/translation/port.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/oracle/ruling_of.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

const Dialect& dialect(const std::string& name) { return built_in_suite().document(name)->dialect; }

PortQuestion question(const std::string& from, const std::string& pattern) {
  PortQuestion asked;
  const auto line = parse_line("f32[] " + pattern, from);
  EXPECT_TRUE(line.ok()) << pattern;
  asked.asked = *line;
  return asked;
}

Port ported(const std::string& from, const std::string& to, const PortQuestion& asked) {
  const auto found = port(dialect(from), dialect(to), asked);
  EXPECT_TRUE(found.ok()) << found.error().text();
  return found.ok() ? *found : Port{};
}

std::string line_of(const Port& found) {
  return found.request ? print_line(*found.request) : "none at " + text(found.at);
}

// An independent implementation: whether `source` permits every outcome that `target` permits.
bool allows(const Ruling& source, const Ruling& target) {
  if (target.kind == Ruling::Kind::rejects) return source.permits_rejecting();
  if (target.kind == Ruling::Kind::produces) return source.permits(target.shape);
  if (source.kind != Ruling::Kind::unspecified) return false;
  for (const PermittedShape& shape : target.permitted) {
    if (std::ranges::count(source.permitted, shape) == 0) return false;
  }
  return source.may_reject || !target.may_reject;
}

bool answers_alike(const Dialect& from, const Dialect& to, const PortQuestion& asked,
                   Request candidate, const PortWorld& world) {
  Request source = asked.asked;
  source.dialect = from.name;
  return std::ranges::all_of(world.shapes, [&](const Shape& shape) {
    source.data = candidate.data = shape;
    const Ruling wanted = ruling_of(from, source);
    if (asked.valid_only && wanted.kind != Ruling::Kind::produces) return true;
    return allows(wanted, ruling_of(to, candidate));
  });
}

std::vector<std::vector<PatternValue>> patterns(std::size_t most, int low, int high) {
  std::vector<std::vector<PatternValue>> all = {{}};
  for (std::size_t begin = 0, length = 0; length < most; ++length) {
    for (const std::size_t end = all.size(); begin < end; ++begin) {
      for (int value = low; value <= high; ++value) {
        all.push_back(all[begin]);
        all.back().push_back(value);
      }
    }
  }
  return all;
}

std::vector<std::optional<bool>> flags(const Dialect& one) {
  if (one.zero != ZeroRule::by_flag) return {std::nullopt};
  return {std::nullopt, true, false};
}

// Ports every pattern of up to two values between all documents with different rules. A pattern
// that is found must be right for every shape; where none is found, no pattern of up to three
// values may be right.
class PortOfEverything : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(PortOfEverything, IsRightOrThereIsNone) {
  const auto& [from, to] = GetParam();
  int found_some = 0;
  int found_none = 0;
  for (const std::vector<PatternValue>& values : patterns(2, -2, 2)) {
    for (const std::optional<bool>& flag : flags(dialect(from))) {
      for (const bool valid_only : {false, true}) {
        PortQuestion asked;
        asked.asked.dialect = from;
        asked.asked.pattern.values = values;
        asked.asked.special_zero = flag;
        asked.valid_only = valid_only;
        const auto found = port(dialect(from), dialect(to), asked);
        if (!found) continue;  // no data shape is valid for this pattern
        const PortWorld world = port_world(asked.asked.pattern, std::nullopt);
        if (found->request) {
          ++found_some;
          EXPECT_TRUE(answers_alike(dialect(from), dialect(to), asked, *found->request, world))
              << text(asked.asked.pattern) << " to " << print_line(*found->request);
          continue;
        }
        ++found_none;
        Request candidate;
        candidate.dialect = to;
        for (const std::vector<PatternValue>& other : patterns(3, -2, 3)) {
          candidate.pattern.values = other;
          for (const std::optional<bool>& other_flag : flags(dialect(to))) {
            candidate.special_zero = other_flag;
            EXPECT_FALSE(answers_alike(dialect(from), dialect(to), asked, candidate, world))
                << text(asked.asked.pattern) << " has " << print_line(candidate);
          }
        }
      }
    }
  }
  EXPECT_GT(found_some, 0);
  if (from == to) {
    EXPECT_EQ(found_none, 0);
  }
  if (from == "onnx-reshape-13" && to == "numpy-reshape") {
    EXPECT_GT(found_none, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Port, PortOfEverything,
    testing::Combine(testing::Values("numpy-reshape", "onnx-reshape-13", "onnx-reshape-14",
                                     "openvino-reshape-1", "onednn-graph-static-reshape-1"),
                     testing::Values("numpy-reshape", "onnx-reshape-13", "onnx-reshape-14",
                                     "openvino-reshape-1", "stablehlo-reshape")));

TEST(Port, AFlagIsWrittenInTheWordsOfTheTarget) {
  EXPECT_EQ(line_of(ported("onnx-reshape-14", "openvino-reshape-1",
                           question("onnx-reshape-14", "i64[0,3] allowzero=0"))),
            "openvino-reshape-1 f32[] i64[0,3] special_zero=true shape_only=true");
}

TEST(Port, ACopyIsWrittenAsWhatIsKnownOfTheData) {
  PortQuestion asked = question("onnx-reshape-13", "i64[0,-1]");
  asked.valid_only = true;
  EXPECT_FALSE(ported("onnx-reshape-13", "numpy-reshape", asked).request);
  asked.data = PartialShape{2, std::nullopt, 3};
  EXPECT_EQ(line_of(ported("onnx-reshape-13", "numpy-reshape", asked)),
            "numpy-reshape f32[] i64[2,-1] shape_only=true");
  asked.data = PartialShape{std::nullopt, 3};
  EXPECT_EQ(line_of(ported("onnx-reshape-13", "numpy-reshape", asked)),
            "numpy-reshape f32[] i64[-1,3] shape_only=true");
}

// No u64 is -1, and no i8 is 200.
TEST(Port, ThePatternTakesAWiderTypeWhereItsOwnLacksTheValue) {
  PortQuestion asked = question("openvino-reshape-1", "u64[0,3] special_zero=true");
  asked.valid_only = true;
  asked.data = PartialShape{std::nullopt, 3};
  EXPECT_EQ(line_of(ported("openvino-reshape-1", "numpy-reshape", asked)),
            "numpy-reshape f32[] i64[-1,3] shape_only=true");
  asked = question("openvino-reshape-1", "i8[0,0] special_zero=true");
  asked.data = PartialShape{200, 300};
  EXPECT_EQ(line_of(ported("openvino-reshape-1", "numpy-reshape", asked)),
            "numpy-reshape f32[] i64[-1,300] shape_only=true");
  // What its own type has keeps that type.
  asked.data = PartialShape{20, 30};
  EXPECT_EQ(line_of(ported("openvino-reshape-1", "numpy-reshape", asked)),
            "numpy-reshape f32[] i8[-1,30] shape_only=true");
}

// There are 4^12 candidates, and the first one is right.
TEST(Port, MakesNoMoreCandidatesThanItTries) {
  PortQuestion asked =
      question("openvino-reshape-1", "i64[2,3,4,5,6,7,8,9,10,11,12,-2] special_zero=true");
  asked.data = PartialShape{2, 3};
  const Port found = ported("openvino-reshape-1", "onnx-reshape-14", asked);
  EXPECT_EQ(line_of(found),
            "onnx-reshape-14 f32[] i64[2,3,4,5,6,7,8,9,10,11,12,-2] allowzero=0 shape_only=true");
  EXPECT_EQ(found.candidates, 1u);
}

// [0,0], [0,-1] and [-1,0], of which u64 has the first only.
TEST(Port, TriesAPatternInOneTypeOnly) {
  for (const std::string pattern : {"i64[0,0] special_zero=true", "u64[0,0] special_zero=true"}) {
    PortQuestion asked = question("openvino-reshape-1", pattern);
    asked.valid_only = true;
    const Port none = ported("openvino-reshape-1", "numpy-reshape", asked);
    EXPECT_FALSE(none.request) << pattern;
    EXPECT_EQ(none.candidates, 3u) << pattern;
  }
}

TEST(Port, SaysWhereNoPatternDoesIt) {
  const Port none =
      ported("onnx-reshape-13", "numpy-reshape", question("onnx-reshape-13", "i64[0,0]"));
  ASSERT_FALSE(none.request);
  ASSERT_TRUE(none.nearest);
  // At `at`, the source does not permit the answer of the nearest pattern.
  EXPECT_FALSE(allows(none.source_answers, none.nearest_answers));
  EXPECT_EQ(none.nearest->data, none.at);
}

// What nobody could have meant is ported like everything, and said.
TEST(Port, SaysWhereTheSourceRefusesEverything) {
  PortQuestion asked;
  asked.asked = *parse_line("openvino-reshape-1 f32[] i64[0,0]");
  EXPECT_EQ(port(dialect("openvino-reshape-1"), dialect("numpy-reshape"), asked)->refused_for,
            "special-zero.required");
  asked.asked.special_zero = true;
  EXPECT_EQ(port(dialect("openvino-reshape-1"), dialect("onnx-reshape-14"), asked)->refused_for,
            "");
}

TEST(Port, SaysWhereTheTargetRefusesEverything) {
  const Port found = ported("onnx-reshape-5", "openvino-reshape-1",
                            question("onnx-reshape-5", "i64[2,3] pattern_shape=[2,1]"));
  EXPECT_EQ(found.refused_for, "");
  EXPECT_EQ(found.target_refuses_for, "special-zero.required");
}

// Many sizes make too many shapes for each axis to have them all.
TEST(Port, AsksDataOfALongPatternsVolume) {
  const Port none =
      ported("numpy-reshape", "stablehlo-reshape", question("numpy-reshape", "i64[5,6,7,8,-1]"));
  EXPECT_FALSE(none.request) << print_line(*none.request);
  EXPECT_EQ(ported("numpy-reshape", "onnx-reshape-13", question("numpy-reshape", "i64[4,5,6,7,8]"))
                .refused_for,
            "");
}

TEST(Port, NeedsTypesThatTheTargetHas) {
  PortQuestion asked = question("numpy-reshape", "i64[1]");
  asked.asked.data_type = ElementType::f64;
  Dialect narrow = dialect("numpy-reshape");
  narrow.name = "narrow";
  narrow.data_types = {ElementType::f32};
  EXPECT_EQ(port(dialect("numpy-reshape"), narrow, asked).error().text(),
            "narrow has no data of f64");
  asked.asked.pattern.values.assign(kMostValues + 1, 1);
  EXPECT_EQ(port(dialect("numpy-reshape"), narrow, asked).error().text(),
            "a pattern of 13 values is longer than 12");
}

TEST(PortWorld, HasTheSizesThatThePatternNames) {
  const PortWorld world = port_world({ElementType::i64, {-1, 12}}, PartialShape{std::nullopt, 3});
  EXPECT_EQ(world.shapes.size(), 7u);  // 0 1 2 3 4 6 12
  EXPECT_EQ(world.shapes.front(), (Shape{0, 3}));
  EXPECT_EQ(world.shapes.back(), (Shape{12, 3}));
  EXPECT_EQ(world.says, "of that form with sizes [0,1,2,3,4,6,12]");
  EXPECT_LT(port_world({ElementType::i64, std::vector<PatternValue>(12, 1000)}, {}).shapes.size(),
            200'000u);
}

TEST(PortWorld, HasDataOfThePatternsVolumeHoweverManySizesItNames) {
  const PortWorld world = port_world({ElementType::i64, {5, 6, 7, 8, -1}}, {});
  const auto has = [&](const Shape& shape) { return std::ranges::count(world.shapes, shape) == 1; };
  EXPECT_TRUE(has({1680}));
  EXPECT_TRUE(has({5, 1, 1, 336}));
  EXPECT_TRUE(has({2, 3, 2, 0, 1}));
  EXPECT_LT(world.shapes.size(), 200'000u);
  EXPECT_TRUE(world.says.ends_with("and its divisors")) << world.says;
}

}  // namespace
}  // namespace reshape::conformance
