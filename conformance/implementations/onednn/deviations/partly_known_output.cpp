// Six elements become 0 by an unknown number where the first size of the output is told, 0, and the
// second one is not. Where it is not told either, the same is refused.
// Clause volume.kept.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <string>
#include <vector>

using namespace dnnl::graph;

static std::string shape_with(const std::vector<int64_t>& told) {
  const logical_tensor data(0, logical_tensor::data_type::f32, std::vector<int64_t>{2, 3},
                            logical_tensor::layout_type::strided);
  const logical_tensor output(1, logical_tensor::data_type::f32, told,
                              logical_tensor::layout_type::strided);
  op reshape(0, op::kind::StaticReshape, {data}, {output}, "reshape");
  reshape.set_attr<std::vector<int64_t>>(op::attr::shape, {0, 2});
  reshape.set_attr<bool>(op::attr::special_zero, false);
  graph whole(dnnl::engine::kind::cpu);
  whole.add_op(reshape);
  whole.finalize();
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  std::string came;
  try {
    const auto compiled = whole.get_partitions()[0].compile({data}, {output}, cpu);
    for (int64_t size : compiled.query_logical_tensor(1).get_dims())
      came += std::to_string(size) + ' ';
  } catch (const std::exception& thrown) {
    came = std::string("a refusal (") + thrown.what() + ") ";
  }
  return came;
}

int main() {
  const int64_t unknown = DNNL_GRAPH_UNKNOWN_DIM;
  const std::string told = shape_with({0, unknown}), untold = shape_with({unknown, unknown});
  std::printf(
      "f32 {2, 3} to {0, 2}, special_zero=false: came %swith the 0 told, and %swithout it"
      " - the document says a refusal\n",
      told.c_str(), untold.c_str());
  return told == "0 " + std::to_string(unknown) + ' ' ? 0 : 1;
}
