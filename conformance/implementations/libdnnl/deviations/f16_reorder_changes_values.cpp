// A reorder of f16 between equal dense layouts makes -0 a 0 and signalling NaNs quiet.
// Clause content.kept: the elements stay what they are, bit for bit.

#include <cstdint>
#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>

int main() {
  using dnnl::memory;
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  const memory::desc dense({2, 3}, memory::data_type::f16, memory::format_tag::ab);
  uint16_t from[6] = {0x3c00, 0x8000, 0x7e01, 0x7d01, 0x0001, 0xfc00};
  uint16_t to[6] = {};
  memory source(dense, cpu, from), destination(dense, cpu, to);
  dnnl::reorder(source, destination).execute(stream, source, destination);
  stream.wait();
  std::printf("f16 {2,3}, dense to dense: gave");
  for (const uint16_t element : from) std::printf(" %04x", element);
  std::printf(", came");
  bool kept = true;
  for (int at = 0; at < 6; ++at) {
    std::printf(" %04x", to[at]);
    kept = kept && to[at] == from[at];
  }
  std::printf("\n");
  return kept ? 1 : 0;
}
