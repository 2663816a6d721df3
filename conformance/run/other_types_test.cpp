#include "conformance/run/other_types.h"

#include <gtest/gtest.h>

#include "conformance/run/case_ids.h"
#include "conformance/run/testing/small_suite.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Ids = std::vector<std::string>;

class OtherTypes : public ::testing::Test {
 protected:
  static Capabilities with(ElementTypes data, ElementTypes pattern = {ElementType::i64}) {
    Capabilities capabilities = testing::everything();
    capabilities.element_types = data;
    capabilities.pattern_types = pattern;
    return capabilities;
  }

  const Dialect& dialect() const { return suite.documents[0].dialect; }
  Case plain() const { return suite.documents[0].cases[0]; }

  // The types in which a case is asked, or "as written".
  std::string asked(const Case& one, const Capabilities& capabilities) const {
    const std::optional<Case> other = in_declared_types(one, dialect(), capabilities);
    return other ? other->id.substr(one.id.size()) : "as written";
  }

  Ids planned(const Capabilities& capabilities) const {
    std::vector<const Case*> cases = *select(suite, {});
    std::deque<Case> own;
    ask_in_declared_types(suite, capabilities, cases, own);
    Ids ids;
    for (const Case* one : cases) ids.push_back(one->id);
    return ids;
  }

  Suite suite = testing::small_suite();
};

TEST_F(OtherTypes, OfAnImplementationOfOneTypeEveryCaseIsInThatType) {
  Capabilities bytes = with({ElementType::i8});
  bytes.dialects = {"one"};
  // Integers and booleans are what two cases are about, and document two is not declared.
  EXPECT_EQ(planned(bytes),
            (Ids{"one/plain~i8", "one/wide", "one/empty~i8", "one/too-many~i8", "one/open",
                 "two/plain", "two/wide", "two/empty", "two/too-many", "two/open"}));
}

TEST_F(OtherTypes, WhatIsDeclaredIsAskedAsItIsWritten) {
  const Ids written = planned(testing::everything());
  EXPECT_EQ(written.front(), "one/plain");
  for (const std::string& id : written) EXPECT_EQ(id.find(kInstead), std::string::npos) << id;
}

TEST_F(OtherTypes, TheRequestAndTheIdTellTheTypes) {
  const std::optional<Case> other = in_declared_types(
      plain(), dialect(), with({ElementType::f16}, {ElementType::i32, ElementType::i16}));
  ASSERT_TRUE(other);
  EXPECT_EQ(other->id, "one/plain~f16~i32-pattern");
  EXPECT_EQ(other->written_id(), "one/plain");
  EXPECT_EQ(print_line(other->request), "one f16[2,3] i32[3,2] special_zero=true");
  EXPECT_EQ(other->expect, plain().expect);
  EXPECT_FALSE(other->as_written());
  EXPECT_TRUE(plain().as_written());
}

TEST_F(OtherTypes, TheNearestWidthServesBest) {
  using enum ElementType;
  EXPECT_EQ(asked(plain(), with({f64, f16, i32, boolean})), "~i32");
  EXPECT_EQ(asked(plain(), with({f64, i16, f16, u8})), "~f16");
  EXPECT_EQ(asked(plain(), with({f64, u8})), "~u8");
  EXPECT_EQ(asked(plain(), with({f64})), "~f64");
  EXPECT_EQ(asked(plain(), with({boolean})), "as written");  // the document leaves booleans open
}

TEST_F(OtherTypes, WhatAnotherTypeCannotHoldStaysAsWritten) {
  using enum ElementType;
  Case odd = plain();
  odd.request.offset = 3;
  EXPECT_EQ(asked(odd, with({i4})), "as written");
  EXPECT_EQ(asked(plain(), with({i4})), "~i4");
  Case large = plain();
  large.request.data = {1 << 10, 1 << 10};
  EXPECT_EQ(asked(large, with({f64})), "as written");  // it would be twice as large
  EXPECT_EQ(asked(large, with({f16})), "~f16");
  Case far = plain();
  far.request.out_strides = {1 << 30, 1};
  EXPECT_EQ(asked(far, with({f64})), "as written");
  EXPECT_EQ(asked(far, with({u8})), "~u8");
  large.request.shape_only = true;
  EXPECT_EQ(asked(large, with({f64})), "~f64");
  Case values = plain();
  values.request.pattern.values = {1000};
  EXPECT_EQ(asked(values, with({f32}, {i8})), "as written");
  EXPECT_EQ(asked(values, with({f32}, {i8, i16})), "~i16-pattern");
}

TEST_F(OtherTypes, WhatIsAboutTypesStaysAsWritten) {
  using enum ElementType;
  Case elements = plain();
  elements.request.elements = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(asked(elements, with({i8})), "as written");
  Case bytes = plain();
  bytes.request.data_type = u8;
  EXPECT_EQ(asked(bytes, with({i8})), "as written");
  Case narrow = plain();
  narrow.request.pattern.type = i8;
  EXPECT_EQ(asked(narrow, with({f32}, {i16})), "as written");
  Case refused = plain();
  refused.expect = Ruling::rejects("data.type");
  EXPECT_EQ(asked(refused, with({i8})), "as written");
  refused.expect = Ruling::rejects("pattern.type");
  EXPECT_EQ(asked(refused, with({f32}, {i32})), "as written");
}

TEST_F(OtherTypes, OneCaseOfALineIsEnough) {
  const auto of = [&](const std::string& name, ElementType type) {
    return testing::small_case("one", name, type, {4}, {2, 2}, Ruling::produces({2, 2}),
                               {"output.shape"});
  };
  suite.documents.resize(1);
  suite.documents[0].cases =
      std::vector<Case>{of("some.f32", ElementType::f32), of("some.u8", ElementType::u8),
                        of("none.f64", ElementType::f64), of("none.f32", ElementType::f32)};
  EXPECT_EQ(planned(with({ElementType::u8})),
            (Ids{"one/some.f32", "one/some.u8", "one/none.f64", "one/none.f32~u8"}));
}

TEST_F(OtherTypes, AnIdLeadsBackToItsCase) {
  for (const std::string id :
       {"one/plain~i8", "one/plain~i32-pattern", "two/wide~f16~u8-pattern"}) {
    const std::optional<Case> other = case_in_other_types(suite, id);
    ASSERT_TRUE(other) << id;
    EXPECT_EQ(other->id, id);
  }
  EXPECT_EQ(print_line(case_in_other_types(suite, "two/wide~f16~u8-pattern")->request),
            "two f16[4] u8[2,2] special_zero=true");
  for (const std::string id :
       {"one/plain", "one/plain~", "one/plain~f32", "one/plain~i8~i8", "one/plain~i8-pattern~i8",
        "one/plain~i88", "one/other~i8", "three/plain~i8", "one/plain~-pattern"}) {
    EXPECT_FALSE(case_in_other_types(suite, id)) << id;
  }
}

TEST_F(OtherTypes, PatternsOfIdsFindTheWrittenCases) {
  CaseIds ids(suite);
  const std::vector<std::string_view> one = ids.that_fit("one/plain~i8");
  EXPECT_EQ(Ids(one.begin(), one.end()), Ids{"one/plain~i8"});
  EXPECT_EQ(ids.that_fit("*/p*~i8").size(), 2u);
  EXPECT_TRUE(ids.that_fit("one/gone~i8").empty());
}

TEST(Stem, IsWhatTheCasesOfALineShare) {
  EXPECT_EQ(stem("count-65.f32"), "count-65");
  EXPECT_EQ(stem("count-65.f32~i8"), "count-65");
  EXPECT_EQ(stem("copy-first~i8~i32-pattern"), "copy-first");
  EXPECT_EQ(stem("version-1.2"), "version-1.2");
}

}  // namespace
}  // namespace reshape::conformance
