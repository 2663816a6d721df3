#pragma once

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/process/host_note.h"

namespace reshape::conformance {

// From now on a fatal signal leaves on `note` what can be known about it: which guarded buffer the
// faulting address belongs to and how far outside it lies, a null pointer, the end of the stack. The
// process still dies of the signal. For host processes only; an implementation may replace it, and
// then the signal alone is known.
void install_fault_handler(HostNote* note);

// From now on the note also tells the innermost frame that lies within `code`; in empty code lies none.
// To be called again where the library is loaded again.
void look_for_frames_of(const LoadedCode& code);

}  // namespace reshape::conformance
