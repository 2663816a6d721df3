// A reorder of f16 makes signalling NaNs quiet where the data is transposed, as in a StaticReshape
// of such data on processors with instructions for f16. Clause content.kept: the elements stay what
// they are, bit for bit.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

int main() {
  using dnnl::memory;
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  const memory::desc transposed({8, 8}, memory::data_type::f16, memory::dims{1, 8});
  const memory::desc dense({8, 8}, memory::data_type::f16, memory::dims{8, 1});
  std::vector<uint16_t> from(64), to(64);
  for (std::size_t at = 0; at < 64; ++at) {
    from[at] = static_cast<uint16_t>((at % 2 == 0 ? 0x7c01 : 0xfc01) + at);
  }
  memory source(transposed, cpu, from.data()), destination(dense, cpu, to.data());
  dnnl::reorder(source, destination).execute(stream, source, destination);
  stream.wait();
  int changed = 0;
  for (std::size_t row = 0; row < 8; ++row) {
    for (std::size_t column = 0; column < 8; ++column) {
      if (from[row + 8 * column] != to[8 * row + column]) ++changed;
    }
  }
  std::printf(
      "f16 {8,8} with strides {1,8} to dense: %d of 64 signalling NaNs changed, %04x to %04x\n",
      changed, from[0], to[0]);
  return changed > 0 ? 0 : 1;
}
