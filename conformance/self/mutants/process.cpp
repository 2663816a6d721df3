// Right answers from an implementation that does not leave the process as it was found, or ends it.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>

#include "conformance/self/families.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

// The processor is to stop this, not UndefinedBehaviorSanitizer before it.
__attribute__((no_sanitize("undefined"))) void write_nowhere() {
  volatile int* nowhere = nullptr;
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
Steps where(std::function<bool(const Asked&)> concerns, std::function<void(const Asked&)> task) {
  return inferring([=](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
    const Asked asked(*request);
    if (concerns(asked)) task(asked);
    return right().infer_shape(request, shape, why);
  });
}

// Requests that a run has many of, so that the mistake shows and the run goes on.
Steps where_minus_one(std::function<void()> task) {
  return where([](const Asked& asked) { return asked.minus_ones() == 1; },
               [=](const Asked&) { task(); });
}

// Does something after each refusal by inference.
Steps after_refusals(std::function<void(const reshape_message&)> task) {
  return infers_then([=](reshape_status status, reshape_shape&, reshape_message& why) {
    if (status == RESHAPE_REJECTED) task(why);
    return status;
  });
}

// As before_each_call, but in the first call only, which is when libraries set themselves up.
Steps in_the_first_call(std::function<void()> task) {
  return before_each_call([=, done = std::make_shared<bool>(false)] {
    if (!std::exchange(*done, true)) task();
  });
}

}  // namespace

Mutants families::process() {
  Mutants table = {
      {"crashes", Duty::C16, kExamples, "a null pointer is written where a -1 is inferred",
       where_minus_one(write_nowhere), caught("shape", "process") | kHostile},
      {"crashes-in-execute", Duty::C16, kExamples, "a null pointer is written after the copy",
       after_execute([](const reshape_request&, DLTensor&) { write_nowhere(); }),
       caught("bytes", "process") | kHostile},
      {"recurses-without-end", Duty::C16, kExamples, "the stack overflows where a -1 is inferred",
       where_minus_one([] { recurse(0); }), caught("shape", "process") | kHostile},
      {"aborts", Duty::C16, kExamples, "abort() where a -1 is inferred",
       where_minus_one(std::abort), caught("shape", "process") | kHostile},
      {"exits-with-0", Duty::C16, kExamples, "exit(0) where a -1 is inferred",
       where_minus_one([] { std::exit(0); }), caught("shape", "process") | kHostile},
      {"hangs", Duty::C16, "example-2", "an endless loop where a -1 is inferred",
       where_minus_one([] {
         volatile bool busy = true;
         while (busy) {
         }
       }),
       caught("shape", "process") | kHostile},
      {"throws", Duty::C16, kExamples, "a C++ exception leaves where a -1 is inferred",
       where_minus_one([] { throw std::runtime_error("thrown on purpose"); }),
       caught("shape", "process") | kHostile},
      {"garbles-every-file", Duty::C3, kExamples,
       "garbage is written to every open file where a -1 is inferred", where_minus_one([] {
         for (int file = 0; file < 256; ++file) {
           [[maybe_unused]] const ssize_t written = write(file, "\xff garbage \n{}[] 0 1 2 3", 24);
         }
       }),
       caught("shape", "process") | kHostile},
      {"leaves-files-open", Duty::C14, kExamples, "a file is opened in every call and never closed",
       before_each_call([] { [[maybe_unused]] const int file = open("/dev/null", O_RDONLY); }),
       caught("memory", "open-files")},
      {"leaks-memory", Duty::C15, "", "4 KiB are allocated in every call and never freed",
       before_each_call([] { lose(4096); }), caught("memory", "memory-growth")},
      {"changes-rounding", Duty::C14, "", "rounding is set toward zero and left so",
       before_each_call([] { std::fesetround(FE_TOWARDZERO); }),
       caught("memory", "floating-point-control")},
      {"leaves-threads", Duty::C14, "", "a thread that was not declared lives on",
       before_each_call([] {
         static int started = 0;
         pthread_t thread;
         if (++started <= 64 && pthread_create(&thread, nullptr, sleep_forever, nullptr) == 0) {
           pthread_detach(thread);
         }
       }),
       caught("memory", "threads")},
      {"changes-the-locale", Duty::C14, "", "the locale is set to C.UTF-8 and left so",
       before_each_call([] {
         if (std::setlocale(LC_ALL, "C.UTF-8") == nullptr) std::setlocale(LC_ALL, "POSIX");
       }),
       caught("memory", "locale")},
      {"blocks-a-signal", Duty::C14, "", "SIGUSR1 is blocked and left so",
       before_each_call([] { block(SIGUSR1); }), caught("memory", "signal-mask")},
      {"takes-a-signal-handler", Duty::C14, "", "the handler of SIGFPE is replaced",
       before_each_call([] { std::signal(SIGFPE, SIG_IGN); }), caught("memory", "signal-handlers")},
      {"changes-the-directory", Duty::C14, "", "the working directory is changed to /",
       before_each_call([] { [[maybe_unused]] const int done = chdir("/"); }),
       caught("memory", "working-directory")},
      {"divides-by-an-empty-product", Duty::C16, "plain-zero-minus-one-empty",
       "the -1 is divided out by a product of 0, which ends the process",
       where([](const Asked& asked) { return asked.minus_ones() == 1; },
             [](const Asked& asked) {
               volatile std::int64_t count = 6, known = 1;
               for (const PatternValue value : asked.with_zeros_copied())
                 known = value == 0 ? 0 : known;
               count = count / known;
             }),
       caught("shape", "process") | like("pytorch/pytorch#8302") | kHostile},
      {"aborts-above-int64", Duty::C16, "beyond-plain-true",
       "a number of elements above 2^63-1 is asserted not to happen",
       where([](const Asked& asked) { return !element_count(asked.data); },
             [](const Asked&) { std::abort(); }),
       caught("shape", "process") | like("tensorflow/tensorflow#46693") | kHostile},
      {"aborts-at-rank-255", Duty::C16, "rank-255-of-zeros", "255 sizes are asserted not to happen",
       where([](const Asked& asked) { return asked.pattern.size() >= 255; },
             [](const Asked&) { std::abort(); }),
       caught("shape", "process") | like("GHSA-f4w6-h4f5-wx45") | kHostile},
      {"aborts-on-empty-data", Duty::C16, "infer-zero-view-empty",
       "execution asserts that there is something to copy",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         if (is_empty(shape_of(*request->data))) std::abort();
         return right().execute(request, output, why);
       }),
       caught("bytes", "process") | like("opencv/opencv#18209") | kHostile},
      {"throws-on-refusal", Duty::C16, "in-place-two-minus-ones", "a refusal is thrown",
       after_refusals([](const reshape_message& why) { throw std::invalid_argument(why.text); }),
       caught("shape", "process") | kHostile},
      {"null-pattern-read", Duty::C16, "integers-empty-pattern.i32",
       "the first value of a pattern is read before its length is looked at",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         const volatile char* first = static_cast<const volatile char*>(request->pattern->data);
         [[maybe_unused]] const char read = *first;
         return right().infer_shape(request, shape, why);
       }),
       caught("memory", "process") | like("GHSA-jjr8-m8g8-p6wv") | kHostile},
      {"leaks-a-little", Duty::C15, "count-2.u8",
       "64 bytes are allocated in every execution and never freed",
       after_execute([](const reshape_request&, DLTensor&) { lose(64); }),
       caught("memory", "memory-growth")},
      {"leaks-on-refusal", Duty::C15, "strided-wrong-volume.bf16",
       "what was allocated for a request is not freed when it is refused",
       after_refusals([](const reshape_message&) { lose(1024); }),
       caught("memory", "memory-growth")},
      {"leaks-by-the-output", Duty::C15, "count-2.u8",
       "a staging buffer of the output's size is allocated in every execution and kept",
       after_execute([](const reshape_request&, DLTensor& out) {
         if (!is_empty(shape_of(out))) lose(static_cast<std::size_t>(Elements(out).count()));
       }),
       caught("memory", "memory-growth")},
      {"leaves-files-open-on-refusal", Duty::C14, "empty-to-ones",
       "a file is opened for each request and closed only if it is not refused",
       after_refusals([](const reshape_message&) {
         [[maybe_unused]] const int file = open("/dev/null", O_RDONLY);
       }),
       caught("memory", "open-files")},
      {"flushes-denormals-from-now-on", Duty::C14, "count-2.u8",
       "the copy sets the mode in which denormals are 0, and leaves it so",
       after_execute([](const reshape_request&, DLTensor&) {
#if defined(__SSE2__)
         __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#else
         std::fesetround(FE_TOWARDZERO);
#endif
       }),
       caught("memory", "floating-point-control")},
      {"division-by-zero-traps-from-now-on", Duty::C14, "count-2.u8",
       "floating-point exceptions are made to trap, and left so",
       before_each_call([] { feenableexcept(FE_DIVBYZERO); }),
       caught("memory", "floating-point-control")},
      {"changes-the-umask", Duty::C14, kExamples,
       "the mask of new files' permissions is set to 077 and left so",
       before_each_call([] { umask(077); })},
      {"sets-a-variable", Duty::C14, kExamples,
       "OMP_NUM_THREADS is put into the environment, for everybody",
       in_the_first_call([] { setenv("OMP_NUM_THREADS", "1", 1); })},
      {"removes-a-variable", Duty::C14, kExamples, "PATH is taken out of the environment",
       in_the_first_call([] { unsetenv("PATH"); })},
      {"lowers-the-priority", Duty::C14, kExamples, "the process is made nicer, and stays so",
       in_the_first_call([] { [[maybe_unused]] const int now = nice(1); })},
      {"pins-the-thread", Duty::C14, kExamples,
       "the calling thread is bound to one processor, and stays so", in_the_first_call([] {
         cpu_set_t now;
         if (sched_getaffinity(0, sizeof now, &now) != 0) return;
         cpu_set_t one;
         CPU_ZERO(&one);
         for (int at = 0; at < CPU_SETSIZE; ++at) {
           if (!CPU_ISSET(at, &now)) continue;
           CPU_SET(at, &one);
           break;
         }
         sched_setaffinity(0, sizeof one, &one);
       })},
      {"lowers-a-limit", Duty::C14, kExamples,
       "the number of files that may be open is lowered, and left so", in_the_first_call([] {
         rlimit limit = {};
         getrlimit(RLIMIT_NOFILE, &limit);
         limit.rlim_cur = limit.rlim_cur > 64 ? limit.rlim_cur - 1 : limit.rlim_cur;
         setrlimit(RLIMIT_NOFILE, &limit);
       })},
      {"leaves-a-timer", Duty::C14, kExamples, "a timer for profiling is started and left to run",
       in_the_first_call([] {
         const itimerval hours = {{0, 0}, {36'000, 0}};
         setitimer(ITIMER_REAL, &hours, nullptr);
       })},
      {"leaves-a-child", Duty::C14, kExamples, "a process is started and never waited for",
       in_the_first_call([] {
         if (fork() == 0) _exit(0);
       })},
      {"takes-the-terminate-handler", Duty::C14, kExamples,
       "std::terminate is given another handler",
       in_the_first_call([] { std::set_terminate([] { std::abort(); }); })},
      {"takes-a-rare-handler", Duty::C14, kExamples,
       "SIGPROF, which profilers use, is ignored from now on",
       before_each_call([] { signal(SIGPROF, SIG_IGN); }), caught("memory", "signal-handlers")},
      {"blocks-a-realtime-signal", Duty::C14, kExamples,
       "a real-time signal is blocked and left so", before_each_call([] { block(SIGRTMIN + 3); }),
       caught("memory", "signal-mask")},
      {"puts-another-file-in-place", Duty::C14, kExamples,
       "standard input is opened anew, on a file of the library's own", before_each_call([] {
         const int file = open("/dev/zero", O_RDONLY);
         dup2(file, 0);
         close(file);
       }),
       caught("memory", "open-files")},
      {"leaves-an-alternate-stack", Duty::C14, kExamples,
       "signals are handled on another stack from now on", before_each_call([] {
         static char stack[1 << 16];
         stack_t other = {};
         other.ss_sp = stack;
         other.ss_size = sizeof stack;
         sigaltstack(&other, nullptr);
       })},
      {"renames-the-thread", Duty::C14, kExamples, "the calling thread gets the library's name",
       in_the_first_call([] { prctl(PR_SET_NAME, "reshape-worker"); })},
  };
  return family(Kind::process, {"memory", "process-settings"}, std::move(table));
}

}  // namespace reshape::conformance::self
