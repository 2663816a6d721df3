#pragma once

#include <chrono>
#include <cstdint>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/model/outcome.h"
#include "conformance/model/request.h"

namespace reshape::conformance {

// The most rows, and columns, of its tables.
inline constexpr std::int64_t kMostSideOfShapes = 260;

// Hardship::many_shapes of Adapter::ask_under: infers more tables of different sizes, turned, than
// 16 bits count, of the document, the types and the flag of `request`; asks the first of them
// again; then executes as many small ones, with axes of one element in all places (fewer where the
// library's highest rank is below 4). Malformed where one is not answered with its pattern or with
// other bytes; unsupported where `end` came first.
Outcome examine_many_shapes(const PluginLibrary& library, const Request& request,
                            std::chrono::steady_clock::time_point end);

}  // namespace reshape::conformance
