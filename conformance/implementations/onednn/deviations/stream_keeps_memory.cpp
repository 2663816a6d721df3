// A stream that executed a primitive keeps ten kilobytes after it is destroyed.
// Duty C15: memory does not grow by the call.

#include <malloc.h>

#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>

int main() {
  using dnnl::memory;
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  const memory::desc dense({2, 3}, memory::data_type::f32, memory::format_tag::ab);
  float from[6] = {1, 2, 3, 4, 5, 6};
  float to[6] = {};
  memory source(dense, cpu, from), destination(dense, cpu, to);
  const dnnl::reorder copy(source, destination);
  const auto in_use = [&](int streams) {
    for (int at = 0; at < streams; ++at) {
      dnnl::stream stream(cpu);
      copy.execute(stream, source, destination);
      stream.wait();
    }
    const struct mallinfo2 now = mallinfo2();
    return static_cast<double>(now.uordblks + now.hblkhd);
  };
  const double before = in_use(1000);
  const double kept = (in_use(4000) - before) / 4000;
  std::printf(
      "4000 streams, each made, used for a reorder and destroyed: %.0f bytes kept by each\n", kept);
  return kept > 100 ? 0 : 1;
}
