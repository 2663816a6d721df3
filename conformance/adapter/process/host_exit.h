#pragma once

#include <csignal>

namespace reshape::conformance {

// Exit codes of a host process that its runner understands.
inline constexpr int kHostLostChannel = 113;  // the socket could not be used any more
// The machine refused a process, before anything of an implementation was loaded.
inline constexpr int kHostRefused = 114;
inline constexpr int kHostLacksMemory = 115;  // and it memory, likewise

// The signals by which a supervisor ends if it had to stop a fork or thread bomb. Signals, because
// an implementation may exit with any code, but does not die of these by accident.
inline int too_many_processes() { return SIGRTMAX - 3; }
inline int too_many_threads() { return SIGRTMAX - 4; }

}  // namespace reshape::conformance
