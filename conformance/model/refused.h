#pragma once

#include <cerrno>
#include <cstring>
#include <string>

namespace reshape::conformance {

// What a machine refuses a program for want of room: a process, a thread, memory or an open file more. No
// implementation is to blame for a question that could not be asked for that.
inline bool is_refusal(int error) {
  return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
}

inline constexpr const char* kRefused = "the machine refused ";

// "the machine refused another process: Resource temporarily unavailable"
inline std::string refused(const std::string& what, int error) {
  return kRefused + what + ": " + std::strerror(error);
}

}  // namespace reshape::conformance
