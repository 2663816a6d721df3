#pragma once

#include <csignal>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/process/host_note.h"

namespace reshape::conformance {

inline constexpr int kFaultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// From now on a fatal signal (one of these) records on `note` what is known about it: which guarded
// buffer the faulting address belongs to and how far outside it is, a null pointer, a stack
// overflow. The process still dies of the signal. For host processes only. An implementation may replace the
// handlers; then only the signal is known.
void install_fault_handler(HostNote* note);

// Sent with SIGABRT to a host that gave no answer in time: its handler notes the frame and nothing
// else, and the process dies of it.
constexpr int kWhereItHangs = 0x68616e67;

// From now on the note also records the innermost frame within `code` (empty: none). To be called
// again after the library was loaded again.
void look_for_frames_of(const LoadedCode& code);

}  // namespace reshape::conformance
