#pragma once

namespace reshape::conformance {

// Exit codes by which a host process tells its runner what became of it.
inline constexpr int kHostLostChannel = 113;  // the socket could not be used any more
// The machine refused a process, before anything of an implementation was loaded.
inline constexpr int kHostRefused = 114;

}  // namespace reshape::conformance
