#include "conformance/adapter/testing/misbehave.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {

int overflow_stack(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : overflow_stack(depth + 1) + frame[0];
}

void* sleep_long(void*) {
  for (;;) pause();
}

void* volatile g_kept = nullptr;

// As the runtime of Java does: a page that cannot be read, and a handler that makes it readable.
// All other faults are passed on to the handler that was there before.
char* g_page = nullptr;
struct sigaction g_before;

void on_page(int signal, siginfo_t* about, void* context) {
  if (about->si_addr == g_page) {
    mprotect(g_page, 4096, PROT_READ);
  } else {
    g_before.sa_sigaction(signal, about, context);
  }
}

void fault_on_purpose() {
  if (g_page == nullptr) {
    g_page = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    struct sigaction action = {};
    action.sa_sigaction = on_page;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &g_before);
  }
  mprotect(g_page, 4096, PROT_NONE);
  g_kept =
      reinterpret_cast<void*>(static_cast<std::uintptr_t>(*static_cast<volatile char*>(g_page)));
}

}  // namespace

void misbehave(std::string_view how) {
  if (how == "null-write") *static_cast<volatile int*>(nullptr) = 1;
  if (how == "abort") std::abort();
  if (how == "exit-0") std::exit(0);
  if (how == "exit-7") _exit(7);
  if (how == "exit-if-not-to-be-traced" && prctl(PR_GET_DUMPABLE) != 1) _exit(7);
  if (how == "hang") sleep_long(nullptr);
  if (how == "hang-when-unloaded") std::atexit([] { pause(); });
  if (how == "compute") {
    for (;;) asm volatile("");
  }
  if (how == "hang-with-pid") {
    if (std::FILE* file = std::fopen(std::getenv("RESHAPE_PID_FILE"), "w")) {
      std::fprintf(file, "%d\n", static_cast<int>(getpid()));
      std::fclose(file);
    }
    sleep_long(nullptr);
  }
  if (how == "hang-printing") {
    for (;;) std::printf("still here\n");
  }
  if (how == "throw") throw std::runtime_error("out of cheese");
  if (how == "throw-int") throw 7;
  if (how == "sets-itself-up-and-throws") {
    misbehave("sets-itself-up");
    misbehave("throw");
  }
  if (how == "stack-overflow") overflow_stack(0);
  if (how == "kill-group") kill(0, SIGKILL);
  if (how == "kill-parent") {
    kill(getppid(), SIGKILL);
    sleep_long(nullptr);
  }
  if (how == "segfault-by-kill") kill(getpid(), SIGSEGV);
  if (how == "own-handler-then-crash") {
    signal(SIGSEGV, SIG_DFL);
    *static_cast<volatile int*>(nullptr) = 1;
  }
  if (how == "faults-on-purpose") fault_on_purpose();
  if (how == "close-all") {
    for (int file = 0; file < 256; ++file) close(file);
  }
  if (how == "garbage-everywhere") {
    for (int file = 3; file < 256; ++file) static_cast<void>(!write(file, "garbage\n", 8));
  }
  if (how == "announces-much") {
    // As an answer to the first request of its process (see channel.h).
    const std::uint32_t head[] = {0x52736850, 1, 400u << 20};
    static char zeros[1 << 20];
    static_cast<void>(!send(3, head, sizeof head, MSG_NOSIGNAL));
    for (int sent = 0; sent < 400; ++sent) {
      if (send(3, zeros, sizeof zeros, MSG_NOSIGNAL) < 0) break;
    }
  }
  if (how == "takes-all-memory") {
    for (std::size_t size = std::size_t{1} << 30; size >= 16; size /= 2) {
      while ((g_kept = std::malloc(size)) != nullptr) {
      }
    }
  }
  if (how == "flood") {
    for (int i = 0; i < 200'000; ++i) std::printf("line %d of a flood of words\n", i);
    std::fflush(stdout);
  }
  if (how == "last-words") {
    std::fprintf(stderr, "assertion failed: the sky is blue\n\n");
    std::abort();
  }
  if (how == "rounding") std::fesetround(FE_UPWARD);
  // As a process begins, and not as the caller had it.
  if (how == "usual-arithmetic") std::fesetenv(FE_DFL_ENV);
  if (how == "usual-locale") std::setlocale(LC_ALL, "C");
  if (how == "usual-umask") umask(022);
  if (how == "usual-signals") {
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
  }
#if defined(__x86_64__)
  if (how == "flush-to-zero") {
    unsigned control = 0;
    asm volatile("stmxcsr %0" : "=m"(control));
    control |= 0x8000u;
    asm volatile("ldmxcsr %0" : : "m"(control));
  }
  if (how == "x87-precision") {
    unsigned short control = 0;
    asm volatile("fnstcw %0" : "=m"(control));
    control = static_cast<unsigned short>(control & ~0x0300u);
    asm volatile("fldcw %0" : : "m"(control));
  }
#endif
  if (how == "locale") std::setlocale(LC_ALL, "C.UTF-8");
  if (how == "block-signal") {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
  }
  if (how == "replace-handler") signal(SIGINT, SIG_IGN);
  if (how == "leak-file") static_cast<void>(!open("/dev/null", O_RDONLY));
  if (how == "chdir") static_cast<void>(!chdir("/"));
  if (how == "leak-memory") g_kept = std::malloc(48);
  if (how == "leak-mapping") {
    g_kept = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  if (how == "use-memory") {
    g_kept = std::malloc(48);
    std::free(g_kept);
  }
  if (how == "cache-once") {
    static void* cache = std::malloc(100'000);
    g_kept = cache;
  }
  if (how == "cache-fills") {
    static int entries = 0;
    if (entries < 36'000) g_kept = std::malloc(40);
    entries += entries < 36'000;
  }
  if (how == "leaks-slowly-for-ever") {
    static int calls = 0;
    if (++calls % 12 == 0) g_kept = std::malloc(512);
  }
  if (how == "sets-itself-up") {
    static bool done = false;
    pthread_t thread;
    if (!done) {
      signal(SIGUSR2, SIG_IGN);
      setenv("RESHAPE_BEHAVES", "1", 1);
      for (int i = 0; i < 3; ++i) pthread_create(&thread, nullptr, sleep_long, nullptr);
    }
    done = true;
  }
  if (how == "chdir-at-the-100th-call") {
    static int calls = 0;
    if (++calls == 100) static_cast<void>(!chdir("/"));
  }
  if (how == "leave-thread") {
    pthread_t thread;
    static bool started = pthread_create(&thread, nullptr, sleep_long, nullptr) == 0;
    static_cast<void>(started);
  }
  if (how == "joined-thread") {
    pthread_t thread;
    pthread_create(&thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
    pthread_join(thread, nullptr);
  }
  if (how == "allocate-without-end") {
    while (void* more = std::malloc(std::size_t{64} << 20)) std::memset(more, 1, 1 << 20);
    std::abort();
  }
}
