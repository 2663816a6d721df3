// Libraries that end the process, or never return.
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "conformance/self/hostile/hostile.h"

namespace hostile {
namespace {

Kind executes(std::string_view name, std::string_view says,
              void (*task)(const reshape_request&, DLTensor&)) {
  Kind kind{name, says};
  kind.before_execution = task;
  return kind;
}

[[gnu::noinline]] int recurse(int depth) {
  volatile char page[4096];
  page[depth % 4096] = 1;
  return depth < 0 ? 0 : recurse(depth + 1) + page[0];
}

void print_much() {
  const std::string line(4096, 'x');
  for (int i = 0; i < 2500; ++i) {
    if (write(1, line.data(), line.size()) < 0) return;
  }
}

// Each process ends as soon as it has a child, so that whoever looks for it only finds ended ones.
void run_away() {
  constexpr int kSteps = 200'000;  // a minute, if nobody ends it
  for (int step = 0; step < kSteps; ++step) {
    const pid_t child = fork();
    if (child > 0 && step > 0) _exit(0);
    if (child > 0) sleep_forever();
    setsid();
  }
  _exit(0);
}

void start_threads() {
  const int most = 1024 + 64 * get_nprocs_conf() + 100;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  const auto sleep = [](void*) -> void* { sleep_forever(); };
  for (int started = 0; started < most; ++started) {
    pthread_t thread;
    if (pthread_create(&thread, &small, sleep, nullptr) != 0) break;
  }
  sleep_forever();
}

// Of a process whose name has no blank.
pid_t parent_of(pid_t process) {
  const std::string name = "/proc/" + std::to_string(process) + "/stat";
  std::FILE* file = std::fopen(name.c_str(), "r");
  if (file == nullptr) return 0;
  int parent = 0;
  if (std::fscanf(file, "%*d %*s %*c %d", &parent) != 1) parent = 0;
  std::fclose(file);
  return parent;
}

bool is_later_process() {
  constexpr long kEarlier = 3;
  const char* name = std::getenv("RESHAPE_HOSTILE_COUNT");
  std::FILE* file = name == nullptr ? nullptr : std::fopen(name, "a");
  if (file == nullptr) return false;
  std::fputc('1', file);
  const bool later = std::ftell(file) > kEarlier;
  std::fclose(file);
  return later;
}

}  // namespace

Kinds ending_kinds() {
  return {
      infers("crashes", "writes to nowhere", [](const reshape_request&) { write_nowhere(); }),
      infers("divides-by-zero", "raises SIGFPE", [](const reshape_request&) { raise(SIGFPE); }),
      infers("illegal-instruction", "runs into an instruction that is none",
             [](const reshape_request&) { __builtin_trap(); }),
      infers("aborts", "aborts", [](const reshape_request&) { std::abort(); }),
      infers("terminates", "calls std::terminate",
             [](const reshape_request&) { std::terminate(); }),
      infers("throws", "throws through the C boundary",
             [](const reshape_request&) { throw std::runtime_error("thrown\x1b[2J"); }),
      infers("throws-a-number", "throws what is no exception",
             [](const reshape_request&) { throw 7; }),
      infers("exits-with-0", "ends the process as if all were well",
             [](const reshape_request&) { std::exit(0); }),
      infers("exits-at-once", "ends the process without its destructors",
             [](const reshape_request&) { _exit(0); }),
      infers("ends-its-thread", "ends the thread that asked it",
             [](const reshape_request&) { pthread_exit(nullptr); }),
      infers("jumps-nowhere", "jumps to a place that it never was at",
             [](const reshape_request&) {
               jmp_buf nowhere = {};
               longjmp(nowhere, 1);
             }),
      infers("kills-itself", "kills its process", [](const reshape_request&) { raise(SIGKILL); }),
      infers("stops-itself", "stops its process", [](const reshape_request&) { raise(SIGSTOP); }),
      infers("kills-its-parent", "kills the process that started it",
             [](const reshape_request&) { kill(getppid(), SIGKILL); }),
      infers("aborts-its-parent", "has the process that started it dump core",
             [](const reshape_request&) { kill(getppid(), SIGABRT); }),
      infers("kills-its-group", "kills its process group",
             [](const reshape_request&) { kill(0, SIGKILL); }),
      infers("stops-its-parent", "stops the process that started it",
             [](const reshape_request&) { kill(getppid(), SIGSTOP); }),
      infers("stops-its-grandparent", "stops the process above the one that started it",
             [](const reshape_request&) {
               if (const pid_t above = parent_of(getppid()); above > 1) kill(above, SIGSTOP);
             }),
      infers("recurses", "recurses without an end", [](const reshape_request&) { recurse(0); }),
      infers("allocates", "takes memory without an end",
             [](const reshape_request&) {
               for (;;) {
                 char* more = static_cast<char*>(std::malloc(64 << 20));
                 if (more == nullptr) std::abort();
                 more[0] = 1;
               }
             }),
      infers("grows-a-file", "has a file grow without an end",
             [](const reshape_request&) {
               const int file = open("endless", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
               off_t size = 1 << 20;
               while (ftruncate(file, size) == 0) size *= 2;
               close(file);
             }),
      infers("hangs", "sleeps for ever", [](const reshape_request&) { sleep_forever(); }),
      infers("loops", "computes for ever",
             [](const reshape_request&) {
               for (;;) asm volatile("");
             }),
      infers("hangs-deaf", "sleeps for ever with every signal blocked",
             [](const reshape_request&) {
               sigset_t all;
               sigfillset(&all);
               sigprocmask(SIG_SETMASK, &all, nullptr);
               sleep_forever();
             }),
      infers("hangs-in-a-session", "starts a session of its own and hangs in it",
             [](const reshape_request&) {
               setsid();
               sleep_forever();
             }),
      infers("hangs-beside-a-session", "starts a process in a session of its own, and both hang",
             [](const reshape_request&) {
               if (fork() == 0) setsid();
               sleep_forever();
             }),
      infers("hangs-beside-a-daemon", "starts a daemon by two forks, and both hang",
             [](const reshape_request&) {
               if (fork() == 0) {
                 setsid();
                 if (fork() == 0) sleep_forever();
                 _exit(0);
               }
               sleep_forever();
             }),
      infers("forks", "forks without an end", [](const reshape_request&) { fork_without_end(); }),
      infers("forks-and-ends", "is for ever another process, whose parent has ended",
             [](const reshape_request&) { run_away(); }),
      infers("starts-threads", "starts threads without an end",
             [](const reshape_request&) { start_threads(); }),
      infers("hangs-in-a-later-process",
             "hangs in all processes but the first three, as the file RESHAPE_HOSTILE_COUNT counts "
             "them",
             [](const reshape_request&) {
               static const bool later = is_later_process();
               if (later) sleep_forever();
             }),
      infers("forks-in-a-later-process", "forks without an end in the processes that hang there",
             [](const reshape_request&) {
               static const bool later = is_later_process();
               if (later) fork_without_end();
             }),
      infers("hangs-in-its-first-call", "hangs in the first call of each process",
             [](const reshape_request&) {
               if (first_time()) sleep_forever();
             }),
      executes("hangs-in-execute", "sleeps for ever in execute",
               [](const reshape_request&, DLTensor&) { sleep_forever(); }),
      executes("crashes-in-execute", "writes to nowhere in execute",
               [](const reshape_request&, DLTensor&) { write_nowhere(); }),
      executes("hangs-in-threads", "hangs in every thread but the first",
               [](const reshape_request&, DLTensor&) {
                 if (syscall(SYS_gettid) != getpid()) sleep_forever();
               }),
      infers("slow", "takes 20 ms for each call", [](const reshape_request&) { usleep(20'000); }),
      infers("prints-much", "prints ten megabytes for each call",
             [](const reshape_request&) { print_much(); }),
      infers("closes-every-file", "closes every open file",
             [](const reshape_request&) { closefrom(0); }),
      infers("answers-itself", "writes into every socket that it finds",
             [](const reshape_request&) {
               for (int file = 3; file < 16; ++file) {
                 [[maybe_unused]] const auto sent =
                     write(file, "{\"status\":0}garbage-garbage", 27);
               }
             }),
      infers("dies-with-words", "prints what no terminal should see, and dies",
             [](const reshape_request&) {
               [[maybe_unused]] const auto sent =
                   write(2, "\x1b[2J\x1b]0;owned\x07\xe2\x80\xae\n", 17);
               std::abort();
             }),
  };
}

}  // namespace hostile
