// Data that repeats one element (strides of 0) is not written at all where the output's layout is
// any. Clause content.kept: each element of the output is the data's at that position.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <vector>

using namespace dnnl::graph;

namespace {

using Sizes = std::vector<int64_t>;

// How many of ten elements are written, and the bytes that the compiled output is said to take.
int written(logical_tensor::layout_type layout, std::size_t& bytes) {
  const auto f32 = logical_tensor::data_type::f32;
  const logical_tensor data(0, f32, Sizes{10}, Sizes{0}), output(1, f32, Sizes{10}, layout);
  op reshape(0, op::kind::StaticReshape, {data}, {output}, "reshape");
  reshape.set_attr<Sizes>(op::attr::shape, {10});
  reshape.set_attr<bool>(op::attr::special_zero, false);
  graph whole(dnnl::engine::kind::cpu);
  whole.add_op(reshape);
  whole.finalize();
  dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  auto compiled = whole.get_partitions()[0].compile({data}, {output}, cpu);
  const logical_tensor made = compiled.query_logical_tensor(1);
  bytes = made.get_mem_size();
  float from = 7;
  std::vector<float> to(10, 0);
  compiled.execute(stream, {tensor(data, cpu, &from)}, {tensor(made, cpu, to.data())});
  stream.wait();
  int count = 0;
  for (const float element : to) count += element == 7;
  return count;
}

}  // namespace

int main() {
  std::size_t any_bytes = 0, strided_bytes = 0;
  const int any = written(logical_tensor::layout_type::any, any_bytes);
  const int strided = written(logical_tensor::layout_type::strided, strided_bytes);
  std::printf(
      "f32 {10} with stride 0: layout any has %zu bytes and writes %d elements, strided %zu and "
      "%d\n",
      any_bytes, any, strided_bytes, strided);
  return any == 0 && strided == 10 ? 0 : 1;
}
