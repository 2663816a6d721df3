#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>

namespace reshape::conformance {

// For options that take seconds: a number from `least` to a day, and not what merely compares as one.
inline CLI::Validator seconds_from(double least) {
  return CLI::Validator(
      [least](std::string& text) -> std::string {
        constexpr double kMost = 86400;
        double seconds = 0;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, seconds);
        if (read.ec == std::errc() && read.ptr == end && seconds >= least && seconds <= kMost) {
          return {};
        }
        return "'" + text + "' is no number of seconds from " + CLI::detail::to_string(least) +
               " to 86400";
      },
      "");
}

}  // namespace reshape::conformance
