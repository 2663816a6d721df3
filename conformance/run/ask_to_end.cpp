#include "conformance/run/ask_to_end.h"

#include <signal.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string_view>

namespace reshape::conformance {
namespace {

// An implementation that hangs, under a long deadline, would keep the run from ending.
constexpr unsigned kMostSeconds = 15;

struct Heeded {
  int signal;
  const char* name;
  struct sigaction before;
};
std::array<Heeded, 3> g_heeded = {
    {{SIGINT, "SIGINT", {}}, {SIGTERM, "SIGTERM", {}}, {SIGHUP, "SIGHUP", {}}}};
std::atomic<const char*> g_request = nullptr;
std::atomic<std::int64_t> g_when = 0;  // milliseconds
std::atomic<pid_t> g_process = 0;      // that heeds; jobs that it forks say nothing

std::int64_t now_in_milliseconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void say(std::string_view words) {
  const int error = errno;
  static_cast<void>(!write(STDERR_FILENO, words.data(), words.size()));
  errno = error;
}

// As if the signal had not been heeded.
void end_by(const Heeded& one) {
  sigaction(one.signal, &one.before, nullptr);
  raise(one.signal);
}

void end_at_last(int) {
  for (const Heeded& one : g_heeded) {
    if (one.name == g_request) end_by(one);
  }
}

void ask_to_end(int signal) {
  // timeout(1) sends a signal to the program and to its group, which is one request.
  constexpr std::int64_t kSameRequest = 500;
  const bool again = g_request != nullptr;
  if (again && now_in_milliseconds() - g_when < kSameRequest) return;
  for (const Heeded& one : g_heeded) {
    if (one.signal != signal) continue;
    if (again) return end_by(one);
    g_when = now_in_milliseconds();
    g_request = one.name;
    if (getpid() != g_process) return;
    say("reshape-conformance run: ends with what it knows by now; once more ends it at once\n");
    std::signal(SIGALRM, end_at_last);
    alarm(kMostSeconds);
  }
}

}  // namespace

void heed_requests_to_end() {
  g_process = getpid();
  for (Heeded& one : g_heeded) {
    struct sigaction now = {};
    sigaction(one.signal, nullptr, &now);
    if (now.sa_handler != ask_to_end) one.before = now;
  }
  struct sigaction action = {};
  action.sa_handler = ask_to_end;
  action.sa_flags = SA_RESTART;
  for (const Heeded& one : g_heeded) {
    if (one.before.sa_handler != SIG_IGN) sigaction(one.signal, &action, nullptr);
  }
}

const char* request_to_end() { return g_request; }

}  // namespace reshape::conformance
