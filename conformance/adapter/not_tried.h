#pragma once

namespace reshape::conformance {

// How the message of an error begins where this program could not start a process of its own for an
// implementation, or a child. The machine refused that, or this program lacks what it takes: nothing
// was tried of the implementation, which is not to blame.
inline constexpr const char* kNoHost = "a host process cannot be started: ";
inline constexpr const char* kNoChild = "it cannot be started: ";

}  // namespace reshape::conformance
