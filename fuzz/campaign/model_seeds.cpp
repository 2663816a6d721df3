#include "fuzz/campaign/model_seeds.h"

#include "conformance/models/testing/ir_text.h"

#ifdef RESHAPE_READS_ONNX
#include "conformance/models/testing/onnx_build.h"
#endif

namespace reshape::fuzz {

using namespace conformance;  // NOLINT(google-build-using-namespace)

std::vector<std::string> ir_seeds() {
  std::vector<std::string> seeds;
  const auto add = [&](const IrText& text) { seeds.push_back(text.xml + "\n#: bin\n" + text.bin); };
  for (const IrReshape& example : published_examples()) add(IrText({example}));
  add(IrText({published_examples()[1]}, 10));
  add(IrText({{{-1, 3}, {3, -1}, "true", {3, 2}, "U8", "i32"}}));
  // Without the file of constants, and with a body.
  IrText nested({{{6}, {6}, "false"}});
  const std::string inner = nested.xml.substr(nested.xml.find("  <layers>"));
  nested.spoil("  </layers>", "<layer id=\"9\" type=\"If\"><then_body>" +
                                  inner.substr(0, inner.find("</net>")) +
                                  "</then_body></layer></layers>");
  seeds.push_back(nested.xml);
  return seeds;
}

#ifdef RESHAPE_READS_ONNX

std::vector<std::string> onnx_seeds() {
  std::vector<std::string> seeds;
  const auto add = [&](const ::onnx::ModelProto& model) {
    seeds.push_back(model.SerializeAsString());
  };
  add(reshape_model(1, {2, 3}, {3, -1}));
  add(reshape_model(5, {2, 3}, {0, -1}));
  add(reshape_model(14, {0, 3}, {0, 4}, 1));
  ::onnx::ModelProto model = reshape_model(25, {6}, {6});
  ::onnx::GraphProto& graph = *model.mutable_graph();
  ::onnx::NodeProto& constant = add_node(graph, "Constant", {}, "to2");
  ::onnx::AttributeProto& list = add_attribute(constant, "value_ints");
  list.add_ints(3);
  list.add_ints(2);
  add_node(graph, "Reshape", {"data", "to2"}, "second");
  add_info(*graph.add_value_info(), "second", kOnnxFloat, {3, 2});
  ::onnx::GraphProto& inner =
      *add_attribute(add_node(graph, "If", {"data"}, "chosen"), "then_branch").mutable_g();
  add_node(inner, "Reshape", {"data", "to"}, "deep");
  add(model);
  ::onnx::TensorProto& tensor = *graph.mutable_initializer(0);
  tensor.clear_int64_data();
  tensor.set_raw_data(std::string("\6\0\0\0\0\0\0\0", 8));
  add_reshape_function(model, {"x"});
  add(model);
  put_elsewhere(tensor, {{"location", "weights"}, {"offset", "8"}, {"length", "8"}});
  add(model);
  return seeds;
}

#else

std::vector<std::string> onnx_seeds() { return {}; }

#endif

}  // namespace reshape::fuzz
