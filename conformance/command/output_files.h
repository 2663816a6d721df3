#pragma once

#include <CLI/CLI.hpp>

namespace reshape::conformance {

// As the name of a file to be written it stands for what the command prints to.
inline constexpr const char* kStandardOutput = "-";

// The option names a file that the command writes, or standard output by "-".
enum class StandardOutput { never, as_well };
CLI::Option* names_output(CLI::Option* option,
                          StandardOutput standard_output = StandardOutput::never);

// Throws CLI::FileError where a file that `command` is to write cannot be written, before the work whose result
// would be lost.
void refuse_unwritable_files(CLI::App& command);

// Throws CLI::ValidationError where a file that `command` is to write would take the place of one that
// another of its options names: a library, a baseline, another report. However the two are written: links
// are followed, of a child the words of its command line are looked at, of a folder of documents and cases
// its YAML files. Devices take what comes.
void refuse_lost_files(CLI::App& command);

}  // namespace reshape::conformance
