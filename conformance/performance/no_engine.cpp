#include "conformance/performance/bench.h"

namespace reshape::conformance::performance {

Result<BenchResult> bench(const std::vector<Workload>&, const BenchOptions&, const Machine&,
                          const std::function<void(const BenchRow&)>&) {
  return Error{"this program was built without Google Benchmark"};
}

}  // namespace reshape::conformance::performance
