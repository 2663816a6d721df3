#include "conformance/models/onnx_model.h"

#include <gtest/gtest.h>

#include "conformance/models/any_model.h"
#include "conformance/models/testing/ir_text.h"
#include "conformance/models/testing/onnx_build.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

class OnnxModel : public testing::Test {
 protected:
  Model read(const ::onnx::ModelProto& made) const {
    const Result<Model> model = read_onnx(folder_.write("model.onnx", made.SerializeAsString()));
    EXPECT_TRUE(model.ok()) << model.error().text();
    return model ? *model : Model{};
  }
  // The request of a model of one Reshape.
  std::string request(const ::onnx::ModelProto& made) const {
    const Model model = read(made);
    if (model.reshapes.size() == 1) return print_line(model.reshapes[0].request);
    return model.unstated.empty() ? "none" : std::string(text(model.unstated[0].why));
  }
  // Why the one Reshape of a model states no request.
  std::string why(const ::onnx::ModelProto& made) const {
    const Model model = read(made);
    if (!model.reshapes.empty() || model.unstated.size() != 1) return "it does";
    return std::string(text(model.unstated[0].why));
  }
  static ::onnx::ModelProto plain() { return reshape_model(13, {2, 3}, {3, -1}); }

  ModelFolder folder_;
};

TEST_F(OnnxModel, ReadsAReshapeAndItsPlace) {
  ::onnx::ModelProto made = plain();
  add_info(*made.mutable_graph()->add_output(), "reshaped", kOnnxFloat, {3, 2});
  const Model model = read(made);
  EXPECT_EQ(model.form, "an ONNX model of operator set 13");
  EXPECT_EQ(model.word, "node");
  EXPECT_EQ(model.files, std::vector<std::string>{folder_.path("model.onnx")});
  ASSERT_EQ(model.reshapes.size(), 1U);
  const ModelReshape& one = model.reshapes[0];
  EXPECT_EQ(print_line(one.request), "onnx-reshape-13 f32[2,3] i64[3,-1]");
  EXPECT_EQ(one.layer.name, "fold");
  EXPECT_EQ(one.layer.id, "0");
  EXPECT_EQ(one.layer.where, folder_.path("model.onnx") + ", node 0 (fold)");
  EXPECT_EQ(one.output, (Shape{3, 2}));
}

TEST_F(OnnxModel, TheOperatorSetSaysTheDocument) {
  const auto document = [&](std::int64_t set) {
    const std::string line = request(reshape_model(set, {2, 3}, {3, -1}));
    return line.substr(0, line.find(' '));
  };
  const std::vector<std::pair<std::int64_t, std::string>> sets = {
      {1, "1"},   {4, "1"},   {5, "5"},   {12, "5"},  {13, "13"}, {14, "14"}, {18, "14"},
      {19, "19"}, {20, "19"}, {21, "21"}, {22, "21"}, {23, "23"}, {24, "24"}, {25, "25"}};
  for (const auto& [set, version] : sets) {
    EXPECT_EQ(document(set), "onnx-reshape-" + version) << set;
  }
  EXPECT_EQ(why(reshape_model(26, {2, 3}, {3, -1})), text(Unstated::other_operation));
  ::onnx::ModelProto old = reshape_model(1, {2, 3}, {3, -1});
  old.set_ir_version(2);
  old.clear_opset_import();
  EXPECT_EQ(request(old), "onnx-reshape-1 f32[2,3] i64[3,-1]");
}

TEST_F(OnnxModel, ReadsTheFlagInItsOwnSense) {
  EXPECT_EQ(request(reshape_model(14, {0, 3}, {0, 4}, 1)),
            "onnx-reshape-14 f32[0,3] i64[0,4] allowzero=1");
  EXPECT_EQ(request(reshape_model(14, {0, 3}, {0, 4}, 0)),
            "onnx-reshape-14 f32[0,3] i64[0,4] allowzero=0");
  EXPECT_EQ(request(reshape_model(14, {0, 3}, {0, 4})), "onnx-reshape-14 f32[0,3] i64[0,4]");
}

TEST_F(OnnxModel, ReadsPatternsOfEveryForm) {
  ::onnx::ModelProto raw = plain();
  ::onnx::TensorProto& tensor = *raw.mutable_graph()->mutable_initializer(0);
  tensor.clear_int64_data();
  tensor.set_raw_data(std::string("\x03\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16));
  EXPECT_EQ(request(raw), "onnx-reshape-13 f32[2,3] i64[3,-1]");
  tensor.set_data_type(22);  // int4
  tensor.set_raw_data("\xf3");
  EXPECT_EQ(request(raw), "onnx-reshape-13 f32[2,3] i4[3,-1]");
  tensor.clear_raw_data();
  tensor.add_int32_data(0xf3);
  EXPECT_EQ(request(raw), "onnx-reshape-13 f32[2,3] i4[3,-1]");
  tensor.set_data_type(13);  // uint64
  tensor.clear_int32_data();
  tensor.add_uint64_data(3);
  tensor.add_uint64_data(~std::uint64_t{0});
  EXPECT_EQ(request(raw), "onnx-reshape-13 f32[2,3] u64[3,18446744073709551615]");
  tensor.clear_dims();
  tensor.add_dims(1);
  tensor.add_dims(2);
  EXPECT_EQ(request(raw),
            "onnx-reshape-13 f32[2,3] u64[3,18446744073709551615] pattern_shape=[1,2]");
}

TEST_F(OnnxModel, ReadsPatternsOfConstantNodes) {
  ::onnx::ModelProto made = plain();
  ::onnx::GraphProto& graph = *made.mutable_graph();
  const ::onnx::TensorProto to = graph.initializer(0);
  graph.clear_initializer();
  ::onnx::NodeProto& constant = add_node(graph, "Constant", {}, "to");
  *add_attribute(constant, "value").mutable_t() = to;
  EXPECT_EQ(request(made), "onnx-reshape-13 f32[2,3] i64[3,-1]");
  constant.clear_attribute();
  ::onnx::AttributeProto& list = add_attribute(constant, "value_ints");
  list.add_ints(6);
  EXPECT_EQ(request(made), "onnx-reshape-13 f32[2,3] i64[6]");
  constant.clear_attribute();
  add_int(constant, "value_int", 6);
  EXPECT_EQ(request(made), "onnx-reshape-13 f32[2,3] i64[6] pattern_shape=[]");
  constant.clear_attribute();
  add_attribute(constant, "value_floats").add_floats(6);
  EXPECT_EQ(request(made), text(Unstated::pattern_type));
}

TEST_F(OnnxModel, ReadsPatternsInFilesOfItsFolder) {
  ::onnx::ModelProto made = plain();
  ::onnx::TensorProto& tensor = *made.mutable_graph()->mutable_initializer(0);
  put_elsewhere(tensor, {{"location", "model.data"}, {"offset", "8"}});
  EXPECT_EQ(why(made), text(Unstated::no_constants));
  folder_.write("model.data",
                std::string("otherwise\x03\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 25));
  put_elsewhere(tensor, {{"location", "model.data"}, {"offset", "9"}, {"length", "16"}});
  EXPECT_EQ(request(made), "onnx-reshape-13 f32[2,3] i64[3,-1]");
  EXPECT_EQ(read(made).files.size(), 2U);
}

TEST_F(OnnxModel, ReadsDataOfEveryOrigin) {
  ::onnx::ModelProto made = plain();
  ::onnx::GraphProto& graph = *made.mutable_graph();
  graph.clear_input();
  add_node(graph, "Relu", {"x"}, "data");
  EXPECT_EQ(why(made), text(Unstated::untyped_data));
  add_info(*graph.add_value_info(), "data", 10, {4, 6});
  EXPECT_EQ(request(made), "onnx-reshape-13 f16[4,6] i64[3,-1]");
  graph.mutable_node()->RemoveLast();
  graph.clear_value_info();
  add_list(*graph.add_initializer(), "data", {1, 2, 3});
  EXPECT_EQ(request(made), "onnx-reshape-13 i64[3] i64[3,-1]");
  graph.mutable_initializer(1)->clear_dims();
  EXPECT_EQ(request(made), "onnx-reshape-13 i64[] i64[3,-1]");
}

TEST_F(OnnxModel, SaysWhyAReshapeStatesNoRequest) {
  ::onnx::ModelProto made = plain();
  ::onnx::ValueInfoProto& input = *made.mutable_graph()->mutable_input(0);
  auto& type = *input.mutable_type()->mutable_tensor_type();
  type.mutable_shape()->mutable_dim(0)->set_dim_param("batch");
  EXPECT_EQ(why(made), text(Unstated::dynamic_data));
  type.mutable_shape()->mutable_dim(0)->clear_value();
  EXPECT_EQ(why(made), text(Unstated::dynamic_data));
  type.mutable_shape()->mutable_dim(0)->set_dim_value(-1);
  EXPECT_EQ(why(made), text(Unstated::dynamic_data));
  type.mutable_shape()->mutable_dim(0)->set_dim_value(2);
  type.set_elem_type(8);  // string
  EXPECT_EQ(why(made), text(Unstated::data_type));
  type.set_elem_type(kOnnxFloat);
  type.clear_shape();
  EXPECT_EQ(why(made), text(Unstated::unranked_data));
  ::onnx::ModelProto fed = plain();
  fed.mutable_graph()->clear_initializer();
  add_info(*fed.mutable_graph()->add_input(), "to", kOnnxInt64, {2});
  EXPECT_EQ(why(fed), text(Unstated::computed_pattern));
  ::onnx::ModelProto floats = plain();
  floats.mutable_graph()->mutable_initializer(0)->set_data_type(kOnnxFloat);
  EXPECT_EQ(why(floats), text(Unstated::pattern_type));
  ::onnx::ModelProto custom = plain();
  custom.mutable_graph()->mutable_node(0)->set_domain("com.example");
  EXPECT_EQ(why(custom), text(Unstated::other_operation));
  ::onnx::ModelProto nothing = reshape_model(1, {6}, {6});
  nothing.mutable_graph()->mutable_node(0)->clear_attribute();
  EXPECT_EQ(why(nothing), text(Unstated::no_pattern));
}

// Of one that is an input the caller may give another value, but for early models, in which every
// initializer is one.
TEST_F(OnnxModel, AnInitializerThatIsAnInputTooIsNoConstant) {
  ::onnx::ModelProto made = plain();
  ::onnx::GraphProto& graph = *made.mutable_graph();
  add_info(*graph.add_input(), "to", kOnnxInt64, {2});
  made.set_ir_version(4);
  EXPECT_EQ(why(made), text(Unstated::computed_pattern));
  made.set_ir_version(3);
  EXPECT_EQ(request(made), "onnx-reshape-13 f32[2,3] i64[3,-1]");

  ::onnx::ModelProto sparse = made;
  *sparse.mutable_graph()->add_sparse_initializer()->mutable_values() = graph.initializer(0);
  sparse.mutable_graph()->clear_initializer();
  EXPECT_EQ(why(sparse), text(Unstated::pattern_type));
  sparse.set_ir_version(8);
  EXPECT_EQ(why(sparse), text(Unstated::computed_pattern));

  // Its type holds for whatever the caller gives.
  ::onnx::ModelProto data = plain();
  add_list(*data.mutable_graph()->add_initializer(), "data", {1, 2, 3});
  data.mutable_graph()->clear_input();
  add_info(*data.mutable_graph()->add_input(), "data", kOnnxInt64, {3});
  EXPECT_EQ(request(data), "onnx-reshape-13 i64[3] i64[3,-1]");
  auto& type = *data.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
  type.mutable_shape()->mutable_dim(0)->set_dim_param("count");
  EXPECT_EQ(why(data), text(Unstated::dynamic_data));
}

TEST_F(OnnxModel, BothNamesOfTheDomainAreOne) {
  ::onnx::ModelProto made = plain();
  ::onnx::OperatorSetIdProto& again = *made.add_opset_import();
  again.set_domain("ai.onnx");
  again.set_version(13);
  EXPECT_EQ(request(made), "onnx-reshape-13 f32[2,3] i64[3,-1]");
}

// An exporter writes -1 for a size that it does not know.
TEST_F(OnnxModel, ASizeThatIsNotKnownContradictsNone) {
  ::onnx::ModelProto made = plain();
  ::onnx::GraphProto& graph = *made.mutable_graph();
  add_info(*graph.add_value_info(), "reshaped", kOnnxFloat, {3, 2});
  add_info(*graph.add_output(), "reshaped", kOnnxFloat, {-1, 2});
  EXPECT_EQ(request(made), "onnx-reshape-13 f32[2,3] i64[3,-1]");
  graph.mutable_output()->Clear();
  add_info(*graph.add_output(), "reshaped", kOnnxFloat, {-1, 3});
  EXPECT_FALSE(read_onnx(folder_.write("model.onnx", made.SerializeAsString())).ok());
}

TEST_F(OnnxModel, ReadsGraphsWithinNodesWithTheNamesAround) {
  ::onnx::ModelProto made = plain();
  ::onnx::GraphProto& graph = *made.mutable_graph();
  ::onnx::NodeProto& branch = add_node(graph, "If", {"data"}, "chosen");
  ::onnx::GraphProto& inner = *add_attribute(branch, "then_branch").mutable_g();
  add_node(inner, "Reshape", {"data", "to"}, "deep");
  add_list(*inner.add_initializer(), "own", {6});
  add_node(inner, "Reshape", {"data", "own"}, "deeper");
  const Model model = read(made);
  ASSERT_EQ(model.reshapes.size(), 3U);
  EXPECT_EQ(model.reshapes[0].request, model.reshapes[1].request);
  EXPECT_EQ(model.reshapes[2].layer.id, "1/then_branch/1");
  EXPECT_EQ(model.reshapes[2].layer.name, "deeper");
  EXPECT_EQ(print_line(model.reshapes[2].request), "onnx-reshape-13 f32[2,3] i64[6]");
}

// What is trained is seen by what trains it, and not by what begins the training.
TEST_F(OnnxModel, ReadsTheGraphsOfTraining) {
  ::onnx::ModelProto made = plain();
  ::onnx::TrainingInfoProto& training = *made.add_training_info();
  ::onnx::GraphProto& begin = *training.mutable_initialization();
  add_info(*begin.add_input(), "start", kOnnxFloat, {8});
  add_list(*begin.add_initializer(), "eight", {2, 4});
  add_node(begin, "Reshape", {"start", "eight"}, "started");
  const std::string data = made.graph().node(0).input(0);
  const std::string pattern = made.graph().node(0).input(1);
  add_node(*training.mutable_algorithm(), "Reshape", {data, pattern}, "step");
  const Model model = read(made);
  ASSERT_EQ(model.reshapes.size(), 3U);
  EXPECT_EQ(model.reshapes[1].layer.id, "training_info.0/initialization/0");
  EXPECT_EQ(print_line(model.reshapes[1].request), "onnx-reshape-13 f32[8] i64[2,4]");
  EXPECT_EQ(model.reshapes[2].layer.id, "training_info.0/algorithm/0");
  EXPECT_EQ(model.reshapes[2].request, model.reshapes[0].request);
}

TEST_F(OnnxModel, ValuesOfAFunctionHaveNoTypes) {
  ::onnx::ModelProto made = plain();
  add_reshape_function(made, {"x", "s"});
  const Model model = read(made);
  EXPECT_EQ(model.reshapes.size(), 1U);
  ASSERT_EQ(model.unstated.size(), 1U);
  EXPECT_EQ(model.unstated[0].why, Unstated::untyped_data);
  EXPECT_EQ(model.unstated[0].layer.id, "twice/0");
}

TEST_F(OnnxModel, TheFormatIsSeenAndNotNamed) {
  const std::string path = folder_.write("model.pb", plain().SerializeAsString());
  const Result<Model> onnx = read_model(path);
  ASSERT_TRUE(onnx.ok()) << onnx.error().text();
  EXPECT_EQ(onnx->form, "an ONNX model of operator set 13");
  const IrText text({{{2, 3}, {3, -1}, "true", {3, 2}}});
  folder_.write("renamed.bin", text.bin);
  const Result<Model> ir =
      read_model(folder_.write("renamed.onnx", "\n" + text.xml.substr(text.xml.find("<net"))));
  ASSERT_TRUE(ir.ok()) << ir.error().text();
  EXPECT_EQ(ir->form, "an OpenVINO IR of version 11");
  const Result<Model> both = read_model(path, path);
  ASSERT_FALSE(both.ok());
  EXPECT_EQ(both.error().text(), path + ": an ONNX model names its own files of constants");
}

}  // namespace
}  // namespace reshape::conformance
