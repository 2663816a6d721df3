#pragma once

#include <string>
#include <vector>

#include "conformance/command/commands.h"

namespace reshape::conformance {

// Runs the whole command line, except the hidden `host`: parses `arguments` (without the program's
// name), runs the subcommand that they name, and returns the exit code of the program.
int command_line(const std::vector<std::string>& arguments, Console& console);

}  // namespace reshape::conformance
