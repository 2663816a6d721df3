#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <string>

namespace reshape::conformance {

// "SIGPWR"; "signal 42" where it has no name.
std::string signal_word(int signal);

// How a supervised process ended of a signal, in words: "died of SIGABRT (abort)", or that it was a
// bomb.
std::string death_by(int signal);
// The same of a status of waitpid(): also "ended with exit(0)".
std::string death_words(int status);

// The limit of the shell or the container that ended a process by `signal`, in words ("the kernel
// ended it for lack of memory"), or nothing. An implementation is not to blame for such an end.
// `used`: of wait4(), for the process and those below it. `ended_before`: ended_for_memory() before
// the process was started.
std::string ended_by_limit(int signal, const rusage& used, std::uint64_t ended_before);

}  // namespace reshape::conformance
