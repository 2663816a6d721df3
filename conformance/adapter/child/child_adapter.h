#pragma once

#include <memory>

#include "conformance/adapter/adapter.h"

namespace reshape::conformance {

// Reaches a program that speaks CHILD_PROTOCOL.md. Precondition: names_child(options.library). A
// child that dies, hangs, floods or answers nonsense is ended with everything it started, and the
// next request gets a new one. It is sent data of every payload; its memory is not watched.
Result<std::unique_ptr<Adapter>> start_child(const AdapterOptions& options);

}  // namespace reshape::conformance
