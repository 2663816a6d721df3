#pragma once

// Simulates a machine that lacks resources: the kernel answers EAGAIN to this process and all its
// descendants, for good. Needs no privileges, and affects root as well.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace reshape::conformance {

enum class Refusal : std::uint8_t {
  threads,  // pthread_create
  spawned,  // posix_spawn
  forked,   // fork
};

// False: this kernel does not support filters.
inline bool refuse(Refusal what) {
  // The C library falls back to clone, whose flags a filter can read.
  constexpr auto kNotThere = static_cast<std::uint32_t>(SECCOMP_RET_ERRNO | ENOSYS);
  constexpr auto kRefused = static_cast<std::uint32_t>(SECCOMP_RET_ERRNO | EAGAIN);
  constexpr auto kLoad = static_cast<std::uint16_t>(BPF_LD | BPF_W | BPF_ABS);
  constexpr auto kEqual = static_cast<std::uint16_t>(BPF_JMP | BPF_JEQ | BPF_K);
  constexpr auto kMask = static_cast<std::uint16_t>(BPF_ALU | BPF_AND | BPF_K);
  constexpr auto kReturn = static_cast<std::uint16_t>(BPF_RET | BPF_K);
  constexpr std::uint32_t kFlags = CLONE_THREAD | CLONE_VFORK | CLONE_VM;
  const std::uint32_t refused = what == Refusal::threads   ? CLONE_THREAD | CLONE_VM
                                : what == Refusal::spawned ? CLONE_VFORK | CLONE_VM
                                                           : 0;
  sock_filter steps[] = {
      {kLoad, 0, 0, offsetof(seccomp_data, nr)},
      {kEqual, 0, 1, __NR_clone3},
      {kReturn, 0, 0, kNotThere},
      {kEqual, 0, 4, __NR_clone},
      {kLoad, 0, 0, offsetof(seccomp_data, args)},
      {kMask, 0, 0, kFlags},
      {kEqual, 0, 1, refused},
      {kReturn, 0, 0, kRefused},
      {kReturn, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog filter = {static_cast<unsigned short>(std::size(steps)), steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace reshape::conformance
