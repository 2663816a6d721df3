#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "conformance/command/commands.h"

namespace reshape::conformance {

// The name of an output file that means standard output.
inline constexpr const char* kStandardOutput = "-";

// Marks an option as the name of a file that the command writes. `as_well`: "-" is allowed, and
// means standard output.
enum class StandardOutput { never, as_well };
CLI::Option* names_output(CLI::Option* option,
                          StandardOutput standard_output = StandardOutput::never);

// Throws CLI::FileError where an output file of `command` cannot be written. Called before the
// work, whose result would be lost.
void refuse_unwritable_files(CLI::App& command);

// Throws CLI::ValidationError where an output file of `command` would overwrite a file that another
// of its options names: a library, a baseline, another report. Links are resolved; of a child
// process each word of its command line counts, of a folder of specs its YAML files. Devices are
// never overwritten, so they may be named twice; a stream that this program was given may not.
void refuse_lost_files(CLI::App& command);

// Writes a whole file. False where it cannot be written: console.err has the error, and the exit
// code is kBadInput.
bool write_or_refuse(const std::string& path, const std::string& text, Console& console);

}  // namespace reshape::conformance
