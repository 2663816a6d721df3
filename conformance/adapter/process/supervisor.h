#pragma once

#include <cstdint>

namespace reshape::conformance {

// A supervisor process between the runner and the process that runs foreign code. An implementation
// that kills its parent kills the supervisor, not the runner. (Until it dies itself, it is
// reparented to a further process between supervisor and runner.) If the runner dies or closes its
// end of `channel`, both end with everything that was started.

// What the supervisor does with its standard streams. If they are pipes to the runner, they must be
// closed, so that the runner sees end of file when the supervised process closes its own.
enum class Files { kept, closed };

// Returns true in the supervised process. The supervisor never returns, and ends in the same way as
// that process. False: there is no supervisor, because the machine refuses a process (see `errno`)
// or the starting process is gone.
bool fork_supervised(int channel, Files files);

// A supervised process that starts too many processes or threads (see process_tree.h) is ended with
// all of them, and the supervisor ends by a signal that says so (see host_exit.h).

// Limits memory, file sizes and the number of processes, so that an implementation without bounds
// ends only itself, and leaves no core file. With sanitizers only file sizes are limited: they need
// more than any useful limit.
void limit_resources();
// To how many bytes of data it limits a process.
std::uint64_t most_data_bytes();

}  // namespace reshape::conformance
