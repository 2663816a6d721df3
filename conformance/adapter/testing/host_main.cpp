// The tests' main(): host processes and supervisors are this program, started again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "conformance/adapter/adapter.h"

int main(int argc, char** argv) {
  if (argc == 6 && std::string_view(argv[1]) == "host") {
    return reshape::conformance::serve_as_host(argv[3], std::atoi(argv[5]));
  }
  if (argc > 1 && std::string_view(argv[1]) == reshape::conformance::kSuperviseCommand) {
    return reshape::conformance::supervise_command({argv + 2, argv + argc});
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
