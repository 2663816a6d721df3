#pragma once

#include <chrono>
#include <string>

#include "conformance/model/request.h"

namespace reshape::conformance {

inline constexpr double kLeastToLoad = 30;  // seconds: large libraries take their time

std::chrono::steady_clock::time_point after(double seconds);

// Huge copies are given another second for every 8 MiB, so that a busy machine fails nobody.
double patience_with(const Request& request);

// How long a start that the machine refuses waits before it is tried again, each time.
inline constexpr std::chrono::milliseconds kPauses[] = {
    std::chrono::milliseconds{20}, std::chrono::milliseconds{100}, std::chrono::milliseconds{500}};

// "1.5 s"
std::string seconds_text(double seconds);

}  // namespace reshape::conformance
