#include "conformance/run/ask_to_end.h"

#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <string_view>

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;

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
std::atomic<Clock::time_point> g_when = Clock::time_point();
std::atomic<pid_t> g_process = 0;  // that heeds; jobs that it forks say nothing
std::atomic<const char*> g_command = "";

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
  constexpr std::chrono::milliseconds kSameRequest{500};
  const bool again = g_request != nullptr;
  if (again && Clock::now() - g_when.load() < kSameRequest) return;
  for (const Heeded& one : g_heeded) {
    if (one.signal != signal) continue;
    if (again) return end_by(one);
    g_when = Clock::now();
    g_request = one.name;
    if (getpid() != g_process) return;
    say("reshape-conformance ");
    say(g_command.load());
    say(": ends with what it knows by now; once more ends it at once\n");
    ::signal(SIGALRM, end_at_last);
    alarm(kMostSeconds);
  }
}

}  // namespace

void heed_requests_to_end(const char* command) {
  g_command = command;
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
