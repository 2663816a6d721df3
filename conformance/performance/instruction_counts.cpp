#include "conformance/performance/instruction_counts.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS static_cast<void>(0)
#define CALLGRIND_DUMP_STATS static_cast<void>(0)
#endif

namespace reshape::conformance::performance {

void count_instructions(const std::function<void()>& counted) {
  CALLGRIND_ZERO_STATS;
  counted();
  CALLGRIND_DUMP_STATS;
}

}  // namespace reshape::conformance::performance
