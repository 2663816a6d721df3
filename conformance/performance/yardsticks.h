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

// The ways that this processor supports: memcpy, the string move, whole vectors through the caches,
// and whole cache lines around them with prefetching. The fastest of them is the yardstick of a
// reshape.
std::vector<PlainCopy> plain_copies();

// What follows the name of a plain copy that one thread makes although the library has more.
inline constexpr const char* kAlone = " alone";
inline constexpr const char* kProductLoop = "product loop";
// Whether a yardstick has this name on this processor.
bool is_yardstick(const std::string& name);

// A copy shared evenly between the threads of a crew, in whole lines of a cache.
void run_shared(const PlainCopy& copy, const std::byte* from, std::byte* to, std::size_t bytes,
                Crew& crew);

// The yardstick of inference and views: the products of the sizes and the one division that any
// implementation needs, without any checks. The clock and other load affect it like the call,
// whereas nanoseconds would look like a change of the library.
class ProductLoop {
 public:
  explicit ProductLoop(const Request& request);
  void run();

 private:
  std::vector<std::int64_t> data_, pattern_, out_;
};

}  // namespace reshape::conformance::performance
