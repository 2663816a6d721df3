#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>

#include "conformance/text/number.h"

namespace reshape::conformance {

// Accepts a number from `least` to `most`, and refuses NaN, which CLI11's own range check accepts:
// a limit of NaN would limit nothing. `of` is the unit in the help: " of seconds".
inline CLI::Validator real_number(double least, double most, const std::string& of = "") {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        const std::optional<double> number = number_in<double>(text);
        if (number && *number >= least && *number <= most) return {};
        return "'" + text + "' is no number" + of + " from " + CLI::detail::to_string(least) +
               " to " + CLI::detail::to_string(most);
      },
      "");
}

// For options that take seconds, a day at most.
inline CLI::Validator seconds_from(double least) {
  return real_number(least, 86400, " of seconds");
}

// For options that take a whole number from `least` to `most`, in digits alone. The error shows
// the text that was given, where parsing would make another number of it (too large, or a sign).
template <typename Number>
CLI::Validator whole_number(Number most = std::numeric_limits<Number>::max(), Number least = 0) {
  return CLI::Validator(
      [most, least](std::string& text) -> std::string {
        const std::optional<std::uint64_t> number = number_in<std::uint64_t>(text);
        if (number && *number >= static_cast<std::uint64_t>(least) &&
            *number <= static_cast<std::uint64_t>(most)) {
          return {};
        }
        return "'" + text + "' is no whole number from " + std::to_string(least) + " to " +
               std::to_string(most);
      },
      "");
}

// The default of an option -j: a job for each processor.
inline int default_jobs() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// The option -i LIB of a command that needs it.
inline void library_option(CLI::App& command, std::string& library, const std::string& says) {
  command.add_option("-i,--implementation", library, says)->required()->type_name("LIB");
}

// Adds an option that takes a number; the help shows its default. `kind` names the value there.
template <typename Number>
CLI::Option* number_option(CLI::App& command, const std::string& name, Number& into,
                           const std::string& says, const CLI::Validator& check,
                           const std::string& kind = {}) {
  CLI::Option* option = command.add_option(name, into, says)->check(check)->capture_default_str();
  return kind.empty() ? option : option->type_name(kind);
}

}  // namespace reshape::conformance
