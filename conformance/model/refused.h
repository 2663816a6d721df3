#pragma once

#include <cerrno>
#include <cstring>
#include <string>

namespace reshape::conformance {

// Whether an errno means that the machine lacks a resource: another process, thread or open file,
// or memory. An implementation is not to blame for requests that could not be asked because of it.
inline bool is_refusal(int error) {
  return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
}

// The message of a malformed Outcome where the process that asks had no memory for it. The
// implementation has taken it, where no limit of the shell is the reason.
inline constexpr const char* kNoMemoryToAsk = "no memory was left to ask with";

inline constexpr const char* kRefused = "the machine refused ";

// "the machine refused another process: Resource temporarily unavailable"
inline std::string refused(const std::string& what, int error) {
  return kRefused + what + ": " + std::strerror(error);
}

}  // namespace reshape::conformance
