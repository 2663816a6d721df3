#pragma once

#include <signal.h>

namespace reshape::conformance {

// The handlers of an implementation that were taken out, because those of this process were put
// back in their place. A language's runtime (Java's) needs them: it lets threads fault on purpose.
// The handler that was put back calls them where a fault is not its own.

// Of one thread at a time.
void note_displaced(int signal, const struct sigaction& handler);
// For handlers of signals. Null where none was taken out.
const struct sigaction* displaced(int signal);

}  // namespace reshape::conformance
