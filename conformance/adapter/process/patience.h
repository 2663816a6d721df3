#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "conformance/model/request.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

inline constexpr double kLeastToLoad = 30;  // seconds: large libraries take their time

// Extra seconds for huge copies: one for every 8 MiB.
double patience_with(const Request& request);

// Why too little memory is left for a request whose tensors are held `times` times; nothing if
// there is enough.
std::optional<std::string> lacks_memory_for(const Request& request, std::uint64_t times);

// Calls `start_once`, which sets `refused` if the machine lacks a resource; then retries for a
// moment, since other processes may be about to end.
std::optional<Error> start_patiently(const std::function<std::optional<Error>()>& start_once,
                                     const bool& refused);

double elapsed_seconds(std::chrono::steady_clock::time_point began);
// "1.5 s"
std::string seconds_text(double seconds);

}  // namespace reshape::conformance
