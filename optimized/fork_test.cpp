// fork() copies no threads: a child must still copy correctly, and must end. And a process may end
// while its threads copy.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "conformance/abi/dlpack_types.h"
#include "conformance/abi/reshape_plugin.h"

namespace {

using namespace std::chrono_literals;

std::atomic<bool> stops_at_the_machine = false, stopped = false, lingers = false;

// Destroyed after all else, so that threads that copy do so without what is destroyed.
struct Lingering {
  ~Lingering() {
    if (lingers) std::this_thread::sleep_for(100ms);
  }
};
[[gnu::init_priority(101)]] Lingering lingering;

}  // namespace

// By which the first copy reads of the machine: where asked to, a fork falls in between.
extern "C" [[gnu::visibility("default")]] FILE* fopen64(const char* path, const char* mode) {
  if (std::string_view(path).starts_with("/sys/") && stops_at_the_machine.exchange(false)) {
    stopped = true;
    std::this_thread::sleep_for(200ms);
  }
  return reinterpret_cast<decltype(&fopen64)>(dlsym(RTLD_NEXT, "fopen64"))(path, mode);
}

namespace reshape {
namespace {

// Two threads, however few cores there are. Read by the library at its first call.
[[maybe_unused]] const int kTwoThreads = setenv("RESHAPE_THREADS", "2", 1);

#if defined(__SANITIZE_THREAD__)
constexpr bool kMayStartThreadsInChildren = false;  // ThreadSanitizer ends such a child
#else
constexpr bool kMayStartThreadsInChildren = true;
#endif

// Transposes a square of 4 MiB through the contract and compares it.
bool copies_right() {
  constexpr std::int64_t kSide = 1024;
  std::vector<std::int32_t> data(kSide * kSide), output(kSide * kSide, -1);
  std::iota(data.begin(), data.end(), 0);
  std::int64_t shape[] = {kSide, kSide}, strides[] = {1, kSide}, values[] = {-1}, one[] = {1};
  std::int64_t flat[] = {kSide * kSide};
  const DLDevice cpu{kDLCPU, 0};
  DLTensor from{data.data(), cpu, 2, dl_type_of(ElementType::i32), shape, strides, 0};
  DLTensor pattern{values, cpu, 1, dl_type_of(ElementType::i64), one, nullptr, 0};
  DLTensor to{output.data(), cpu, 1, dl_type_of(ElementType::i32), flat, nullptr, 0};
  const reshape_request request{sizeof(reshape_request), RESHAPE_FLAG_TRUE, "openvino-reshape-1",
                                &from, &pattern};
  reshape_message why{};
  if (reshape_plugin_entry()->execute(&request, &to, &why) != RESHAPE_OK) return false;
  for (std::int64_t i = 0; i < kSide; ++i) {
    for (std::int64_t j = 0; j < kSide; ++j) {
      if (output[static_cast<std::size_t>(i * kSide + j)] != j * kSide + i) return false;
    }
  }
  return true;
}

std::ptrdiff_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

// Runs `body` in a child and says how that ended: "exit 0", or "signal 14" where it took too long.
std::string in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return "no child";
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "exit " + std::to_string(WEXITSTATUS(status));
}

class Fork : public testing::Test {
 protected:
  void SetUp() override {
    if (!kMayStartThreadsInChildren) GTEST_SKIP() << "ThreadSanitizer ends such children";
    ASSERT_TRUE(copies_right());
    ASSERT_GE(threads_of_this_process(), 2) << "no copy was shared: nothing is shown";
  }
};

TEST_F(Fork, AChildAndItsChildCopyWithThreadsOfTheirOwn) {
  EXPECT_EQ(in_child([] {
              if (!copies_right() || threads_of_this_process() != 2) return 1;
              return in_child([] { return copies_right() ? 0 : 1; }) == "exit 0" ? 0 : 2;
            }),
            "exit 0");
  EXPECT_TRUE(copies_right());
}

// exit() runs what ends the pool.
TEST_F(Fork, AChildThatCopiesNothingEnds) {
  EXPECT_EQ(in_child([]() -> int { std::exit(0); }), "exit 0");
}

TEST_F(Fork, InTheMiddleOfAnotherThreadsCopies) {
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::thread beside([&] {
    while (!stop) wrong += copies_right() ? 0 : 1;
  });
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(in_child([] { return copies_right() ? 0 : 1; }), "exit 0") << i;
  }
  stop = true;
  beside.join();
  EXPECT_EQ(wrong, 0);
}

// In a process of its own, that has copied nothing yet.
class ForkDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!kMayStartThreadsInChildren) GTEST_SKIP() << "ThreadSanitizer ends such children";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(ForkDeathTest, InTheMiddleOfTheFirstCopy) {
  const auto body = [] {
    alarm(100);
    stops_at_the_machine = true;
    std::thread first(copies_right);
    while (!stopped) std::this_thread::yield();
    const std::string child = in_child([] { return copies_right() ? 0 : 1; });
    first.join();
    _exit(child == "exit 0" ? 0 : 1);
  };
  EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

TEST_F(ForkDeathTest, AProcessEndsWhileItsThreadsCopy) {
  const auto body = [] {
    std::atomic<int> copied = 0;
    for (int i = 0; i < 3; ++i) {
      std::thread([&copied] {
        while (true) copied += copies_right() ? 1 : 0;
      }).detach();
    }
    while (copied < 9) std::this_thread::yield();
    lingers = true;
    std::exit(0);
  };
  EXPECT_EXIT(body(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace reshape
