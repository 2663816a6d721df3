// Signalling NaNs of f32 become quiet where a dimension of one element has a huge stride, which is
// never taken. Clause content.kept: the elements stay what they are, bit for bit.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <vector>

using namespace dnnl::graph;

int main() {
  using Sizes = std::vector<int64_t>;
  const auto f32 = logical_tensor::data_type::f32;
  const logical_tensor data(0, f32, Sizes{3, 30, 1}, Sizes{147, 4, int64_t{1} << 36});
  const logical_tensor output(1, f32, Sizes{3, 30, 1}, logical_tensor::layout_type::strided);
  op reshape(0, op::kind::StaticReshape, {data}, {output}, "reshape");
  reshape.set_attr<Sizes>(op::attr::shape, {3, 30, 1});
  reshape.set_attr<bool>(op::attr::special_zero, false);
  graph whole(dnnl::engine::kind::cpu);
  whole.add_op(reshape);
  whole.finalize();
  dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);

  std::vector<uint32_t> from(3 * 147, 0x7f800001), to(90);
  whole.get_partitions()[0]
      .compile({data}, {output}, cpu)
      .execute(stream, {tensor(data, cpu, from.data())}, {tensor(output, cpu, to.data())});
  stream.wait();
  int changed = 0;
  for (const uint32_t element : to) {
    if (element != from[0]) ++changed;
  }
  std::printf(
      "f32 {3,30,1} with strides {147,4,2^36} to dense: %d of 90 NaNs changed, %08x to %08x\n",
      changed, from[0], to[0]);
  return changed > 0 ? 0 : 1;
}
