// Right answers from a bad guest: the process is not left as it was found, or does not survive.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "conformance/self/mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

// A request that a run has many of, so that the mistake shows and the run goes on.
bool infers(const reshape_request* request) { return Asked(*request).minus_ones() == 1; }

void write_nowhere() {
  volatile int* nowhere = nullptr;
  *nowhere = 1;
}

[[gnu::noinline]] int recurse(int depth) {
  volatile char page[4096];
  page[depth % 4096] = 1;
  return depth < 0 ? 0 : recurse(depth + 1) + page[0];
}

void* sleep_forever(void*) {
  for (;;) pause();
}

// Does something in every inference that has a -1 to infer, before answering rightly.
template <typename Do>
auto where_minus_one(Do) {
  return +[](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
    if (infers(request)) Do{}();
    return right().infer_shape(request, shape, why);
  };
}

}  // namespace

MUTANT("crashes", Breaks("C16"), Caught("shape", "process"), Hostile{},
       Says("a null pointer is written where a -1 is inferred"), kExamples) {
  table.infer_shape = where_minus_one([] { write_nowhere(); });
}

MUTANT("crashes-in-execute", Breaks("C16"), Caught("bytes", "process"), Hostile{},
       Says("a null pointer is written after the copy"), kExamples) {
  table.execute = after_execute([](const reshape_request&, DLTensor&) { write_nowhere(); });
}

MUTANT("recurses-without-end", Breaks("C16"), Caught("shape", "process"), Hostile{},
       Says("the stack overflows where a -1 is inferred"), kExamples) {
  table.infer_shape = where_minus_one([] { recurse(0); });
}

MUTANT("aborts", Breaks("C16"), Caught("shape", "process"), Hostile{},
       Says("abort() where a -1 is inferred"), kExamples) {
  table.infer_shape = where_minus_one([] { std::abort(); });
}

MUTANT("exits-with-0", Breaks("C16"), Caught("shape", "process"), Hostile{},
       Says("exit(0) where a -1 is inferred"), kExamples) {
  table.infer_shape = where_minus_one([] { std::exit(0); });
}

MUTANT("hangs", Breaks("C16"), Caught("shape", "process"), Hostile{},
       Says("an endless loop where a -1 is inferred"), On("openvino-reshape-1/example-2")) {
  table.infer_shape = where_minus_one([] {
    volatile bool busy = true;
    while (busy) {
    }
  });
}

MUTANT("throws", Breaks("C16"), Caught("shape", "process"), Hostile{},
       Says("a C++ exception leaves where a -1 is inferred"), kExamples) {
  table.infer_shape = where_minus_one([] { throw std::runtime_error("thrown on purpose"); });
}

MUTANT("garbles-every-file", Breaks("C3"), Caught("shape", "process"), Hostile{},
       Says("garbage is written to every open file where a -1 is inferred"), kExamples) {
  table.infer_shape = where_minus_one([] {
    for (int file = 0; file < 256; ++file) {
      [[maybe_unused]] const ssize_t written = write(file, "\xff garbage \n{}[] 0 1 2 3", 24);
    }
  });
}

MUTANT("leaves-files-open", Breaks("C14"), Caught("memory", "open-files"),
       Says("a file is opened in every call and never closed"), kExamples) {
  before_each_call(table, [] { [[maybe_unused]] const int file = open("/dev/null", O_RDONLY); });
}

MUTANT("leaks-memory", Breaks("C15"), Caught("memory", "memory-growth"),
       Says("4 KiB are allocated in every call and never freed")) {
  before_each_call(table, [] {
    // Kept where the compiler must believe that somebody reads it.
    static volatile std::uintptr_t lost;
    lost = lost + reinterpret_cast<std::uintptr_t>(std::malloc(4096));
  });
}

MUTANT("changes-rounding", Breaks("C14"), Caught("memory", "floating-point-control"),
       Says("rounding is set toward zero and left so")) {
  before_each_call(table, [] { std::fesetround(FE_TOWARDZERO); });
}

MUTANT("leaves-threads", Breaks("C14"), Caught("memory", "threads"),
       Says("a thread that was not declared lives on")) {
  before_each_call(table, [] {
    static int started = 0;
    pthread_t thread;
    if (++started <= 64 && pthread_create(&thread, nullptr, sleep_forever, nullptr) == 0) {
      pthread_detach(thread);
    }
  });
}

MUTANT("changes-the-locale", Breaks("C14"), Caught("memory", "locale"),
       Says("the locale is set to C.UTF-8 and left so")) {
  before_each_call(table, [] {
    if (std::setlocale(LC_ALL, "C.UTF-8") == nullptr) std::setlocale(LC_ALL, "POSIX");
  });
}

MUTANT("blocks-a-signal", Breaks("C14"), Caught("memory", "signal-mask"),
       Says("SIGUSR1 is blocked and left so")) {
  before_each_call(table, [] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  });
}

MUTANT("takes-a-signal-handler", Breaks("C14"), Caught("memory", "signal-handlers"),
       Says("the handler of SIGFPE is replaced")) {
  before_each_call(table, [] { std::signal(SIGFPE, SIG_IGN); });
}

MUTANT("changes-the-directory", Breaks("C14"), Caught("memory", "working-directory"),
       Says("the working directory is changed to /")) {
  before_each_call(table, [] { [[maybe_unused]] const int done = chdir("/"); });
}

}  // namespace reshape::conformance::self
