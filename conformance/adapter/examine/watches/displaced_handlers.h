#pragma once

#include <signal.h>

namespace reshape::conformance {

// The handlers that an implementation has set, and in whose place others stand again. A language's
// runtime needs them: that of Java lets threads fault on purpose, and garbage collectors stop
// threads by signals. So whoever stands there calls them. All but note_displaced() is for handlers.

// Of one thread at a time.
void note_displaced(int signal, const struct sigaction& handler);

// Calls the handler that was set for this signal. False where there is none, and where that one has
// passed the signal on to the caller.
bool call_displaced(int signal, siginfo_t* about, void* context);
bool is_passed_on(const siginfo_t& about);

// To stand where no handler stood before: calls the one that was set, and does nothing else.
void forward_to_displaced(int signal, siginfo_t* about, void* context);

}  // namespace reshape::conformance
