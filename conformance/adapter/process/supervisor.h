#pragma once

namespace reshape::conformance {

// Between the runner and a process that runs what others wrote stands another one, the supervisor, which
// does nothing but wait. An implementation that kills its parent kills the supervisor and not the runner. Until its
// own end reaches it, its next parent is a process that stands between the supervisor and the runner;
// a runner that dies, or closes its end of `channel`, takes both along, and all that they started.

// What the supervisor does with its standard input, output and error. Where they are pipes to the runner,
// the runner is to see them end when the supervised process closes its own.
enum class Files { kept, closed };

// Returns true in the supervised process; the supervisor never returns, and ends the way in which that
// process ends. False: there is nobody to be supervised by, because the machine refuses a process (`errno` tells
// why) or the one that started this one is gone.
bool fork_supervised(int channel, Files files);

// A supervised process that starts more processes or threads than it may (see process_tree.h) is ended with all of
// them, and the supervisor ends of a signal that says so (see host_exit.h).

// An implementation that allocates without end dies of that alone, and leaves no core file behind; so does one that
// writes a file without end. Nor does it take all processes that its user may have. The sanitizers need more memory than any limit that would help.
void limit_resources();

}  // namespace reshape::conformance
