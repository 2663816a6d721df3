#include <gtest/gtest.h>

#include <string>

#include "conformance/command/import_test.h"
#include "conformance/models/testing/onnx_build.h"

namespace reshape::conformance {
namespace {

TEST_F(Import, AnOnnxModelGivesCasesOfItsOperatorSet) {
  for (const int set : {1, 5, 13, 14, 19, 21, 23, 24, 25}) {
    const ::onnx::ModelProto model = reshape_model(set, {2, 3}, {3, -1});
    const std::string out =
        output_of({folder_.write("Some model.onnx", model.SerializeAsString())});
    const std::string dialect = "onnx-reshape-" + std::to_string(set);
    EXPECT_EQ(out, "# Imported from Some model.onnx, an ONNX model of operator set " +
                       std::to_string(set) +
                       ": 1 case of 1 Reshape node, of 1 in all; the most frequent is first.\n\n"
                       "output.shape, content.kept:\n  # weight: 1 node\n  some-model-1:\n"
                       "    ask: " +
                       dialect +
                       " f32[2,3] i64[3,-1]\n    expect: produces [3,2]\n"
                       "    source: \"Some model.onnx, node fold (id 0)\"\n");
    const std::vector<Case> cases = cases_of(out);
    ASSERT_EQ(cases.size(), 1U);
    EXPECT_EQ(cases[0].request.dialect, dialect);
  }
}

TEST_F(Import, NodesOfAnOnnxModelAreFoldedAndComparedWithTheDocument) {
  ::onnx::ModelProto model = reshape_model(14, {2, 3}, {4, -1});
  ::onnx::GraphProto& graph = *model.mutable_graph();
  add_list(*graph.add_initializer(), "six", {6});
  add_node(graph, "Reshape", {"data", "six"}, "flat").set_name("flat");
  add_node(graph, "Reshape", {"data", "six"}, "flat2");
  add_info(*graph.add_output(), "flat2", kOnnxFloat, {3, 2});
  add_node(graph, "Reshape", {"unknown", "six"}, "flat3");
  add_node(graph, "Relu", {"data"}, "unknown");
  const std::string out = output_of({folder_.write("m.onnx", model.SerializeAsString())});
  expect_in(out, ": 2 cases of 3 Reshape nodes, of 4 in all;");
  expect_in(out,
            "# Left out, no type and no dimensions of the data, which shape inference would "
            "have written: 1 node, the first is node flat3 (id 3).\n"
            "# Not what the document says is the output of 1 node: the first, node flat2 (id "
            "2) says [3,2], the document produces [6].\n\n"
            "output.shape, content.kept:\n  # weight: 2 nodes\n");
  expect_in(out, "\nminus-one.divides:\n  # weight: 1 node\n");
  EXPECT_EQ(cases_of(out).size(), 2U);
}

TEST_F(Import, AnOnnxModelIsNotWrittenOver) {
  ::onnx::ModelProto model = reshape_model(13, {6}, {6});
  ::onnx::TensorProto& pattern = *model.mutable_graph()->mutable_initializer(0);
  put_elsewhere(pattern, {{"location", "m.data"}});
  const std::string data = folder_.write("m.data", std::string("\6\0\0\0\0\0\0\0", 8));
  const std::string path = folder_.write("m.onnx", model.SerializeAsString());
  for (const std::string& output : {path, data}) {
    const Ended ended = import({path, "-o", output});
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_EQ(ended.err, "-o names " + output + ", which it reads\n");
  }
  EXPECT_EQ(std::filesystem::file_size(data), 8U);
}

TEST_F(Import, ABrokenOnnxModelIsOneSentence) {
  const std::string path = folder_.write("m.onnx", "no model");
  const Ended ended = import({path, "-o", folder_.path("cases.yaml")});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.err, path +
                           ": no ONNX model: its protobuf ends too early, is malformed, or is "
                           "nested too deeply\n");
  EXPECT_EQ(names(), std::vector<std::string>{"m.onnx"});
}

}  // namespace
}  // namespace reshape::conformance
