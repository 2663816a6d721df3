#include <signal.h>

#include <array>
#include <cstring>
#include <string>

#include "conformance/adapter/watches/watch.h"

namespace reshape::conformance {
namespace {

struct Named {
  int number;
  const char* name;
};
constexpr std::array kSignals = {
    Named{SIGHUP, "SIGHUP"},   Named{SIGINT, "SIGINT"},   Named{SIGQUIT, "SIGQUIT"},
    Named{SIGILL, "SIGILL"},   Named{SIGTRAP, "SIGTRAP"}, Named{SIGABRT, "SIGABRT"},
    Named{SIGBUS, "SIGBUS"},   Named{SIGFPE, "SIGFPE"},   Named{SIGUSR1, "SIGUSR1"},
    Named{SIGSEGV, "SIGSEGV"}, Named{SIGUSR2, "SIGUSR2"}, Named{SIGPIPE, "SIGPIPE"},
    Named{SIGALRM, "SIGALRM"}, Named{SIGTERM, "SIGTERM"}, Named{SIGCHLD, "SIGCHLD"}};

// The two spellings of a handler share their place, so one comparison serves both.
bool same_handler(const struct sigaction& one, const struct sigaction& other) {
  return one.sa_handler == other.sa_handler && one.sa_flags == other.sa_flags;
}

// Duty C14: which signals are blocked, and who handles them.
class Signals : public Watch {
 public:
  void before(const CallSite&) override {
    pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      sigaction(kSignals[i].number, nullptr, &handlers_[i]);
    }
  }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    for (const Named& one : kSignals) {
      const int blocked = sigismember(&now, one.number);
      if (blocked == sigismember(&mask_, one.number)) continue;
      seen.push_back({"signal-mask", Plane::memory, "C14",
                      std::string(one.name) + (blocked ? " was blocked" : " was unblocked")});
      pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
      break;
    }
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction handler = {};
      sigaction(kSignals[i].number, nullptr, &handler);
      if (same_handler(handler, handlers_[i])) continue;
      seen.push_back({"signal-handlers", Plane::memory, "C14",
                      std::string("the handler of ") + kSignals[i].name + " was replaced"});
      sigaction(kSignals[i].number, &handlers_[i], nullptr);
    }
  }

 private:
  sigset_t mask_ = {};
  std::array<struct sigaction, kSignals.size()> handlers_ = {};
};

}  // namespace

WatchPtr watch_signals() { return std::make_unique<Signals>(); }

}  // namespace reshape::conformance
