#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/model/request.h"
#include "conformance/performance/crew.h"

namespace reshape::conformance::performance {

// A way to copy consecutive bytes.
struct PlainCopy {
  std::string name;
  void (*run)(const std::byte* from, std::byte* to, std::size_t bytes);
};

// Those that this processor has: the C library's, the string move, whole vectors through the caches,
// and whole lines around them with reads asked for ahead. The fastest of them is as fast as a copy
// of that size gets, and is what a reshape's time is set against.
std::vector<PlainCopy> plain_copies();

// A copy shared evenly between the threads of a crew, in whole lines of a cache.
void run_shared(const PlainCopy& copy, const std::byte* from, std::byte* to, std::size_t bytes,
                Crew& crew);

// What an inference's or a view's time is set against: the products of the sizes and the one division
// that any implementation has to do, without a question asked. It moves with the clock and with
// neighbours as the call does, which nanoseconds would show as a change of the library.
class ProductLoop {
 public:
  explicit ProductLoop(const Request& request);
  void run();

 private:
  std::vector<std::int64_t> data_, pattern_, out_;
};

}  // namespace reshape::conformance::performance
