#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// What `-i` begins with where a child process is meant: "child:python3 adapter.py".
inline constexpr std::string_view kChildPrefix = "child:";
// And where a decorated function in Python is: "python:module:function" or "python:file.py:function".
inline constexpr std::string_view kPythonPrefix = "python:";
bool names_child(std::string_view library);

// The command line of such a child, in words: what stands behind "child:", or the Python of RESHAPE_PYTHON
// (python3) with the module that serves the function.
Result<std::vector<std::string>> child_words(std::string_view library);

// The words of a command line, by the quoting of a POSIX shell and without anything else of it: blanks
// part words, '..' keeps all that is in it, ".." all but \" and \\, and a backslash outside of quotes
// keeps the character behind it. Nothing is expanded, and no shell is started. An error is a quote that
// never ends, a backslash at the end, or no word at all.
Result<std::vector<std::string>> command_words(std::string_view line);

}  // namespace reshape::conformance
