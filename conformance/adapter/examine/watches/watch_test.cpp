// Each watch alone: it reports nothing when nothing happened, reports its own kind of change, and
// restores the process afterwards.
#include "conformance/adapter/examine/watches/watch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <locale>
#include <new>
#include <thread>
#include <utility>

#include "conformance/adapter/testing/processes.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {
namespace {

using testing_adapter::in_a_child;

template <typename Happening>
std::vector<Observation> watched(const WatchPtr& watch, const CallSite& site, Happening happening,
                                 Status answered = Status::ok) {
  std::vector<Observation> seen;
  watch->before(site);
  happening();
  watch->after(site, answered, seen);
  return seen;
}
constexpr auto kNothing = [] {};

TEST(Canaries, NameTheBuffer) {
  GuardedBuffer buffer("output");
  ASSERT_TRUE(buffer.place(8, 0, 1, Probe::Placement::front));
  const GuardedBuffer* buffers[] = {&buffer};
  CallSite site;
  site.buffers = buffers;
  const WatchPtr watch = watch_canaries();
  EXPECT_TRUE(watched(watch, site, kNothing).empty());
  const auto seen = watched(watch, site, [&] { buffer.bytes().data()[9] ^= std::byte{1}; });
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].watch, CaughtBy::canaries);
  EXPECT_EQ(seen[0].duty, Duty::C7);
  EXPECT_EQ(seen[0].saw, "wrote 1 byte behind the output, the nearest at a distance of 2 bytes");
}

TEST(InputUnchanged, SeesOneBit) {
  GuardedBuffer buffer("data");
  ASSERT_TRUE(buffer.place(8, 0, 1, Probe::Placement::front));
  std::memset(buffer.bytes().data(), 0x10, 8);
  CallSite site;
  site.input = &buffer;
  const WatchPtr watch = watch_input_unchanged();
  EXPECT_TRUE(watched(watch, site, kNothing).empty());
  const auto seen = watched(watch, site, [&] { buffer.bytes()[7] = std::byte{0x11}; });
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].saw, "byte 7 changed from 10 to 11 of the data");
  EXPECT_TRUE(watched(watch, {}, kNothing).empty());
}

struct OutputFixture {
  GuardedBuffer buffer{"output"};
  Layout layout{{2, 2}, {3, 1}, 0};
  OutputSite output;
  CallSite site;
  OutputFixture() {
    output.extent = *extent_of(ElementType::u8, layout);
    EXPECT_TRUE(buffer.place(output.extent.size, 0, 1, Probe::Placement::front));
    std::memset(buffer.bytes().data(), 0xa5, buffer.bytes().size());
    output.buffer = &buffer;
    output.type = ElementType::u8;
    output.layout = &layout;
    output.filling = 0xa5;
    site.kind = CallKind::execute;
    site.output = &output;
  }
  auto writes(std::size_t at) {
    return [this, at] { buffer.bytes()[at] = std::byte{0x01}; };
  }
};

TEST(OutputGaps, SeeTheGapAndNotTheElement) {
  OutputFixture fixture;
  const WatchPtr watch = watch_output_gaps();
  EXPECT_TRUE(watched(watch, fixture.site, fixture.writes(1)).empty());
  const auto seen = watched(watch, fixture.site, fixture.writes(2));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].duty, Duty::C8);
  EXPECT_EQ(seen[0].saw, "byte 2 of the output's buffer, a gap, changed from a5 to 01");
}

TEST(RejectionWritesNothing, SeesElementsAndGaps) {
  for (std::size_t at : {1u, 2u}) {
    OutputFixture fixture;
    const WatchPtr watch = watch_rejection_writes_nothing();
    EXPECT_TRUE(watched(watch, fixture.site, kNothing, Status::rejected).empty());
    EXPECT_TRUE(watched(watch, fixture.site, fixture.writes(at), Status::ok).empty());
    fixture.buffer.bytes()[at] = std::byte{0xa5};
    const auto seen = watched(watch, fixture.site, fixture.writes(at), Status::unsupported);
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen[0].duty, Duty::C9);
    fixture.buffer.bytes()[at] = std::byte{0xa5};
    fixture.site.must_refuse = true;
    EXPECT_EQ(watched(watch, fixture.site, fixture.writes(at), Status::ok).size(), 1u);
  }
}

TEST(ArgumentsUnchanged, NameTheArgument) {
  std::int64_t sizes[] = {2, 3};
  int flag = 1;
  const Argument arguments[] = {{"request", &flag, sizeof flag},
                                {"sizes of the data", sizes, sizeof sizes}};
  CallSite site;
  site.arguments = arguments;
  const WatchPtr watch = watch_arguments_unchanged();
  EXPECT_TRUE(watched(watch, site, kNothing).empty());
  const auto seen = watched(watch, site, [&] { sizes[1] = 4; });
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].duty, Duty::C11);
  EXPECT_EQ(seen[0].saw, "byte 8 changed from 03 to 04 of the sizes of the data");
}

struct ShapeFixture {
  std::int64_t sizes[4] = {-9, -9, -9, -9};
  reshape_shape shape = {4, -7, sizes};
  ShapeSite receives = {&shape, sizes, 4, -7, -9};
  CallSite site;
  ShapeFixture() { site.shape = &receives; }
};

TEST(ShapeCanary, AnAnswerMayWriteItsRankAndItsSizes) {
  ShapeFixture fixture;
  EXPECT_TRUE(watched(watch_shape_canary(), fixture.site, [&] {
                fixture.shape.rank = 2;
                fixture.sizes[0] = fixture.sizes[1] = 3;
              }).empty());
}

TEST(ShapeCanary, NothingMayBeWrittenBehindTheRank) {
  ShapeFixture fixture;
  const auto seen = watched(watch_shape_canary(), fixture.site, [&] {
    fixture.shape.rank = 1;
    fixture.sizes[0] = fixture.sizes[3] = 3;
  });
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].duty, Duty::C7);
  EXPECT_EQ(seen[0].saw, "size 3 of the array was set to 3, the rank is 1");
}

TEST(ShapeCanary, ARefusalWritesNeitherRankNorSizes) {
  ShapeFixture fixture;
  const auto seen = watched(
      watch_shape_canary(), fixture.site,
      [&] {
        fixture.shape.rank = 1;
        fixture.sizes[0] = 3;
      },
      Status::rejected);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].duty, Duty::C9);
  EXPECT_EQ(seen[1].duty, Duty::C9);
}

TEST(ShapeCanary, ItsOwnDescriptionStays) {
  ShapeFixture fixture;
  const auto seen = watched(watch_shape_canary(), fixture.site, [&] {
    fixture.shape.rank = 0;
    fixture.shape.capacity = 2;
    fixture.shape.sizes = nullptr;
  });
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].duty, Duty::C11);
}

TEST(Message, HasToEnd) {
  reshape_message message;
  std::memset(message.text, 'x', sizeof message.text);
  CallSite site;
  site.message = &message;
  EXPECT_TRUE(watched(watch_message(), site, kNothing, Status::ok).empty());
  EXPECT_EQ(watched(watch_message(), site, kNothing, Status::rejected).size(), 1u);
  message.text[sizeof message.text - 1] = '\0';
  EXPECT_TRUE(watched(watch_message(), site, kNothing, Status::rejected).empty());
}

// For watches over the process: a change is reported once, in such words, and undone.
template <typename Happening>
void expect_seen_and_undone(const WatchPtr& watch, CaughtBy caught_by, const char* saw,
                            Happening happening) {
  EXPECT_TRUE(watched(watch, {}, kNothing).empty());
  const auto seen = watched(watch, {}, happening);
  ASSERT_EQ(seen.size(), 1u) << saw;
  EXPECT_EQ(seen[0].watch, caught_by);
  EXPECT_EQ(seen[0].duty, Duty::C14);
  expect_in(seen[0].saw, saw);
  EXPECT_TRUE(watched(watch, {}, kNothing).empty());
}

TEST(FloatingPointControl, SeesRoundingAndPutsItBack) {
  expect_seen_and_undone(watch_floating_point_control(), CaughtBy::floating_point_control, "",
                         [] { std::fesetround(FE_DOWNWARD); });
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

#if defined(__x86_64__)
TEST(FloatingPointControl, SeesRegistersLeftInUseAndFreesThem) {
  const std::uint64_t bits = 0;
  expect_seen_and_undone(watch_floating_point_control(), CaughtBy::floating_point_control, "", [&] {
    asm volatile("movq %0, %%mm0" : : "m"(bits));
  });
  volatile long double one = 1;
  EXPECT_EQ(one + one, 2.0L);
}
#endif

TEST(FloatingPointControl, PastExceptionsAreNoControl) {
  EXPECT_TRUE(watched(watch_floating_point_control(), {}, [] {
                std::feraiseexcept(FE_INEXACT | FE_DIVBYZERO);
              }).empty());
  std::feclearexcept(FE_ALL_EXCEPT);
}

TEST(Locale, SeesTheProcessAndTheThread) {
  expect_seen_and_undone(watch_locale(), CaughtBy::locale, "",
                         [] { std::setlocale(LC_ALL, "C.UTF-8"); });
  EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
  const locale_t other = newlocale(LC_ALL_MASK, "C.UTF-8", nullptr);
  expect_seen_and_undone(watch_locale(), CaughtBy::locale, "", [&] { uselocale(other); });
  freelocale(other);
}

TEST(Signals, SeeTheMaskAndTheHandlers) {
  for (const int number : {SIGUSR1, SIGRTMAX}) {
    expect_seen_and_undone(watch_signals(), CaughtBy::signal_mask, "", [number] {
      sigset_t set;
      sigemptyset(&set);
      sigaddset(&set, number);
      pthread_sigmask(SIG_BLOCK, &set, nullptr);
    });
  }
  for (const int number : {SIGUSR2, SIGPROF}) {
    expect_seen_and_undone(watch_signals(), CaughtBy::signal_handlers, "",
                           [number] { signal(number, SIG_IGN); });
    struct sigaction now = {};
    sigaction(number, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL);
  }
}

// A garbage collector would die of the signal by which it stops threads.
TEST(Signals, AFunctionThatWasSetIsStillCalled) {
  static volatile int came = 0;
  const auto set = [] { signal(SIGRTMIN + 1, [](int) { came = came + 1; }); };
  const WatchPtr watch = watch_signals();
  for (int turn = 1; turn <= 3; ++turn) {  // and is told each time that it is set
    EXPECT_EQ(watched(watch, {}, set).size(), 1u);
    raise(SIGRTMIN + 1);
    EXPECT_EQ(came, turn);
  }
  EXPECT_TRUE(watched(watch, {}, kNothing).empty());
  signal(SIGRTMIN + 1, SIG_DFL);
}

// A restored handler has SA_RESTORER, which the C library adds, and counts as unchanged.
TEST(Signals, AHandlerThatIsPutBackIsNoOther) {
  EXPECT_TRUE(watched(watch_signals(), {}, [] {
                struct sigaction before = {};
                sigaction(SIGUSR2, nullptr, &before);
                signal(SIGUSR2, SIG_IGN);
                sigaction(SIGUSR2, &before, nullptr);
              }).empty());
}

// A thread of a runtime that opens a file for a moment now and then is nobody's fault.
TEST(OpenFiles, DoNotSeeWhatAnotherThreadClosesSoon) {
  std::atomic<int> file{-1};
  std::atomic<bool> ended{false};
  std::thread other([&] {
    while (!ended) {
      if (file >= 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        close(file.exchange(-1));
      }
    }
  });
  const WatchPtr watch = watch_open_files();
  std::vector<Observation> seen;
  for (int turn = 0; turn < 3; ++turn) {
    watch->before({});
    file = open("/dev/null", O_RDONLY);
    watch->after({}, Status::ok, seen);
    EXPECT_TRUE(seen.empty()) << seen.front().saw;
  }
  // Open when a request begins, and closed while it is answered.
  while (file >= 0) {
  }
  file = open("/dev/null", O_RDONLY);
  watch->before({});
  while (file >= 0) {
  }
  watch->after({}, Status::ok, seen);
  EXPECT_TRUE(seen.empty()) << seen.front().saw;
  watch->before({});
  const int left = open("/dev/null", O_RDONLY);
  watch->after({}, Status::ok, seen);
  EXPECT_EQ(seen.size(), 1u);
  close(left);
  ended = true;
  other.join();
}

TEST(OpenFiles, SeeAnotherFileOfTheSameNumber) {
  const int file = open("/dev/null", O_RDONLY);
  const auto seen = watched(watch_open_files(), {}, [&] {
    const int other = open("/dev/zero", O_RDONLY);
    dup2(other, file);
    close(other);
  });
  close(file);
  ASSERT_EQ(seen.size(), 1u);
  expect_in(seen[0].saw, "(/dev/zero) was put in the place of another");
}

TEST(OpenFiles, SeeOtherFlags) {
  const int file = open("/dev/null", O_RDONLY);
  for (const bool of_file : {true, false}) {
    const WatchPtr watch = watch_open_files();
    const auto seen = watched(watch, {}, [&] {
      of_file ? fcntl(file, F_SETFL, O_NONBLOCK) : fcntl(file, F_SETFD, FD_CLOEXEC);
    });
    ASSERT_EQ(seen.size(), 1u);
    expect_in(seen[0].saw, "(/dev/null) was given other flags");
    EXPECT_EQ(fcntl(file, F_GETFL) & O_NONBLOCK, 0);
    EXPECT_EQ(fcntl(file, F_GETFD), 0);
  }
  close(file);
}

TEST(OpenFiles, SeeWhatIsOpenedAndWhatIsClosed) {
  int file = -1;
  const WatchPtr watch = watch_open_files();
  auto seen = watched(watch, {}, [&] { file = open("/dev/null", O_RDONLY); });
  ASSERT_EQ(seen.size(), 1u);
  expect_in(seen[0].saw, "(/dev/null) was left open");
  EXPECT_TRUE(watched(watch, {}, kNothing).empty());
  EXPECT_TRUE(watched(watch, {}, [] { close(open("/dev/null", O_RDONLY)); }).empty());
  // What it left open it may close.
  EXPECT_TRUE(watched(watch, {}, [&] { close(file); }).empty());
  file = open("/dev/null", O_RDONLY);
  seen = watched(watch, {}, [&] { close(file); });
  ASSERT_EQ(seen.size(), 1u);
  expect_in(seen[0].saw, "was closed");
}

// Where no file is free nobody is blamed for what cannot be read, and what is left open is seen.
TEST(OpenFiles, AreListedWhereNoneIsFree) {
  EXPECT_EQ(in_a_child([] {
              const WatchPtr files = watch_open_files(), settings = watch_process_settings();
              const auto seen_by_both = [&](const std::function<void()>& happening) {
                std::vector<Observation> seen;
                for (const WatchPtr* watch : {&files, &settings}) (*watch)->before({});
                happening();
                for (const WatchPtr* watch : {&files, &settings}) {
                  (*watch)->after({}, Status::ok, seen);
                }
                return seen;
              };
              EXPECT_TRUE(seen_by_both([] {}).empty());
              int last = -1;
              const auto seen = seen_by_both([&] {
                for (int file = 0; (file = open("/dev/null", O_RDONLY)) >= 0;) last = file;
              });
              EXPECT_EQ(seen.size(), 1u);
              if (!seen.empty()) expect_in(seen[0].saw, "was left open");
              EXPECT_TRUE(seen_by_both([] {}).empty());
              EXPECT_TRUE(seen_by_both([&] { close(last); }).empty());
              EXPECT_EQ(seen_by_both([&] { close(0); }).size(), 1u);
              return testing::Test::HasFailure() ? 1 : 0;
            }),
            0);
}

TEST(OpenFiles, SeeEachThatIsLeftOpenAmongThousands) {
  constexpr int kFiles = 3000;
  std::vector<int> files;
  const WatchPtr watch = watch_open_files();
  for (int i = 0; i < kFiles; ++i) {
    const auto seen =
        watched(watch, {}, [&] { files.push_back(open("/dev/null", O_RDONLY | O_CLOEXEC)); });
    if (files.back() < 0) break;  // no more are free
    ASSERT_EQ(seen.size(), 1u) << i;
    expect_in(seen[0].saw, "file " + std::to_string(files.back()) + " (/dev/null) was left open");
  }
  EXPECT_GT(files.size(), 100u);
  for (const int file : files) close(file);
}

TEST(Threads, SeeOneThatStaysAndNotOneThatEnded) {
  const WatchPtr watch = watch_threads();
  EXPECT_TRUE(watched(watch, {}, [] { std::thread([] {}).join(); }).empty());
  std::atomic<bool> leave = false;
  std::thread stays;
  const auto seen = watched(watch, {}, [&] {
    stays = std::thread([&] {
      while (!leave) usleep(100);
    });
  });
  leave = true;
  stays.join();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].saw, "1 more threads than before the request");
}

TEST(WorkingDirectory, IsSeenAndRestored) {
  char before[4096];
  ASSERT_NE(getcwd(before, sizeof before), nullptr);
  expect_seen_and_undone(watch_working_directory(), CaughtBy::working_directory, "",
                         [] { ASSERT_EQ(chdir("/"), 0); });
  char after[4096];
  ASSERT_NE(getcwd(after, sizeof after), nullptr);
  EXPECT_STREQ(before, after);
}

TEST(WorkingDirectory, OneThatIsGoneHasNoName) {
  const auto seen = watched(watch_working_directory(), {}, [] {
    char name[] = "/tmp/gone-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    ASSERT_EQ(chdir(name), 0);
    ASSERT_EQ(rmdir(name), 0);
  });
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].saw, "the working directory has no name any more");
}

template <typename Happening>
void expect_setting_seen(const char* saw, Happening happening,
                         const WatchPtr& watch = watch_process_settings()) {
  expect_seen_and_undone(watch, CaughtBy::process_settings, saw, happening);
}

TEST(ProcessSettings, TheEnvironment) {
  setenv("RESHAPE_WATCHED", "before", 1);
  expect_setting_seen("RESHAPE_WATCHED was set", [] { setenv("RESHAPE_WATCHED", "x", 1); });
  EXPECT_STREQ(getenv("RESHAPE_WATCHED"), "before");
  expect_setting_seen("RESHAPE_WATCHED was taken out", [] { unsetenv("RESHAPE_WATCHED"); });
  EXPECT_STREQ(getenv("RESHAPE_WATCHED"), "before");
  expect_setting_seen("RESHAPE_NEW was set", [] { setenv("RESHAPE_NEW", "", 1); });
  EXPECT_EQ(getenv("RESHAPE_NEW"), nullptr);
  unsetenv("RESHAPE_WATCHED");
}

TEST(ProcessSettings, WhatOthersInherit) {
  const mode_t before = umask(022);
  expect_setting_seen("umask", [] { umask(077); });
  EXPECT_EQ(umask(before), 022u);
  expect_setting_seen("the limit of open files", [] {
    rlimit limit = {};
    getrlimit(RLIMIT_NOFILE, &limit);
    --limit.rlim_cur;
    setrlimit(RLIMIT_NOFILE, &limit);
  });
}

TEST(ProcessSettings, ChildrenThatEndedAreSeenAndCollected) {
  EXPECT_EQ(in_a_child([] {
              for (int time = 0; time < 2; ++time) {
                expect_setting_seen("a child process was left behind", [] {
                  for (int child = 0; child < 100; ++child) {
                    if (fork() == 0) _exit(0);
                  }
                  siginfo_t last = {};  // all of them may still be about to end
                  waitid(P_ALL, 0, &last, WEXITED | WNOWAIT);
                });
                EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
              }
              return testing::Test::HasFailure() ? 1 : 0;
            }),
            0);
}

// The same of a setting that cannot be put back.
void expect_seen_in_a_child(const char* saw, void (*happening)()) {
  EXPECT_EQ(in_a_child([&] {
              expect_setting_seen(saw, happening);
              return testing::Test::HasFailure() ? 1 : 0;
            }),
            0)
      << saw;
}

// Restrictions that the kernel imposes on a process and its children.
TEST(ProcessSettings, WhatTheKernelHoldsItTo) {
  expect_setting_seen("scheduling policy", [] {
    const sched_param none = {};
    sched_setscheduler(0, SCHED_BATCH, &none);
  });
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  prctl(PR_SET_DUMPABLE, 1);  // not if another test here has started a host (forbid_tracing)
  expect_setting_seen("PR_SET_DUMPABLE", [] { prctl(PR_SET_DUMPABLE, 0); });
  EXPECT_EQ(prctl(PR_GET_DUMPABLE), 1);
  const int before = personality(0xffffffff);
  expect_setting_seen("personality",
                      [before] { personality(static_cast<unsigned>(before) ^ ADDR_NO_RANDOMIZE); });
  EXPECT_EQ(personality(0xffffffff), before);
  expect_seen_in_a_child("PR_SET_NO_NEW_PRIVS", [] { prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); });
  expect_seen_in_a_child("the filter of system calls", [] {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog filter = {1, all};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  });
  expect_seen_in_a_child("the process group", [] { setpgid(0, 0); });
}

TEST(ProcessSettings, WhatTheKernelGrantsIt) {
  expect_seen_in_a_child("PR_SET_KEEPCAPS",
                         [] { prctl(PR_SET_KEEPCAPS, 1 - prctl(PR_GET_KEEPCAPS)); });
  expect_seen_in_a_child("PR_SET_PDEATHSIG", [] { prctl(PR_SET_PDEATHSIG, SIGWINCH); });
  expect_seen_in_a_child("PR_SET_CHILD_SUBREAPER", [] {
    int now = 0;
    prctl(PR_GET_CHILD_SUBREAPER, &now);
    prctl(PR_SET_CHILD_SUBREAPER, 1 - now);
  });
  expect_seen_in_a_child("PR_SET_THP_DISABLE", [] {
    prctl(PR_SET_THP_DISABLE, 1 - prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0), 0, 0, 0);
  });
  expect_seen_in_a_child("ioprio_set", [] {
    constexpr int kProcess = 1, kIdle = 3 << 13, kLowest = (2 << 13) + 7;
    const bool idle = syscall(SYS_ioprio_get, kProcess, 0) == kIdle;
    syscall(SYS_ioprio_set, kProcess, 0, idle ? kLowest : kIdle);
  });
  int score = 0;
  std::ifstream("/proc/self/oom_score_adj") >> score;
  static constexpr int kHighest = 1000;  // to be lowered takes a privilege
  if (score < kHighest) {
    expect_seen_in_a_child("oom_score_adj",
                           [] { std::ofstream("/proc/self/oom_score_adj") << kHighest; });
  }
  if (geteuid() != 0) GTEST_SKIP() << "there are no privileges that could be given up";
  expect_seen_in_a_child("PR_SET_SECUREBITS",
                         [] { prctl(PR_SET_SECUREBITS, prctl(PR_GET_SECUREBITS) ^ 1); });
  expect_seen_in_a_child("the capabilities of the process",
                         [] { prctl(PR_CAPBSET_DROP, CAP_SYS_MODULE); });
  expect_seen_in_a_child("the capabilities of the process", [] {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct none[2] = {};
    syscall(SYS_capset, &header, none);
  });
  if (in_a_child([] { return unshare(CLONE_NEWUTS); }) == 0) {
    expect_seen_in_a_child("another namespace (uts)", [] { unshare(CLONE_NEWUTS); });
  }
}

TEST(ProcessSettings, WhatRunsOn) {
  expect_setting_seen("the real timer was left running", [] {
    const itimerval hours = {{0, 0}, {36'000, 0}};
    setitimer(ITIMER_REAL, &hours, nullptr);
  });
  static timer_t timer;
  sigevent silent = {};
  silent.sigev_notify = SIGEV_NONE;
  ASSERT_EQ(timer_create(CLOCK_MONOTONIC, &silent, &timer), 0);
  if (access("/proc/self/timers", R_OK) == 0) {
    expect_setting_seen("a timer (timer_create) was left running", [] {
      const itimerspec hours = {{0, 0}, {36'000, 0}};
      timer_settime(timer, 0, &hours, nullptr);
    });
  }
  timer_delete(timer);
  expect_setting_seen("a child process", [] {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    siginfo_t who = {};  // it has ended, and is not waited for
    waitid(P_PID, static_cast<id_t>(child), &who, WEXITED | WNOWAIT);
  });
}

TEST(ProcessSettings, Handlers) {
  expect_setting_seen("std::terminate", [] { std::set_terminate([] { std::abort(); }); });
  expect_setting_seen("std::set_new_handler", [] { std::set_new_handler([] { std::abort(); }); });
}

TEST(ThreadSettings, AreThoseOfTheThread) {
  const WatchPtr watch = watch_thread_settings();
  expect_setting_seen("named other", [] { prctl(PR_SET_NAME, "other"); }, watch);
  expect_setting_seen(
      "stack for signals",
      [] {
        static char stack[1 << 16];
        stack_t other = {};
        other.ss_sp = stack;
        other.ss_size = sizeof stack;
        sigaltstack(&other, nullptr);
      },
      watch);
  expect_setting_seen(
      "can be cancelled", [] { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr); }, watch);
}

TEST(ProcessSettings, WhatIsLockedInMemory) {
  alignas(4096) static char page[4096];
  // Asked of the kernel, because the sanitizers make mlock() do nothing.
  expect_setting_seen("pages were locked", [] { syscall(SYS_mlock, page, sizeof page); });
}

TEST(ProcessSettings, WhereNumbersAreDrawnFrom) {
  expect_setting_seen("rand()", [] { srand(42); });
  expect_setting_seen("rand()", [] { static_cast<void>(rand()); });
}

// A few that stay are what a library prepares; many are what a process has no room for. A process
// that is as it was is not looked at before each request.
void expect_few_are_no_fault(const char* saw, const std::function<void()>& leave_one) {
  const WatchPtr watch = watch_process_settings();
  std::vector<Observation> seen;
  const auto requests = [&](int count, bool leaves) {
    for (int request = 0; request < count; ++request) {
      if (leaves) leave_one();
      watch->after({}, Status::ok, seen);
    }
  };
  watch->before({});
  requests(1, true);
  requests(40, false);
  EXPECT_TRUE(seen.empty());
  requests(14, true);
  EXPECT_TRUE(seen.empty());
  requests(1, true);
  ASSERT_EQ(seen.size(), 1u);
  expect_in(seen[0].saw, "it left 1 " + std::string(saw));
  expect_in(seen[0].saw, "as 15 requests before it did");
  // Or one request that leaves many, more of them than a page of a list has room for.
  for (const std::size_t many : {20u, 300u}) {
    for (std::size_t i = 0; i < many; ++i) leave_one();
    watch->after({}, Status::ok, seen);
    expect_in(seen.back().saw, "it left " + std::to_string(many) + ' ' + saw);
  }
  EXPECT_EQ(seen.size(), 3u);
}

TEST(ProcessSettings, OneKeyOfThreadsStaysAndManyAreTooMany) {
  std::vector<pthread_key_t> keys;
  expect_few_are_no_fault("more keys of threads",
                          [&] { pthread_key_create(&keys.emplace_back(), nullptr); });
  for (const pthread_key_t key : keys) pthread_key_delete(key);
}

TEST(ProcessSettings, OneTimerStaysAndManyAreTooManyAndDeleted) {
  if (access("/proc/self/timers", R_OK) != 0) GTEST_SKIP() << "this kernel lists no timers";
  sigevent silent = {};
  silent.sigev_notify = SIGEV_NONE;
  std::vector<timer_t> timers;
  expect_few_are_no_fault("more timers", [&] {
    ASSERT_EQ(timer_create(CLOCK_MONOTONIC, &silent, &timers.emplace_back()), 0);
  });
  itimerspec left = {};
  for (const timer_t timer : timers) EXPECT_NE(timer_gettime(timer, &left), 0);
}

// The locale of C++ has no name where a part of it was put together; to put it back is to set that
// of C, too.
TEST(Locale, OfStreams) {
  const std::string numbers = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "C.UTF-8");
  const WatchPtr watch = watch_locale();
  const auto seen = watched(watch, {}, [] {
    std::locale::global(std::locale(std::locale::classic(), new std::numpunct<char>));
  });
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].saw, "the locale of C++ (std::locale::global) was replaced");
  EXPECT_TRUE(watched(watch, {}, kNothing).empty());
  EXPECT_EQ(std::string(std::setlocale(LC_NUMERIC, nullptr)), "C.UTF-8");
  std::setlocale(LC_NUMERIC, numbers.c_str());
}

template <typename Call>
std::vector<Observation> grown(Call call) {
  MemoryGrowth watch;
  std::vector<Observation> seen;
  for (int turn = 0; turn < 3 * kGrowingTurns; ++turn) {
    watch.before();
    call(turn);
    watch.after(seen);
  }
  return seen;
}

TEST(MemoryGrowth, SeesAStreakAndNothingLess) {
  static void* kept[64];
  EXPECT_EQ(grown([](int turn) { kept[turn] = std::malloc(1000); }).size(), 1u);
  for (void*& one : kept) std::free(std::exchange(one, nullptr));
  EXPECT_TRUE(grown([](int) { std::free(std::malloc(1000)); }).empty());
  EXPECT_TRUE(grown([](int turn) {
                if (turn % kGrowingTurns != 0) kept[turn] = std::malloc(1000);  // breaks the streak
              }).empty());
  for (void*& one : kept) std::free(std::exchange(one, nullptr));
}

// Freed chunks of earlier calls must not hide a small leak.
TEST(MemoryGrowth, SeesALeakThatFreedChunksServe) {
  if (memory_in_use() == 0) GTEST_SKIP() << "this allocator does not count what it gave out";
  static void* freed[16 * kCallsATurn];
  static void* kept[3 * kGrowingTurns * kCallsATurn];
  for (void*& one : freed) one = std::malloc(40);
  for (void*& one : freed) std::free(one);
  int calls = 0;
  EXPECT_EQ(grown([&](int) {
              for (int call = 0; call < kCallsATurn; ++call) kept[calls++] = std::malloc(40);
            }).size(),
            1u);
  for (void* one : kept) std::free(one);
}

}  // namespace
}  // namespace reshape::conformance
