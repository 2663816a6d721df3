#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace reshape::conformance {

// A descriptor that becomes readable when the process ends, or -1 where the system has none. Called
// directly, because the C library's header of Debian 12 declares it for C only.
inline int open_pidfd(pid_t process) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
#else
  static_cast<void>(process);
  return -1;
#endif
}

}  // namespace reshape::conformance
