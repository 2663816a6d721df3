#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance {

// The prefix of an implementation's name (-i) that is a child process: "child:python3 adapter.py".
inline constexpr std::string_view kChildPrefix = "child:";
// And of a decorated function in Python: "python:module:function" or "python:file.py:function".
inline constexpr std::string_view kPythonPrefix = "python:";
bool names_child(std::string_view library);

// The command line of such a child in words: the text behind "child:", or the Python that
// RESHAPE_PYTHON names (else python3) with the module that serves the function.
Result<std::vector<std::string>> child_words(std::string_view library);

// Splits a command line by the quoting rules of a POSIX shell: blanks separate words, '..' is
// literal, ".." is literal except for \" and \\, and a backslash outside of quotes makes the next
// character literal. Expands nothing and starts no shell. Errors: an unterminated quote, a
// backslash at the end, no word.
Result<std::vector<std::string>> command_words(std::string_view line);

// The files that the name of a program may mean: itself if it has a slash, else those of its name
// in the folders of PATH, in their order, whether there are any or not.
std::vector<std::string> files_of_program(const std::string& name);

}  // namespace reshape::conformance
