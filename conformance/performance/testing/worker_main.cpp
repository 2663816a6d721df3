// The tests' main(): worker processes are this program, started again.
#include <gtest/gtest.h>

#include <string_view>

#include "conformance/performance/worker.h"

int main(int argc, char** argv) {
  using namespace reshape::conformance::performance;
  if (argc > 1 && std::string_view(argv[1]) == "measure") {
    return serve_as_worker(start_of({argv + 2, argv + argc}), kWorkerChannel);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
