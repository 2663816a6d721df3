// A reorder of dense f32 to elements that lie evenly apart writes the first column and leaves out
// all others. Clause content.kept: each element of the output is the data's at that position. Of
// which sizes it does so depends on the processor, so several are asked.

#include <cstdio>
#include <oneapi/dnnl/dnnl.hpp>
#include <utility>
#include <vector>

namespace {

// How many of the elements are not written where they are to lie `step` apart.
std::size_t missing(const dnnl::engine& cpu, dnnl::memory::dim rows, dnnl::memory::dim columns,
                    dnnl::memory::dim step) {
  using dnnl::memory;
  dnnl::stream stream(cpu);
  const memory::desc dense({rows, columns}, memory::data_type::f32, memory::dims{columns, 1});
  const memory::desc apart({rows, columns}, memory::data_type::f32,
                           memory::dims{columns * step, step});
  const std::size_t elements = static_cast<std::size_t>(rows * columns);
  std::vector<float> from(elements, 1), to(elements * static_cast<std::size_t>(step), 0);
  memory source(dense, cpu, from.data()), destination(apart, cpu, to.data());
  dnnl::reorder(source, destination).execute(stream, source, destination);
  stream.wait();
  std::size_t count = 0;
  for (std::size_t at = 0; at < elements; ++at) {
    if (to[static_cast<std::size_t>(step) * at] != 1) ++count;
  }
  return count;
}

}  // namespace

int main() {
  const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  std::size_t all = 0;
  for (const auto& [rows, columns] : {std::pair{100, 65}, {257, 54}, {1000, 257}, {3001, 257}}) {
    const std::size_t of_these = missing(cpu, rows, columns, 4);
    std::printf("f32 {%d,%d} with strides {%d,1} to {%d,4}: %zu of %d elements are not written\n",
                rows, columns, columns, 4 * columns, of_these, rows * columns);
    all += of_these;
  }
  return all > 0 ? 0 : 1;
}
