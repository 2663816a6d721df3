// The tests' main: host processes are this very program, started again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "conformance/adapter/adapter.h"

int main(int argc, char** argv) {
  if (argc == 6 && std::string_view(argv[1]) == "host") {
    return reshape::conformance::serve_as_host(argv[3], std::atoi(argv[5]));
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
