#include "conformance/command/import_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

const IrReshape kPlain{{2, 3}, {3, -1}, "true", {3, 2}};

TEST_F(Import, ThePublishedExamplesAreTheirFiveCases) {
  for (const int version : {10, 11}) {
    const std::string out = output_of({folder_.write(IrText(published_examples(), version))});
    const std::vector<Case> imported = cases_of(out);
    ASSERT_EQ(imported.size(), 5U) << out;
    const CaseList& suite = built_in_suite().document("openvino-reshape-1")->cases;
    for (std::size_t number = 0; number < imported.size(); ++number) {
      const std::string id = "openvino-reshape-1/example-" + std::to_string(number + 1);
      const auto example = std::ranges::find(suite, id, &Case::id);
      ASSERT_NE(example, suite.end()) << id;
      EXPECT_EQ(imported[number].request, example->request) << id;
      EXPECT_EQ(imported[number].expect, example->expect) << id;
    }
    EXPECT_FALSE(has(out, "Not what the document says")) << out;
  }
}

TEST_F(Import, FoldsDuplicatesByWeightAndSaysWhereTheyAre) {
  const IrReshape other{{4}, {2, 2}, "true", {2, 2}};
  const std::string out = output_of({folder_.write(IrText({other, kPlain, kPlain, kPlain}))});
  EXPECT_TRUE(
      out.starts_with("# Imported from model.xml, an OpenVINO IR of version 11: 2 cases of 4 "
                      "Reshape layers, of 4 in "
                      "all; the most frequent is first.\n\noutput.shape, content.kept:\n"
                      "  # weight: 3 layers\n"
                      "  model-1:\n"
                      "    ask: openvino-reshape-1 f32[2,3] i64[3,-1] special_zero=true\n"
                      "    expect: produces [3,2]\n"
                      "    source: \"model.xml, layer fold5 (id 5)\"\n"
                      "  # weight: 1 layer\n  model-2:\n"))
      << out;
  EXPECT_EQ(cases_of(out).size(), 2U);
}

TEST_F(Import, WhatTheSuiteAsksAlreadyIsLeftOut) {
  const std::string specs = documents_alone();
  const std::string first = specs + "/cases/first.yaml", second = specs + "/cases/second.yaml";
  const IrReshape other{{4}, {2, 2}, "true", {2, 2}};
  const std::string path = folder_.write(IrText({kPlain, kPlain, other}));
  const std::string all = output_of({path, "--specs", specs, "-o", first});
  expect_in(all, "2 cases of 3 Reshape layers, of 3 in all");
  EXPECT_FALSE(has(all, "Left out")) << all;

  const Ended nothing = import({path, "--specs", specs, "-o", second});
  EXPECT_EQ(nothing.exit_code, 4);
  expect_in(nothing.err,
            "of 3 Reshape layers in model.xml, an OpenVINO IR of version 11, none states a "
            "request that the suite does not ask: nothing is written\n"
            "Left out, asked by the suite already: 3 layers, the first is layer fold2 (id 2).\n");
  EXPECT_FALSE(fs::exists(second));

  folder_.write(IrText({kPlain, {{6}, {2, 3}, "true", {2, 3}}}));
  const std::string more = output_of({path, "--specs", specs, "-o", second});
  expect_in(more,
            "1 case of 1 Reshape layer, of 2 in all; the most frequent is first.\n"
            "Left out, asked by the suite already: 1 layer, the first is layer fold2 (id 2).\n");
  const Result<Suite> suite = load_suite(specs);
  ASSERT_TRUE(suite.ok()) << suite.error().text();
  EXPECT_EQ(suite->document("openvino-reshape-1")->cases.size(), 3U);
  EXPECT_EQ(import({path, "--specs", specs + "/none"}).exit_code, 2);
}

TEST_F(Import, CountsWhatTheModelDoesNotSay) {
  IrReshape open = kPlain;
  open.data = {-1, 3};
  const std::string path = folder_.write(IrText({open, kPlain, open}));
  const std::string out = output_of({path, "-o", folder_.path("cases.yaml")});
  expect_in(out, "1 case of 1 Reshape layer, of 3 in all");
  expect_in(out,
            "Left out, dynamic dimensions of the data: 2 layers, the first is layer fold2 "
            "(id 2).\n");
  EXPECT_EQ(cases_of(text_of(folder_.path("cases.yaml"))).size(), 1U);
}

TEST_F(Import, WritesNothingWhereNoLayerStatesARequest) {
  IrReshape open = kPlain;
  open.data = {-1, 3};
  const Ended ended = import({folder_.write(IrText({open})), "-o", folder_.path("cases.yaml")});
  EXPECT_EQ(ended.exit_code, 4);
  expect_in(ended.err, "of 1 Reshape layer in ");
  expect_in(ended.err, ", none states a request: nothing is written\nLeft out, dynamic ");
  const Ended none = import({folder_.write(IrText({}))});
  EXPECT_EQ(none.exit_code, 4);
  expect_in(none.err, ", has no Reshape layer: nothing is written\n");
  expect_in(ended.err, "Left out, dynamic dimensions");
  EXPECT_EQ(names(), (std::vector<std::string>{"model.bin", "model.xml"}));
}

TEST_F(Import, TheAnswerIsTheDocumentsAndNotTheModels) {
  IrReshape wrong = kPlain;
  wrong.output = {2, 3};
  const std::string out = output_of({folder_.write(IrText({wrong, {{2, 3}, {4, -1}, "true"}}))});
  expect_in(out,
            "# Not what the document says is the output of 1 layer: the first, layer fold2 "
            "(id 2) says [2,3], the document produces [3,2].\n");
  expect_in(out, "\nminus-one.divides:\n  # weight: 1 layer\n  model-2:\n");
  EXPECT_EQ(cases_of(out).size(), 2U);
}

TEST_F(Import, WhatIsTooLargeToExecuteIsAskedForItsShape) {
  const std::string out =
      output_of({folder_.write(IrText({{{2000000000, 2000000000, 2000000000}, {0, 0, -1}, "true"},
                                       {{30000, 30000}, {0, 0, 1}, "true"},
                                       kPlain}))});
  const std::vector<Case> cases = cases_of(out);
  ASSERT_EQ(cases.size(), 3U) << out;
  EXPECT_EQ(std::ranges::count_if(cases, [](const Case& one) { return one.request.shape_only; }), 2)
      << out;
}

TEST_F(Import, NamesOfOthersStayWithinTheirLine) {
  IrText text({kPlain});
  text.spoil("name=\"fold2\"", "name=\"a&quot;&#10;evil: \\&#10;\"");
  folder_.write("model.bin", text.bin);
  const std::string path = folder_.write("ResNet 50 \"x\".xml", text.xml);
  const std::string out = output_of({path, "--bin", folder_.path("model.bin")});
  expect_in(out, "\n  resnet-50-x-1:\n");
  EXPECT_EQ(cases_of(out).size(), 1U);
}

TEST_F(Import, AMistakeIsOneSentenceAndNothingIsWritten) {
  const std::string path = folder_.write(IrText({kPlain}).spoil("offset=\"0\"", "offset=\"8\""));
  const Ended ended = import({path, "-o", folder_.path("cases.yaml")});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err, path + ":8: 16 bytes at offset 8 do not lie in " +
                           folder_.path("model.bin") + ", which has 16\n");
  EXPECT_EQ(names(), (std::vector<std::string>{"model.bin", "model.xml"}));
}

TEST_F(Import, DoesNotWriteOverWhatItReads) {
  const IrText text({kPlain});
  const std::string path = folder_.write(text);
  for (const std::string& output : {path, folder_.path("./model.bin")}) {
    const Ended ended = import({path, "--bin", folder_.path("model.bin"), "-o", output});
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_EQ(ended.err, "-o names " + output + ", which it reads\n");
  }
  const Ended beside = import({path, "-o", folder_.path("model.bin")});
  EXPECT_EQ(beside.exit_code, 2);
  EXPECT_EQ(fs::file_size(folder_.path("model.bin")), text.bin.size());
  EXPECT_EQ(import({path, "-o", folder_.path("none/cases.yaml")}).exit_code, 2);
}

}  // namespace
}  // namespace reshape::conformance
