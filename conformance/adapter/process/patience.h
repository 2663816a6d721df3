#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "conformance/model/request.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

inline constexpr double kLeastToLoad = 30;  // seconds: large libraries take their time

// Huge copies are given another second for every 8 MiB, so that a busy machine fails nobody.
double patience_with(const Request& request);

// Why there is too little memory left for a request whose tensors are held `times` times, where there is.
std::optional<std::string> lacks_memory_for(const Request& request, std::uint64_t times);

// Starts by `start_once`, which tells in `refused` whether the machine had no room for it. A machine that is
// full is asked again for a moment: what fills it may be about to end.
std::optional<Error> start_patiently(const std::function<std::optional<Error>()>& start_once,
                                     const bool& refused);

// "1.5 s"
std::string seconds_text(double seconds);

}  // namespace reshape::conformance
