#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/command/console_test.h"
#include "conformance/models/testing/ir_text.h"
#include "conformance/models/testing/onnx_build.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

class Export : public testing::Test {
 protected:
  static Ended run(std::vector<std::string> arguments) {
    return run_command(add_export, std::move(arguments));
  }
  template <typename Message>
  static Message parsed(const fs::path& path) {
    Message message;
    EXPECT_TRUE(fs::exists(path)) << path;
    EXPECT_TRUE(message.ParseFromString(text_of(path))) << path;
    return message;
  }
  static std::vector<std::int64_t> dims(const ::onnx::TensorProto& tensor) {
    return {tensor.dims().begin(), tensor.dims().end()};
  }

  ModelFolder folder_;
};

// Half of the tests are not left behind under the folder's name, nor beside it.
TEST_F(Export, IsThereAsAWholeOrNotAtAll) {
  fs::create_directories(folder_.path("home"));
  std::ofstream(folder_.path("home/file")) << "in the way";
  EXPECT_EQ(run({"--onnx", folder_.path("home/file/tests"), "--filter", "onnx-reshape-14/copy-*"})
                .exit_code,
            2);
  EXPECT_EQ(
      run({"--onnx", folder_.path("home/tests/"), "--filter", "onnx-reshape-14/copy-*"}).exit_code,
      0);
  std::set<std::string> names;
  for (const auto& one : fs::directory_iterator(folder_.path("home"))) {
    names.insert(one.path().filename());
  }
  EXPECT_EQ(names, (std::set<std::string>{"file", "tests"}));
  const Ended same = run({"--onnx", folder_.path("one"), "--json", folder_.path("one"), "--filter",
                          "onnx-reshape-14/copy-*"});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_TRUE(same.err.find("name the same path") != std::string::npos) << same.err;
  EXPECT_FALSE(fs::exists(folder_.path("one")));
}

TEST_F(Export, ACaseIsAModelAndItsTensors) {
  const Ended ended =
      run({"--onnx", folder_.path("tests"), "--filter", "onnx-reshape-14/copy-then-infer"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(ended.out.starts_with("1 of 1 cases as backend tests of ONNX: ")) << ended.out;
  const fs::path test = folder_.path("tests/test_onnx_reshape_14_copy_then_infer");
  const auto model = parsed<::onnx::ModelProto>(test / "model.onnx");
  EXPECT_EQ(model.opset_import(0).version(), 14);
  EXPECT_EQ(model.ir_version(), 7);
  ASSERT_EQ(model.graph().node_size(), 1);
  EXPECT_EQ(model.graph().node(0).op_type(), "Reshape");
  EXPECT_EQ(model.graph().input_size(), 2);
  expect_in(model.doc_string(), "onnx-reshape-14/copy-then-infer: onnx-reshape-14 ");
  expect_in(model.doc_string(), ", commit ");
  std::set<std::string> contents;
  for (const char* set : {"test_data_set_0", "test_data_set_1"}) {
    const auto data = parsed<::onnx::TensorProto>(test / set / "input_0.pb");
    const auto pattern = parsed<::onnx::TensorProto>(test / set / "input_1.pb");
    const auto output = parsed<::onnx::TensorProto>(test / set / "output_0.pb");
    EXPECT_EQ(pattern.data_type(), kOnnxInt64);
    EXPECT_EQ(pattern.raw_data().size(), 8U * static_cast<std::size_t>(pattern.dims(0)));
    EXPECT_EQ(output.raw_data(), data.raw_data());
    EXPECT_NE(dims(output), dims(data));
    EXPECT_EQ(output.dims_size(), pattern.dims(0));
    contents.insert(data.raw_data());
  }
  EXPECT_EQ(contents.size(), 2U);
}

TEST_F(Export, ThePatternOfTheFirstOperatorSetIsAnAttribute) {
  const Ended ended =
      run({"--onnx", folder_.path("tests"), "--filter", "onnx-reshape-1/copy-then-infer"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  const fs::path test = folder_.path("tests/test_onnx_reshape_1_copy_then_infer");
  const auto model = parsed<::onnx::ModelProto>(test / "model.onnx");
  EXPECT_EQ(model.graph().input_size(), 1);
  EXPECT_EQ(model.graph().node(0).attribute(0).name(), "shape");
  EXPECT_FALSE(fs::exists(test / "test_data_set_0/input_1.pb"));
}

TEST_F(Export, TheFlagIsThatOfTheDocument) {
  const Ended ended = run({"--onnx", folder_.path("tests"), "-d", "onnx-reshape-14", "-c",
                           "zero.literal", "-t", "f32"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  std::size_t literal = 0;
  for (const auto& test : fs::directory_iterator(folder_.path("tests"))) {
    const auto model = parsed<::onnx::ModelProto>(test.path() / "model.onnx");
    for (const auto& attribute : model.graph().node(0).attribute()) {
      EXPECT_EQ(attribute.name(), "allowzero");
      literal += attribute.i() == 1;
    }
  }
  EXPECT_GT(literal, 0U);
}

TEST_F(Export, WhatTheFormCannotSayIsCounted) {
  const Ended ended =
      run({"--onnx", folder_.path("tests"), "--filter", "*/alike-divided-before-1*"});
  EXPECT_EQ(ended.exit_code, 4);
  EXPECT_TRUE(ended.out.starts_with("0 of ")) << ended.out;
  expect_in(ended.out, "Left out, of a document that is not ONNX's: ");
  expect_in(ended.out, "Left out, that the document refuses: ");
}

TEST_F(Export, JsonSaysWhereItComesFrom) {
  const std::string path = folder_.path("cases.json");
  const Ended ended = run({"--json", path, "--filter", "openvino-reshape-1/example-?"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(ended.out, "5 cases as JSON: " + path + "\n");
  const std::string json = text_of(path);
  for (const char* part :
       {"\"suite\": \"", "\"digest\": \"suite ", "\"program\": \"", "\"commit\": \"",
        "\"dialect\": \"openvino-reshape-1\"", "\"publisher\": \"", "\"licence\": \"",
        "\"id\": \"openvino-reshape-1/example-5\""}) {
    expect_in(json, part);
  }
  EXPECT_EQ(json.find("onnx-reshape-1\""), std::string::npos);
}

TEST_F(Export, NothingIsWrittenOverAndNothingIsSilent) {
  const std::string path = folder_.write("there", "before");
  const Ended there = run({"--onnx", folder_.path(""), "--filter", "onnx-reshape-14/example-?"});
  EXPECT_EQ(there.exit_code, 2);
  expect_in(there.err, "is there and not empty");
  EXPECT_EQ(run({}).exit_code, 2);
  EXPECT_EQ(run({"--json", path, "--filter", "*/no-such-case"}).exit_code, 4);
  EXPECT_EQ(text_of(path), "before");
  EXPECT_EQ(run({"--json", path, "-d", "no-such"}).exit_code, 2);
}

TEST_F(Export, NoFileIsLeftWhereTheFolderIsRefused) {
  const std::string path = folder_.path("cases.json");
  folder_.write("full", "there");
  const Ended ended =
      run({"--json", path, "--onnx", folder_.path(""), "--filter", "onnx-reshape-14/example-?"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_FALSE(fs::exists(path));
  // What ONNX has no form for is still written as JSON.
  const Ended none = run(
      {"--json", path, "--onnx", folder_.path("tests"), "--filter", "*/alike-divided-before-1*"});
  EXPECT_EQ(none.exit_code, 4);
  EXPECT_TRUE(fs::exists(path));
}

// Where no folder can be made, that is the reason, and not that the folder is missing.
TEST_F(Export, SaysWhyAFolderCannotBeMade) {
  const Ended ended = run({"--onnx", "/sys/tests", "--filter", "onnx-reshape-14/copy-then-infer"});
  EXPECT_EQ(ended.exit_code, 2) << ended.out;
  expect_in(ended.err, "cannot be written: ");
  EXPECT_EQ(ended.err.find("No such file"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace reshape::conformance
