// A reorder of dense f32 to elements that lie evenly apart writes the first column and leaves out all others.
// Clause content.kept: each element of the output is the data's at that position.

#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

int main() {
  using dnnl::memory;
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  const memory::desc dense({100, 65}, memory::data_type::f32, memory::dims{65, 1});
  const memory::desc apart({100, 65}, memory::data_type::f32, memory::dims{260, 4});
  std::vector<float> from(6500, 1), to(100 * 260, 0);
  memory source(dense, cpu, from.data()), destination(apart, cpu, to.data());
  dnnl::reorder(source, destination).execute(stream, source, destination);
  stream.wait();
  int missing = 0;
  for (std::size_t at = 0; at < from.size(); ++at) {
    if (to[4 * at] != 1) ++missing;
  }
  std::printf("f32 {100,65} with strides {65,1} to {260,4}: %d of 6500 elements are not written\n",
              missing);
  return missing > 0 ? 0 : 1;
}
