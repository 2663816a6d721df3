#pragma once

#include <csignal>

namespace reshape::conformance {

// Exit codes by which a host process tells its runner what became of it.
inline constexpr int kHostLostChannel = 113;  // the socket could not be used any more
// The machine refused a process, before anything of an implementation was loaded.
inline constexpr int kHostRefused = 114;

// The signals that a supervisor ends of when what it supervises is a bomb. No program dies of them by accident,
// as it may end with any code.
inline int too_many_processes() { return SIGRTMAX - 3; }
inline int too_many_threads() { return SIGRTMAX - 4; }

}  // namespace reshape::conformance
