// Signalling NaNs of bf16 become quiet where a stride is large.
// Clause content.kept: the elements stay what they are, bit for bit.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <vector>

using namespace dnnl::graph;

int main() {
  using Sizes = std::vector<int64_t>;
  const int64_t stride =
      178957298;  // elements; 2.5 GB are reserved, and seven pages of them touched
  const auto bf16 = logical_tensor::data_type::bf16;
  const logical_tensor data(0, bf16, Sizes{7}, Sizes{stride});
  const logical_tensor output(1, bf16, Sizes{1, 7}, logical_tensor::layout_type::strided);
  op reshape(0, op::kind::StaticReshape, {data}, {output}, "reshape");
  reshape.set_attr<Sizes>(op::attr::shape, {1, 7});
  reshape.set_attr<bool>(op::attr::special_zero, false);
  graph whole(dnnl::engine::kind::cpu);
  whole.add_op(reshape);
  whole.finalize();
  dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);

  auto* from = static_cast<uint16_t*>(std::calloc(6 * stride + 1, sizeof(uint16_t)));
  if (from == nullptr) return 2;
  for (int64_t at = 0; at < 7; ++at) from[at * stride] = static_cast<uint16_t>(0x7f81 + at);
  uint16_t to[7] = {};
  whole.get_partitions()[0]
      .compile({data}, {output}, cpu)
      .execute(stream, {tensor(data, cpu, from)}, {tensor(output, cpu, to)});
  stream.wait();
  std::printf("bf16 {7} with stride %lld to {1,7}: gave 7f81 to 7f87, came",
              static_cast<long long>(stride));
  bool kept = true;
  for (int64_t at = 0; at < 7; ++at) {
    std::printf(" %x", to[at]);
    kept = kept && to[at] == 0x7f81 + at;
  }
  std::printf("\n");
  std::free(from);
  return kept ? 1 : 0;
}
