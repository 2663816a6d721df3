#include <gtest/gtest.h>
#include <sys/stat.h>

#include "conformance/models/any_model.h"
#include "conformance/models/onnx_model.h"
#include "conformance/models/testing/ir_text.h"
#include "conformance/models/testing/onnx_build.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

class HostileOnnx : public testing::Test {
 protected:
  std::string error_of(const std::string& path) const { return folder_.error_of(read_model(path)); }
  std::string error(const std::string& bytes) const {
    return error_of(folder_.write("model.onnx", bytes));
  }
  std::string error(const ::onnx::ModelProto& model) const {
    return error(model.SerializeAsString());
  }
  // Why the one Reshape of a model that can be read states no request.
  std::optional<Unstated> unstated(const ::onnx::ModelProto& made) const {
    const auto model = read_model(folder_.write("model.onnx", made.SerializeAsString()));
    EXPECT_TRUE(model.ok()) << model.error().text();
    if (!model || model->unstated.size() != 1) return std::nullopt;
    return model->unstated[0].why;
  }
  static ::onnx::ModelProto plain() { return reshape_model(13, {2, 3}, {3, -1}); }
  static ::onnx::TensorProto& pattern(::onnx::ModelProto& model) {
    return *model.mutable_graph()->mutable_initializer(0);
  }
  // The error of a model whose pattern lies in an external file.
  std::string external(const std::string& location, const std::string& offset = "0",
                       const std::string& length = "16") const {
    ::onnx::ModelProto model = plain();
    put_elsewhere(pattern(model), {{"location", location}, {"offset", offset}, {"length", length}});
    return error(model);
  }

  ModelFolder folder_;
};

const std::string kNoModel =
    "model.onnx: no ONNX model: its protobuf ends too early, is malformed, or is nested too deeply";

const std::string kFold = "model.onnx, node 0 (fold): ";

TEST_F(HostileOnnx, FilesThatAreNoModel) {
  EXPECT_EQ(error_of(folder_.path("none.onnx")),
            "none.onnx: cannot be read: No such file or directory");
  ASSERT_EQ(mkfifo(folder_.path("pipe.onnx").c_str(), 0600), 0);
  EXPECT_EQ(error_of(folder_.path("pipe.onnx")), "pipe.onnx: not read: it is no regular file");
  EXPECT_EQ(error(""), "model.onnx: no ONNX model: it has no graph");
  // Whose size is told as 0.
  expect_in(error_of("/proc/self/mem"), "cannot be read: Input/output error");
  expect_in(error_of("/proc/self/status"), "not read: it does not tell its size");
  EXPECT_EQ(error("no model but a letter"), kNoModel);
  EXPECT_EQ(error("\x89PNG\r\n\x1a\n"), kNoModel);
  EXPECT_EQ(error("PK\x03\x04"), kNoModel);
  EXPECT_EQ(error("<html/>"),
            "model.onnx:1: no OpenVINO IR: its first element is \"html\", and not \"net\"");
  std::filesystem::resize_file(folder_.write("model.onnx", "\x08\x08"), std::uintmax_t{1} << 31);
  EXPECT_EQ(error_of(folder_.path("model.onnx")),
            "model.onnx: larger than 2 GiB, as no ONNX file is");
}

TEST_F(HostileOnnx, EveryTruncationIsAnError) {
  const std::string whole = plain().SerializeAsString();
  ASSERT_EQ(error(whole), "none");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    // Nearly always the protobuf is truncated within a message; else the model lacks its end.
    EXPECT_TRUE(error(whole.substr(0, size)).starts_with("model.onnx")) << size;
  }
}

TEST_F(HostileOnnx, GraphsWithinGraphs) {
  ::onnx::ModelProto model = plain();
  ::onnx::GraphProto* graph = model.mutable_graph();
  for (int depth = 0; depth < 40; ++depth) {
    ::onnx::NodeProto& node = add_node(*graph, "If", {"data"}, "out" + std::to_string(depth));
    graph = add_attribute(node, "then_branch").mutable_g();
  }
  EXPECT_EQ(error(model), kNoModel);
}

TEST_F(HostileOnnx, MessagesThatUnfoldBeyondTheMemory) {
  // Each node is two bytes in the file and a hundred times that in memory: 24 MiB of them exceed
  // the limit of 1 GiB.
  const std::size_t count = std::size_t{12} << 20;
  std::string nodes;
  nodes.reserve(2 * count);
  for (std::size_t node = 0; node < count; ++node) nodes.append("\x0a\x00", 2);
  std::string size;
  for (std::size_t left = nodes.size(); left != 0; left >>= 7) {
    size += static_cast<char>((left & 127) | (left > 127 ? 128 : 0));
  }
  EXPECT_EQ(error("\x3a" + size + nodes),
            "model.onnx: not read: its messages take more than 1 GiB and four times the file in "
            "memory");
}

TEST_F(HostileOnnx, OperatorSets) {
  ::onnx::ModelProto model = plain();
  model.clear_opset_import();
  EXPECT_EQ(error(model), kFold + "no operator set is imported");
  model.add_opset_import()->set_version(0);
  EXPECT_EQ(error(model), "model.onnx: operator set 0 is imported");
  model.mutable_opset_import(0)->set_version(13);
  model.add_opset_import()->set_version(14);
  EXPECT_EQ(error(model), "model.onnx: two operator sets of ONNX are imported");
}

TEST_F(HostileOnnx, Sizes) {
  ::onnx::ModelProto model = plain();
  pattern(model).set_dims(0, -2);
  EXPECT_EQ(error(model), kFold + "a tensor has the size -2");
  pattern(model).set_dims(0, std::int64_t{1} << 40);
  EXPECT_EQ(unstated(model), Unstated::long_pattern);
  pattern(model).add_dims(std::int64_t{1} << 40);
  EXPECT_EQ(unstated(model), Unstated::long_pattern);
  for (int axis = 0; axis < 300; ++axis) pattern(model).add_dims(1);
  EXPECT_EQ(error(model), kFold + "a tensor has more than 256 dimensions");
  pattern(model).clear_dims();
  pattern(model).add_dims(3);
  EXPECT_EQ(error(model), kFold + "the pattern i64[3] takes 3 values, and has 2");
  pattern(model).clear_int64_data();
  pattern(model).set_raw_data("1234");
  EXPECT_EQ(error(model), kFold + "the pattern i64[3] takes 24 bytes, and has 4");
  EXPECT_EQ(error(reshape_model(13, {2, -3}, {3})), kFold + "a value has the size -3");
  EXPECT_EQ(error(reshape_model(13, std::vector<std::int64_t>(257, 1), {1})),
            kFold + "a value has more than 256 dimensions");
  EXPECT_EQ(unstated(reshape_model(1, {6}, std::vector<std::int64_t>(257, 1))),
            Unstated::long_pattern);
}

TEST_F(HostileOnnx, Graphs) {
  ::onnx::ModelProto model = plain();
  model.mutable_graph()->mutable_node(0)->set_input(1, "nobody");
  EXPECT_EQ(error(model), kFold + "its input \"nobody\" comes from nowhere");
  model.mutable_graph()->mutable_node(0)->add_input("to");
  EXPECT_EQ(error(model), kFold + "a Reshape of operator set 13 has 3 inputs and 1 outputs");
  ::onnx::ModelProto circle = plain();
  circle.mutable_graph()->mutable_node(0)->set_input(0, "reshaped");
  EXPECT_EQ(error(circle), kFold + "its input \"reshaped\" is its own output");
  ::onnx::ModelProto twice = plain();
  add_node(*twice.mutable_graph(), "Relu", {"data"}, "to");
  EXPECT_EQ(error(twice), "model.onnx: two values are named \"to\"");
  ::onnx::ModelProto input = plain();
  add_info(*input.mutable_graph()->add_input(), "reshaped", kOnnxFloat, {6});
  EXPECT_EQ(error(input), "model.onnx: two values are named \"reshaped\"");
}

TEST_F(HostileOnnx, Flags) {
  EXPECT_EQ(error(reshape_model(14, {6}, {6}, 2)), kFold + "allowzero is 2, and neither 0 nor 1");
  EXPECT_EQ(error(reshape_model(13, {6}, {6}, 1)), kFold + "allowzero came with operator set 14");
}

TEST_F(HostileOnnx, ModelsThatContradictThemselves) {
  ::onnx::ModelProto model = reshape_model(14, {2, 3}, {3, 2}, 1);
  for (auto& attribute : *model.mutable_graph()->mutable_node(0)->mutable_attribute()) {
    if (attribute.name() == "allowzero") {
      attribute.set_type(::onnx::AttributeProto_AttributeType_FLOAT);
      attribute.set_f(1);
    }
  }
  EXPECT_EQ(error(model), kFold + "allowzero is of another type than Reshape takes");
  model = reshape_model(14, {2, 3}, {3, 2}, 1);
  auto* attributes = model.mutable_graph()->mutable_node(0)->mutable_attribute();
  const ::onnx::AttributeProto twice = attributes->Get(0);
  *attributes->Add() = twice;
  EXPECT_EQ(error(model), kFold + "allowzero is given twice");
  model = reshape_model(1, {6}, {6});
  model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->set_type(
      ::onnx::AttributeProto_AttributeType_FLOATS);
  EXPECT_EQ(error(model), kFold + "shape is of another type than Reshape takes");
  model = reshape_model(14, {2, 3}, {3, 2}, 0);
  pattern(model).set_raw_data(std::string(16, '\1'));
  if (pattern(model).int64_data_size() == 0) pattern(model).add_int64_data(3);
  EXPECT_EQ(error(model), kFold + "the values of the pattern are given twice, in two fields");
  model = reshape_model(14, {2, 3}, {3, 2}, 0);
  auto* again = model.mutable_graph()->add_value_info();
  *again = model.graph().input(0);
  again->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_value(7);
  EXPECT_NE(error(model).find("has two types"), std::string::npos) << error(model);
}

// Up to IR version 3 an initializer has to be an input, too, and may be one ever since.
TEST_F(HostileOnnx, InitializersOfAnotherTypeThanTheirInput) {
  const auto declared = [](const std::string& name, int type,
                           const std::vector<std::int64_t>& sizes) {
    ::onnx::ModelProto model = reshape_model(14, {2, 3}, {3, 2});
    ::onnx::GraphProto& graph = *model.mutable_graph();
    graph.clear_input();
    ::onnx::TensorProto& data = *graph.add_initializer();
    data.set_name("data");
    data.set_data_type(kOnnxFloat);
    for (const std::int64_t size : {2, 3}) data.add_dims(size);
    add_info(*graph.add_input(), name, type, sizes);
    return model;
  };
  const std::string data = "model.onnx: the value \"data\" has two types";
  EXPECT_EQ(error(declared("data", kOnnxFloat, {2, 3})), "none");
  EXPECT_EQ(error(declared("data", kOnnxFloat, {7, 7})), data);
  EXPECT_EQ(error(declared("data", kOnnxFloat, {2, 3, 1})), data);
  EXPECT_EQ(error(declared("data", kOnnxInt64, {2, 3})), data);
  const std::string to = "model.onnx: the value \"to\" has two types";
  EXPECT_EQ(error(declared("to", kOnnxInt64, {2})), "none");
  EXPECT_EQ(error(declared("to", kOnnxInt64, {5})), to);
  EXPECT_EQ(error(declared("to", kOnnxFloat, {2})), to);
  // What the input leaves open contradicts no initializer.
  EXPECT_EQ(error(declared("data", kOnnxFloat, {-1, 3})), "none");
  EXPECT_EQ(error(declared("data", 0, {2, 3})), "none");
  ::onnx::ModelProto open = declared("data", kOnnxFloat, {2, 3});
  auto& type = *open.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
  type.mutable_shape()->mutable_dim(0)->set_dim_param("batch");
  type.mutable_shape()->mutable_dim(1)->clear_dim_value();
  EXPECT_EQ(error(open), "none");
  type.clear_shape();
  EXPECT_EQ(error(open), "none");
  // The same of a value's type besides the inputs.
  ::onnx::ModelProto besides = declared("data", kOnnxFloat, {2, 3});
  add_info(*besides.mutable_graph()->add_value_info(), "to", kOnnxInt64, {5});
  EXPECT_EQ(error(besides), to);
}

TEST_F(HostileOnnx, ConstantsOutsideOfTheFolder) {
  const std::string bytes("\x03\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16);
  ModelFolder other;
  other.write("secret", bytes);
  folder_.write("own", bytes);
  EXPECT_EQ(external("own"), "none");
  EXPECT_EQ(external("./own"), "none");
  const auto outside = [](const std::string& location) {
    return kFold + "the external data \"" + location + "\" do not lie in the folder of the model";
  };
  EXPECT_EQ(external(""), outside(""));
  EXPECT_EQ(external("../secret"), outside("../secret"));
  EXPECT_EQ(external("a/../../secret"), outside("a/../../secret"));
  EXPECT_TRUE(external("/etc/passwd").ends_with(outside("/etc/passwd"))) << external("/etc/passwd");
  EXPECT_EQ(external(std::string("own\0x", 5)), outside("own\\x00x"));
  EXPECT_EQ(external("."), outside("."));
  std::filesystem::create_symlink(other.path("secret"), folder_.path("link"));
  EXPECT_EQ(external("link"), outside("link"));
  std::filesystem::create_directory_symlink(other.path(""), folder_.path("folder"));
  EXPECT_EQ(external("folder/secret"), outside("folder/secret"));
}

TEST_F(HostileOnnx, ConstantsThatAreNotAsSaid) {
  folder_.write("own", "0123456789abcdef");
  EXPECT_EQ(external("own", "1"), kFold + "16 bytes at offset 1 do not lie in own, which has 16");
  EXPECT_EQ(external("own", "9223372036854775807"),
            kFold + "16 bytes at offset 9223372036854775807 do not lie in own, which has 16");
  EXPECT_EQ(external("own", "-8"),
            kFold + "the offset of external data is \"-8\", and not a number from 0 to 2^63-1");
  EXPECT_EQ(external("own", "0", "8"),
            kFold + "the pattern takes 16 bytes, and its external data has 8");
  ASSERT_EQ(mkfifo(folder_.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(external("pipe"), kFold + "pipe: not read: it is no regular file");
}

}  // namespace
}  // namespace reshape::conformance
