#include "conformance/adapter/examine/watches/displaced_handlers.h"

#include <array>
#include <atomic>
#include <cstddef>

namespace reshape::conformance {
namespace {

constexpr std::size_t kSignals = 65;
std::array<struct sigaction, kSignals> g_handlers;
std::array<std::atomic<bool>, kSignals> g_there;

}  // namespace

void note_displaced(int signal, const struct sigaction& handler) {
  const auto at = static_cast<std::size_t>(signal);
  if (at >= kSignals) return;
  g_there[at] = false;
  g_handlers[at] = handler;
  g_there[at] = true;
}

const struct sigaction* displaced(int signal) {
  const auto at = static_cast<std::size_t>(signal);
  return at < kSignals && g_there[at] ? &g_handlers[at] : nullptr;
}

}  // namespace reshape::conformance
