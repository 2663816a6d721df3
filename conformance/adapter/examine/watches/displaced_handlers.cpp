#include "conformance/adapter/examine/watches/displaced_handlers.h"

#include <array>
#include <atomic>
#include <cstddef>

namespace reshape::conformance {
namespace {

constexpr std::size_t kSignals = 65;
std::array<struct sigaction, kSignals> g_handlers;
std::array<std::atomic<bool>, kSignals> g_there;

// The signal for which a handler is called on this thread.
thread_local const siginfo_t* g_passed_on = nullptr;

const struct sigaction* displaced(int signal) {
  const auto at = static_cast<std::size_t>(signal);
  return at < kSignals && g_there[at] ? &g_handlers[at] : nullptr;
}

}  // namespace

void note_displaced(int signal, const struct sigaction& handler) {
  const auto at = static_cast<std::size_t>(signal);
  if (at >= kSignals) return;
  g_there[at] = false;
  g_handlers[at] = handler;
  g_there[at] = true;
}

bool is_passed_on(const siginfo_t& about) { return &about == g_passed_on; }

bool call_displaced(int signal, siginfo_t* about, void* context) {
  constexpr int kMostWithin = 4;  // signals that come while such a handler is called
  thread_local int within = 0;
  const struct sigaction* const own = displaced(signal);
  if (own == nullptr || is_passed_on(*about) || within >= kMostWithin) return false;
  const siginfo_t* const before = g_passed_on;
  g_passed_on = about;
  ++within;
  if ((own->sa_flags & SA_SIGINFO) != 0) {
    own->sa_sigaction(signal, about, context);
  } else {
    own->sa_handler(signal);
  }
  --within;
  g_passed_on = before;
  return true;
}

void forward_to_displaced(int signal, siginfo_t* about, void* context) {
  call_displaced(signal, about, context);
}

}  // namespace reshape::conformance
