// Signalling NaNs of bf16 become quiet, and denormals 0, where the data is transposed (or has a
// large stride). Clause content.kept: the elements stay what they are, bit for bit.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <vector>

using namespace dnnl::graph;

int main() {
  using Sizes = std::vector<int64_t>;
  const auto bf16 = logical_tensor::data_type::bf16;
  const logical_tensor data(0, bf16, Sizes{8, 8}, Sizes{1, 8});
  const logical_tensor output(1, bf16, Sizes{8, 8}, logical_tensor::layout_type::strided);
  op reshape(0, op::kind::StaticReshape, {data}, {output}, "reshape");
  reshape.set_attr<Sizes>(op::attr::shape, {8, 8});
  reshape.set_attr<bool>(op::attr::special_zero, false);
  graph whole(dnnl::engine::kind::cpu);
  whole.add_op(reshape);
  whole.finalize();
  dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);

  std::vector<uint16_t> from(64), to(64);
  for (std::size_t at = 0; at < 64; ++at) {
    from[at] = static_cast<uint16_t>((at % 2 == 0 ? 0x7f81 : 0x0001) + at);
  }
  whole.get_partitions()[0]
      .compile({data}, {output}, cpu)
      .execute(stream, {tensor(data, cpu, from.data())}, {tensor(output, cpu, to.data())});
  stream.wait();
  int nans = 0, denormals = 0;
  for (std::size_t row = 0; row < 8; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      const uint16_t gave = from[row + 8 * column], came = to[8 * row + column];
      if (gave != came) ++(gave > 0x7f80 ? nans : denormals);
    }
  }
  std::printf(
      "bf16 {8,8} with strides {1,8} to dense: %d of 32 NaNs and %d of 32 denormals changed\n",
      nans, denormals);
  return nans > 0 && denormals > 0 ? 0 : 1;
}
