// What threw an exception is answered by another one when it is asked again: "Broken promise", from
// the cache. Clause output.shape: the shape is {2^62}, and the same request has the same answer
// each time.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <string>
#include <vector>

using namespace dnnl::graph;

std::string asked(const dnnl::engine& cpu) {
  const logical_tensor data(0, logical_tensor::data_type::f32,
                            std::vector<int64_t>{int64_t{1} << 62},
                            logical_tensor::layout_type::strided);
  const logical_tensor output(1, logical_tensor::data_type::f32,
                              logical_tensor::layout_type::strided);
  op reshape(0, op::kind::StaticReshape, {data}, {output}, "reshape");
  reshape.set_attr<std::vector<int64_t>>(op::attr::shape, {-1});
  reshape.set_attr<bool>(op::attr::special_zero, false);
  graph whole(dnnl::engine::kind::cpu);
  whole.add_op(reshape);
  whole.finalize();
  try {
    whole.get_partitions()[0].compile({data}, {output}, cpu);
    return "compiled";
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
}

int main() {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  set_compiled_partition_cache_capacity(1024);
  const std::string first = asked(cpu);
  const std::string second = asked(cpu);
  std::printf("f32 {2^62} to {-1}: came %s, and asked again %s\n", first.c_str(), second.c_str());
  return second.find("Broken promise") != std::string::npos && first != second ? 0 : 1;
}
