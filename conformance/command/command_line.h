#pragma once

#include <string>
#include <vector>

#include "conformance/command/commands.h"

namespace reshape::conformance {

// The whole command line but for the hidden `host`: reads the arguments (without the program's name),
// runs the one subcommand that they name, and returns the exit code of the program.
int command_line(const std::vector<std::string>& arguments, Console& console);

}  // namespace reshape::conformance
