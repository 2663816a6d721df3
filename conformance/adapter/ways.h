#pragma once

#include <memory>

#include "conformance/adapter/adapter.h"

namespace reshape::conformance {

// The three ways of start_adapter().

// Calls the library in this process: fast, but a crash ends the program and there is no deadline.
// Process-wide state (files, threads, memory) is watched only while this is the only such adapter.
Result<std::unique_ptr<Adapter>> start_in_process(const AdapterOptions& options);

// Reaches the library in a process of its own, which is this program started again with the hidden
// arguments `host --library PATH --channel FD` (see serve_as_host). A host process that dies, hangs
// or speaks nonsense is killed together with everything it started, and the next request gets a new
// one. What the library prints is discarded, except for the last line before a death.
Result<std::unique_ptr<Adapter>> start_host_process(const AdapterOptions& options);

// Reaches a program that speaks CHILD_PROTOCOL.md. Precondition: names_child(options.library). A
// child that dies, hangs, floods or answers nonsense is ended with everything it started, and the
// next request gets a new one. It is sent data of every payload; its memory is not watched.
Result<std::unique_ptr<Adapter>> start_child(const AdapterOptions& options);

}  // namespace reshape::conformance
