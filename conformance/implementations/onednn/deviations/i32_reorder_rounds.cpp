// A reorder of 32-bit integers rounds them to 24 bits where the layouts differ: it goes by way of
// f32. Clause content.kept: the elements stay what they are, bit for bit. Seen with two threads and
// more; on one processor all elements are kept.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

int main() {
  using dnnl::memory;
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  const memory::desc rows({8, 192}, memory::data_type::s32, memory::dims{192, 1});
  const memory::desc columns({8, 192}, memory::data_type::s32, memory::dims{1, 9});
  std::vector<std::int32_t> from(8 * 192), to(9 * 192);
  for (std::size_t at = 0; at < from.size(); ++at) from[at] = 0x5e101c81 + static_cast<int>(at);
  memory source(rows, cpu, from.data()), destination(columns, cpu, to.data());
  dnnl::reorder(source, destination).execute(stream, source, destination);
  stream.wait();
  int changed = 0;
  for (std::size_t row = 0; row < 8; ++row) {
    for (std::size_t column = 0; column < 192; ++column) {
      if (to[row + 9 * column] != from[192 * row + column]) ++changed;
    }
  }
  std::printf(
      "s32 {8,192} with strides {192,1} to {1,9}: %d of 1536 elements changed; gave %d, came %d\n",
      changed, from[0], to[0]);
  return changed > 0 ? 0 : 1;
}
