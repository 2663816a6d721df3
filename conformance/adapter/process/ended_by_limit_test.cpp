#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <limits>

#include "conformance/adapter/memory/memory_left.h"
#include "conformance/adapter/process/signal_name.h"

namespace reshape::conformance {
namespace {

constexpr std::uint64_t kNoMemoryEnds = std::numeric_limits<std::uint64_t>::max();

// Exits with 0 if a process with such a limit, of which another worked for so long, blames it for
// `signal`, else with 1.
[[noreturn]] void tell(__rlimit_resource what, int signal, rlim_t most = 1000, long seconds = 999) {
  const rlimit limit = {1000, most};
  setrlimit(what, &limit);
  rusage used = {};
  used.ru_utime.tv_sec = seconds - seconds / 3;
  used.ru_stime.tv_sec = seconds / 3;
  const bool by_limit = !ended_by_limit(signal, used, kNoMemoryEnds).empty();
  std::_Exit(by_limit ? 0 : 1);
}

TEST(EndedByLimit, OnlyOfASignalThatALimitSends) {
  EXPECT_EXIT(tell(RLIMIT_CPU, SIGKILL), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(tell(RLIMIT_CPU, SIGXCPU), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(tell(RLIMIT_CPU, SIGSEGV), ::testing::ExitedWithCode(1), "");
  EXPECT_EXIT(tell(RLIMIT_CPU, SIGKILL, 1000, 900), ::testing::ExitedWithCode(1), "");
  EXPECT_EXIT(tell(RLIMIT_CPU, SIGXCPU, 1000, 0), ::testing::ExitedWithCode(1), "");
  EXPECT_EXIT(tell(RLIMIT_FSIZE, SIGXFSZ), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(tell(RLIMIT_CPU, SIGXCPU, RLIM_INFINITY), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(tell(RLIMIT_FSIZE, SIGXFSZ, RLIM_INFINITY), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(tell(RLIMIT_FSIZE, SIGABRT), ::testing::ExitedWithCode(1), "");
}

TEST(MemoryLeft, IsSomethingAndNoMoreThanThereIs) {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  EXPECT_GT(memory_left(), 0u);
  EXPECT_LE(memory_left(), pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace
}  // namespace reshape::conformance
