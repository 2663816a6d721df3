#include <signal.h>

#include <algorithm>
#include <array>
#include <string>

#include "conformance/adapter/examine/watches/displaced_handlers.h"
#include "conformance/adapter/examine/watches/watch.h"
#include "conformance/adapter/process/signal_name.h"

namespace reshape::conformance {
namespace {

constexpr int kFirst = 1;
constexpr int kMost = 64;  // real-time signals included; the kernel has no more

int last_signal() { return std::min(SIGRTMAX, kMost); }

// sa_handler and sa_sigaction share their storage, so one comparison is enough. Ignores
// SA_RESTORER, a flag that the C library adds, without publishing it, whenever a handler is set.
bool same_handler(const struct sigaction& one, const struct sigaction& other) {
  constexpr int kRestorer = 0x04000000;
  return one.sa_handler == other.sa_handler && ((one.sa_flags ^ other.sa_flags) & ~kRestorer) == 0;
}

bool is_function(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// Undoes that `found` stands where `before` stood. A function is called all the same, by the one
// that stands in its place.
void undo(int number, struct sigaction before, const struct sigaction& found) {
  if (is_function(found)) {
    note_displaced(number, found);
    if (is_function(before)) {
      // A signal may come to several threads at once.
      before.sa_flags &= ~static_cast<int>(SA_RESETHAND);
    } else {
      before = found;
      before.sa_flags |= SA_SIGINFO;
      before.sa_sigaction = forward_to_displaced;
    }
  }
  sigaction(number, &before, nullptr);
}

// Duty C14: the signal mask and the handlers.
class Signals : public Watch {
 public:
  void before(const CallSite&) override {
    pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
    for (int number = kFirst; number <= last_signal(); ++number) {
      sigaction(number, nullptr, &handler(number));
    }
  }

  void after(const CallSite&, Status, std::vector<Observation>& seen) override {
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    for (int number = kFirst; number <= last_signal(); ++number) {
      const int blocked = sigismember(&now, number);
      if (blocked == sigismember(&mask_, number)) continue;
      seen.push_back({CaughtBy::signal_mask, Plane::memory, Duty::C14,
                      signal_word(number) + (blocked ? " was blocked" : " was unblocked")});
      pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
      break;
    }
    for (int number = kFirst; number <= last_signal(); ++number) {
      struct sigaction found = {};
      sigaction(number, nullptr, &found);
      if (same_handler(found, handler(number))) continue;
      seen.push_back({CaughtBy::signal_handlers, Plane::memory, Duty::C14,
                      "the handler of " + signal_word(number) + " was replaced"});
      undo(number, handler(number), found);
    }
  }

 private:
  struct sigaction& handler(int number) { return handlers_[static_cast<std::size_t>(number)]; }

  sigset_t mask_ = {};
  std::array<struct sigaction, kMost + 1> handlers_ = {};
};

}  // namespace

WatchPtr watch_signals() { return std::make_unique<Signals>(); }

}  // namespace reshape::conformance
