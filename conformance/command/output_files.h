#pragma once

#include <CLI/CLI.hpp>

namespace reshape::conformance {

// As the name of a file to be written it stands for what the command prints to.
inline constexpr const char* kStandardOutput = "-";

// The option names a file that the command writes; "-" may be standard output.
CLI::Option* names_output(CLI::Option* option);

// Throws CLI::ValidationError where a file that `command` is to write would take the place of one that
// another of its options names: a library, a baseline, another report. However the two are written: links
// are followed, of a child the words of its command line are looked at, of a folder of documents and cases
// its YAML files. Devices take what comes.
void refuse_lost_files(CLI::App& command);

}  // namespace reshape::conformance
