// Implementations with right answers that change or end the process, or fail after a fork or
// without memory.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include "conformance/self/misread.h"

namespace reshape::conformance::self {
namespace {

// Not instrumented, so that the processor traps it, and not UndefinedBehaviorSanitizer before that.
// The pointer is read from memory: a compiler that sees that it is null may leave the write out, or
// the whole call.
__attribute__((no_sanitize("undefined"))) void write_nowhere() {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

[[gnu::noinline]] int recurse(int depth) {
  volatile char page[4096];
  page[depth % 4096] = 1;
  return depth < 0 ? 0 : recurse(depth + 1) + page[0];
}

void block(int signal) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void* sleep_forever(void*) {
  for (;;) pause();
}

// Does something in every inference that concerns(asked) picks, before answering rightly.
Steps where(std::function<bool(const Asked&)> concerns, std::function<void()> task) {
  return inferring([=](const Inference& call) {
    if (concerns(Asked(call.request))) task();
    return call.right();
  });
}

bool minus_one_beside_a_zero(const Asked& asked) {
  const std::vector<PatternValue> values = asked.with_zeros_copied();
  return asked.minus_ones() == 1 && std::find(values.begin(), values.end(), 0) != values.end();
}

// For requests with a -1, of which a run has many, so that the mistake shows and the run goes on.
Steps where_minus_one(std::function<void()> task) {
  return where([](const Asked& asked) { return asked.minus_ones() == 1; }, std::move(task));
}

// Does something after each refusal by inference.
Steps after_refusals(std::function<void(const reshape_message&)> task) {
  return infers_then([=](reshape_status status, const Inference& call) {
    if (status == RESHAPE_REJECTED) task(call.why);
    return status;
  });
}

// Like before_each_call(), but only before the first call, like the initialization of libraries.
Steps in_the_first_call(std::function<void()> task) {
  return before_each_call([=, done = std::make_shared<bool>(false)] {
    if (!std::exchange(*done, true)) task();
  });
}

// In every 64th call.
Steps now_and_then(std::function<void()> task) {
  return before_each_call([=, calls = std::make_shared<std::atomic<int>>(0)] {
    if (++*calls % 64 == 0) task();
  });
}

// Once in a process, before anything is asked.
Steps while_loaded(std::function<void()> task) {
  Steps steps;
  steps.on_load = std::move(task);
  return steps;
}

// As a constructor does that compilers link into what is built with -ffast-math.
void flush_denormals() {
#if defined(__SSE2__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#else
  std::fesetround(FE_TOWARDZERO);
#endif
}

void open_a_file() { [[maybe_unused]] const int file = open("/dev/null", O_RDONLY); }

constexpr Notes kEnds{.by = {"shape", "process"}, .hostile = true};
constexpr Notes kFloatingPoint{.by = {"memory", "floating-point-control"}};
constexpr Notes kMemoryGrowth{.by = {"memory", "memory-growth"}};
constexpr Notes kOpenFiles{.by = {"memory", "open-files"}};
constexpr Notes kSignalMask{.by = {"memory", "signal-mask"}};
constexpr Notes kSignalHandlers{.by = {"memory", "signal-handlers"}};

// What is copied by several threads, or through a buffer.
constexpr std::int64_t kLarge = std::int64_t{1} << 18;
constexpr std::size_t kBuffer = std::size_t{1} << 26;

bool is_large(const DLTensor& output) {
  return element_count(shape_of(output)).value_or(0) >= kLarge;
}

// Large copies without strides are one run of counted(bytes, bits of an element) bytes.
Steps copying_dense(std::function<std::size_t(std::int64_t, int)> counted) {
  return executing([=](const Execution& call) {
    const DLTensor& data = call.data();
    if (!is_large(call.output) || data.strides != nullptr || call.output.strides != nullptr ||
        !right_answer(call).is_of(call.output)) {
      return call.right();
    }
    const std::int64_t bytes = *element_count(shape_of(data)) * data.dtype.bits / 8;
    std::memmove(start_of(call.output), start_of(data), counted(bytes, data.dtype.bits));
    return RESHAPE_OK;
  });
}

bool in_a_child() {
  static const pid_t first = getpid();
  return getpid() != first;
}

// Copies large tensors through a buffer; `answers` is called where it cannot be allocated.
Steps where_memory_is_short(Execute answers) {
  return executing([=](const Execution& call) {
    if (!is_large(call.output)) return call.right();
    const std::unique_ptr<char[]> buffer(new (std::nothrow) char[kBuffer]);
    return buffer ? call.right() : answers(call);
  });
}

}  // namespace

Mutants families::process() {
  Table table(Kind::process, {"memory", "process-settings"});
  table.rows(Duty::C16, kEnds) = {
      {"crashes", kExamples, "a null pointer is written where a -1 is inferred",
       where_minus_one(write_nowhere)},
      {"recurses-without-end", kExamples, "the stack overflows where a -1 is inferred",
       where_minus_one([] { recurse(0); })},
      {"aborts", kExamples, "abort() where a -1 is inferred", where_minus_one(std::abort)},
      {"exits-with-0", kExamples, "exit(0) where a -1 is inferred",
       where_minus_one([] { std::exit(0); })},
      {"hangs", "example-2", "an endless loop where a -1 is inferred", where_minus_one([] {
         volatile bool busy = true;
         while (busy) {
         }
       })},
      {"throws", kExamples, "a C++ exception leaves where a -1 is inferred",
       where_minus_one([] { throw std::runtime_error("thrown on purpose"); })},
      {"divides-by-an-empty-product", "plain-zero-minus-one-empty",
       "the -1 is divided out by a product of 0, which ends the process",
       where(minus_one_beside_a_zero,
             [] {
               volatile std::int64_t count = 6, known = 0;
               count = count / known;
             }),
       like("pytorch/pytorch#8302")},
      {"aborts-above-int64", "beyond-plain-true",
       "a number of elements above 2^63-1 is asserted not to happen",
       where([](const Asked& asked) { return !element_count(asked.data); }, std::abort),
       like("tensorflow/tensorflow#46693")},
      {"aborts-at-rank-255", "rank-255-of-zeros", "255 sizes are asserted not to happen",
       where([](const Asked& asked) { return asked.pattern.size() >= 255; }, std::abort),
       like("GHSA-f4w6-h4f5-wx45")},
      {"throws-on-refusal", "in-place-two-minus-ones", "a refusal is thrown",
       after_refusals([](const reshape_message& why) { throw std::invalid_argument(why.text); })},
  };
  table[Duty::C16] = {
      {"crashes-in-execute", kExamples, "a null pointer is written after the copy",
       after_execute([](const reshape_request&, DLTensor&) { write_nowhere(); }),
       caught("bytes", "process") | kHostile},
      {"aborts-on-empty-data", "infer-zero-view-empty",
       "execution asserts that there is something to copy", executing([](const Execution& call) {
         if (is_empty(shape_of(call.data()))) std::abort();
         return call.right();
       }),
       caught("bytes", "process") | like("opencv/opencv#18209") | kHostile},
      {"null-pattern-read", "integers-empty-pattern.i32",
       "the first value of a pattern is read before its length is looked at",
       inferring([](const Inference& call) {
         const volatile char* first = static_cast<const volatile char*>(call.request.pattern->data);
         [[maybe_unused]] const char read = *first;
         return call.right();
       }),
       caught("memory", "process") | like("GHSA-jjr8-m8g8-p6wv") | kHostile},
  };
  table.rows(Duty::C3, kEnds) = {Mutant{
      "garbles-every-file", kExamples,
      "garbage is written to every open file where a -1 is inferred", where_minus_one([] {
        for (int file = 0; file < 256; ++file) {
          [[maybe_unused]] const ssize_t written = write(file, "\xff garbage \n{}[] 0 1 2 3", 24);
        }
      })}};
  table.rows(Duty::C14, kOpenFiles) = {
      {"leaves-files-open", kExamples, "a file is opened in every call and never closed",
       before_each_call(open_a_file)},
      {"leaves-files-open-on-refusal", "empty-to-ones",
       "a file is opened for each request and closed only if it is not refused",
       after_refusals([](const reshape_message&) { open_a_file(); })},
      {"puts-another-file-in-place", kExamples,
       "standard input is opened anew, on a file of the library's own", before_each_call([] {
         const int file = open("/dev/zero", O_RDONLY);
         dup2(file, 0);
         close(file);
       })},
  };
  table.rows(Duty::C14, kFloatingPoint) = {
      {"changes-rounding", "", "rounding is set toward zero and left so",
       before_each_call([] { std::fesetround(FE_TOWARDZERO); })},
      {"flushes-denormals-from-now-on", "count-2.u8",
       "the copy sets the mode in which denormals are 0, and leaves it so",
       after_execute([](const reshape_request&, DLTensor&) { flush_denormals(); })},
      {"division-by-zero-traps-from-now-on", "count-2.u8",
       "floating-point exceptions are made to trap, and left so",
       before_each_call([] { feenableexcept(FE_DIVBYZERO); })},
      {"leaves-mmx-in-use", "count-2.u8",
       "eight bytes are moved by way of an MMX register, without emms",
       after_execute([](const reshape_request&, DLTensor&) {
#if defined(__x86_64__)
         const std::uint64_t bytes = 0;
         asm volatile("movq %0, %%mm0" : : "m"(bytes));
#else
         std::fesetround(FE_TOWARDZERO);
#endif
       })},
      {"leaves-the-direction-flag", kExamples, "after a backward copy the direction flag stays set",
       after_execute([](const reshape_request&, DLTensor&) {
#if defined(__x86_64__)
         asm volatile("std");
#else
         std::fesetround(FE_TOWARDZERO);
#endif
       })},
      {"built-for-fast-arithmetic", kExamples,
       "while it is loaded, denormals are set to be flushed to zero, in all of the process",
       while_loaded(flush_denormals)},
  };
  table[Duty::C14] = {
      {"leaves-threads", "", "a thread that was not declared lives on", before_each_call([] {
         static int started = 0;
         pthread_t thread;
         if (++started <= 64 && pthread_create(&thread, nullptr, sleep_forever, nullptr) == 0) {
           pthread_detach(thread);
         }
       }),
       caught("memory", "threads")},
      {"changes-the-locale", "", "the locale is set to C.UTF-8 and left so", before_each_call([] {
         if (std::setlocale(LC_ALL, "C.UTF-8") == nullptr) std::setlocale(LC_ALL, "POSIX");
       }),
       caught("memory", "locale")},
      {"takes-the-locale-of-the-environment", "", "the environment's locale is taken for numbers",
       before_each_call([] { std::setlocale(LC_NUMERIC, ""); }), caught("memory", "locale")},
      {"takes-the-letters-of-the-environment", "", "the environment's locale is taken for letters",
       before_each_call([] { std::setlocale(LC_CTYPE, ""); }), caught("memory", "locale")},
      {"wakes-the-thread-sooner", "", "timers of the calling thread are made exact, and left so",
       before_each_call([] { prctl(PR_SET_TIMERSLACK, 1); })},
      {"changes-the-directory", "", "the working directory is changed to /",
       before_each_call([] { [[maybe_unused]] const int done = chdir("/"); }),
       caught("memory", "working-directory")},
      {"changes-the-umask-while-loaded", kExamples,
       "while it is loaded, the mask of new files' permissions is set to 077",
       while_loaded([] { umask(077); })},
      {"takes-the-new-handler-away", kExamples,
       "the handler of memory that cannot be had is taken away (std::set_new_handler)",
       before_each_call([] { std::set_new_handler(nullptr); })},
      {"changes-the-umask", kExamples,
       "the mask of new files' permissions is set to 077 and left so",
       before_each_call([] { umask(077); })},
      {"sets-a-variable", kExamples, "OMP_NUM_THREADS is put into the environment, for everybody",
       in_the_first_call([] { setenv("OMP_NUM_THREADS", "1", 1); })},
      {"removes-a-variable", kExamples, "PATH is taken out of the environment",
       in_the_first_call([] { unsetenv("PATH"); })},
      {"lowers-the-priority", kExamples, "the process is made nicer, and stays so",
       in_the_first_call([] { [[maybe_unused]] const int now = nice(1); })},
      {"pins-the-thread", kExamples, "the calling thread is bound to one processor, and stays so",
       in_the_first_call([] {
         cpu_set_t now, one;
         if (sched_getaffinity(0, sizeof now, &now) != 0) return;
         CPU_ZERO(&one);
         for (int at = 0; at < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++at) {
           if (CPU_ISSET(at, &now)) CPU_SET(at, &one);
         }
         sched_setaffinity(0, sizeof one, &one);
       })},
      {"lowers-a-limit", kExamples, "the number of files that may be open is lowered, and left so",
       in_the_first_call([] {
         rlimit limit = {};
         getrlimit(RLIMIT_NOFILE, &limit);
         if (limit.rlim_cur > 64) --limit.rlim_cur;
         setrlimit(RLIMIT_NOFILE, &limit);
       })},
      {"leaves-a-timer", kExamples, "a timer for profiling is started and left to run",
       in_the_first_call([] {
         const itimerval hours = {{0, 0}, {36'000, 0}};
         setitimer(ITIMER_REAL, &hours, nullptr);
       })},
      {"leaves-a-child", kExamples, "a process is started and never waited for",
       in_the_first_call([] {
         if (fork() == 0) _exit(0);
       })},
      {"takes-the-terminate-handler", kExamples, "std::terminate is given another handler",
       in_the_first_call([] { std::set_terminate([] { std::abort(); }); })},
      {"leaves-an-alternate-stack", kExamples, "signals are handled on another stack from now on",
       before_each_call([] {
         static char stack[1 << 16];
         stack_t other = {};
         other.ss_sp = stack;
         other.ss_size = sizeof stack;
         sigaltstack(&other, nullptr);
       })},
      {"renames-the-thread", kExamples, "the calling thread gets the library's name",
       in_the_first_call([] { prctl(PR_SET_NAME, "reshape-worker"); })},
  };
  table.rows(Duty::C14, kSignalMask) = {
      {"blocks-a-signal", "", "SIGUSR1 is blocked and left so",
       before_each_call([] { block(SIGUSR1); })},
      {"blocks-a-realtime-signal", kExamples, "a real-time signal is blocked and left so",
       before_each_call([] { block(SIGRTMIN + 3); })},
  };
  table.rows(Duty::C14, kSignalHandlers) = {
      {"takes-a-signal-handler", "", "the handler of SIGFPE is replaced",
       before_each_call([] { std::signal(SIGFPE, SIG_IGN); })},
      {"takes-a-real-time-signal", "", "the handler of a real-time signal is replaced",
       before_each_call([] { std::signal(SIGRTMIN + 2, SIG_IGN); })},
      {"takes-a-rare-handler", kExamples, "SIGPROF, which profilers use, is ignored from now on",
       before_each_call([] { signal(SIGPROF, SIG_IGN); })},
  };
  table.rows(Duty::C15, kMemoryGrowth) = {
      {"leaks-memory", "", "4 KiB are allocated in every call and never freed",
       before_each_call([] { lose(4096); })},
      {"leaks-a-little", "count-2.u8", "64 bytes are allocated in every execution and never freed",
       after_execute([](const reshape_request&, DLTensor&) { lose(64); })},
      {"leaks-in-place", "",
       "64 bytes are allocated in every execution on top of the data and never freed",
       after_execute([](const reshape_request& request, DLTensor& out) {
         if (start_of(*request.data) == start_of(out)) lose(64);
       })},
      {"leaks-on-refusal", "strided-wrong-volume.bf16",
       "what was allocated for a request is not freed when it is refused",
       after_refusals([](const reshape_message&) { lose(1024); })},
      {"leaks-where-there-is-no-room", "",
       "what was allocated for a shape is not freed where there is too little room for it",
       infers_then([](reshape_status status, const Inference&) {
         if (status == RESHAPE_FAILED) lose(320);
         return status;
       })},
      {"leaks-by-the-output", "count-2.u8",
       "a staging buffer of the output's size is allocated in every execution and kept",
       after_execute([](const reshape_request&, DLTensor& out) {
         if (!is_empty(shape_of(out))) lose(static_cast<std::size_t>(Elements(out).count()));
       })},
  };

  Table hardship(Kind::process);  // mistakes that no watch sees in one request
  hardship[Duty::C17] = {
      {"dead-in-a-child-of-fork", "",
       "large copies wait for threads that a child of fork does not have",
       executing([](const Execution& call) {
         while (in_a_child() && is_large(call.output)) pause();
         return call.right();
       })},
      {"part-left-out-in-a-child-of-fork", "",
       "what other threads were to copy is left out in a child of fork",
       executing([](const Execution& call) {
         if (in_a_child() && is_large(call.output)) return RESHAPE_OK;
         return call.right();
       })},
      {"waits-at-the-end-of-a-child-of-fork", "",
       "a handler of exit() joins the threads of large copies, which a child of fork does not have",
       executing([](const Execution& call) {
         if (!in_a_child() && is_large(call.output)) {
           [[maybe_unused]] static const int registered = std::atexit([] {
             while (in_a_child()) pause();
           });
         }
         return call.right();
       })},
  };
  hardship[Duty::C3] = {
      {"rank-in-16-bits", "", "a rank is answered through 16 bits with a sign",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         shape.rank = static_cast<std::int16_t>(shape.rank);
       })},
  };
  hardship[Duty::C16] = {
      {"part-left-out-without-its-thread", "",
       "large copies are shared with a thread, and what it was to copy is left out where it cannot "
       "be started",
       executing([](const Execution& call) {
         if (!is_large(call.output)) return call.right();
         pthread_t thread;
         const auto nothing = [](void*) -> void* { return nullptr; };
         if (pthread_create(&thread, nullptr, nothing, nullptr) != 0) return RESHAPE_OK;
         pthread_join(thread, nullptr);
         return call.right();
       })},
  };
  hardship[Duty::C5] = {
      {"bytes-counted-in-32-bits", "",
       "of a dense copy of 4 GiB and more the bytes are counted in 32 bits",
       copying_dense([](std::int64_t bytes, int) { return static_cast<std::uint32_t>(bytes); })},
      {"elements-of-4-bits-counted-in-32-bits", "",
       "of a dense copy of elements of 4 bits the elements are counted in 32 bits",
       copying_dense([](std::int64_t bytes, int bits) -> std::size_t {
         return bits == 4 ? static_cast<std::uint32_t>(2 * bytes) / 2
                          : static_cast<std::size_t>(bytes);
       })},
      {"negative-number-of-bytes", "",
       "a dense copy of 2 GiB and more is left out, since 32 bits hold its number of bytes as a "
       "negative one",
       copying_dense([](std::int64_t bytes, int) {
         return std::max(std::int32_t{0}, static_cast<std::int32_t>(bytes));
       })},
      {"bytes-cut-to-31-bits", "",
       "of a dense copy of 2 to 4 GiB as many bytes are copied as an int holds",
       copying_dense([](std::int64_t bytes, int) {
         constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
         return bytes <= std::numeric_limits<std::uint32_t>::max() ? std::min(bytes, kMost) : bytes;
       })},
  };
  hardship[Duty::C7] = {
      Mutant{
          "writes-back-the-rest-of-a-line", "",
          "the last line of 16 bytes is read, merged and written back, what is behind the output "
          "too",
          after_execute([](const reshape_request&, DLTensor& out) {
            if (out.strides != nullptr || empty(out)) return;
            constexpr std::uintptr_t kLine = 16;
            auto* const end =
                reinterpret_cast<volatile std::uint8_t*>(start_of(out)) + bytes_of(out);
            const auto rest = (kLine - reinterpret_cast<std::uintptr_t>(end) % kLine) % kLine;
            std::uint8_t behind[kLine];
            for (std::uintptr_t at = 0; at < rest; ++at) behind[at] = end[at];
            // It takes as long as a transfer would.
            constexpr int kTimes = 64;
            for (int time = 0; time < kTimes; ++time) end[-1] = end[-1];
            for (std::uintptr_t at = 0; at < rest; ++at) end[at] = behind[at];
          })},
      Mutant{"writes-gaps-back", "",
             "every second byte is merged into a word, which is written back with the gap",
             after_execute([](const reshape_request&, DLTensor& out) {
               if (out.dtype.bits != 8 || out.strides == nullptr || out.ndim != 1 ||
                   out.strides[0] != 2 || out.shape[0] < 2) {
                 return;
               }
               auto* const gap = reinterpret_cast<volatile std::uint8_t*>(start_of(out)) + 1;
               const std::uint8_t before = *gap;
               // It takes as long as a vector of such words would.
               constexpr int kTimes = 64;
               for (int time = 0; time < kTimes; ++time) start_of(out)[0] = start_of(out)[0];
               *gap = before;
             })}};
  hardship[Duty::C14] = {
      {"keys-of-threads-not-given-back", "",
       "now and then a key for values of threads is created, and never deleted", now_and_then([] {
         pthread_key_t key = 0;
         pthread_key_create(&key, nullptr);
       })},
      {"timers-not-given-back", "", "now and then a timer is created, and never deleted",
       now_and_then([] {
         sigevent none = {};
         none.sigev_notify = SIGEV_NONE;
         timer_t timer = {};
         timer_create(CLOCK_MONOTONIC, &none, &timer);
       })},
  };
  hardship[Duty::C15] = {
      {"maps-a-page-now-and-then", "", "now and then a page is mapped, and never unmapped",
       now_and_then([] {
         void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
         static_cast<void>(page);
       })},
      {"thread-keeps-its-buffer", "",
       "each thread gets a buffer of its own, which it does not give back when it ends",
       before_each_call([] {
         thread_local char* const volatile buffer = static_cast<char*>(std::malloc(4096));
         *buffer = 0;
       })},
  };
  hardship[Duty::C16] = {
      {"memory-not-looked-at", "",
       "large copies go through a buffer, and whether it could be had is not looked at",
       where_memory_is_short([](const Execution&) {
         char* volatile buffer = nullptr;
         *buffer = 0;
         return RESHAPE_OK;
       })},
      {"ok-without-memory", "",
       "large copies go through a buffer, and are left out where it cannot be had",
       where_memory_is_short([](const Execution&) { return RESHAPE_OK; })},
      {"fails-with-a-part-written", "",
       "that no buffer can be had shows when part of the output is written",
       where_memory_is_short([](const Execution& call) {
         std::memset(start_of(call.output), 0, 64);
         return call.answer(RESHAPE_FAILED, "no memory");
       })},
  };
  Mutants all = table.mutants();
  std::ranges::copy(hardship.mutants(), std::back_inserter(all));
  return all;
}

}  // namespace reshape::conformance::self
