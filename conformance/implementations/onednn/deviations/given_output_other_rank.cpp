// An empty output of another rank than the pattern is accepted.
// Clause output.shape: as many dimensions as the pattern has values.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <string>
#include <vector>

using namespace dnnl::graph;

int main() {
  const logical_tensor data(0, logical_tensor::data_type::f32, std::vector<int64_t>{0},
                            logical_tensor::layout_type::strided);
  const logical_tensor output(1, logical_tensor::data_type::f32, std::vector<int64_t>{0},
                              logical_tensor::layout_type::strided);
  op reshape(0, op::kind::StaticReshape, {data}, {output}, "reshape");
  reshape.set_attr<std::vector<int64_t>>(op::attr::shape, {0, 4});
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
    came = thrown.what();
  }
  std::printf("f32 {0} to {0, 4}, special_zero=false: came %s - the document says a refusal\n",
              came.c_str());
  return came == "0 " ? 0 : 1;
}
