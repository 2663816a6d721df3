#pragma once

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/spec/small_specs.h"
#include "conformance/text/testing/expect_in.h"

namespace reshape::conformance {

// What a command printed, and how it ended.
struct Ended {
  int exit_code = 0;
  std::string out;
  std::string err;
};

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Runs one command over string streams, as main() runs it over the process's. Its name is not among
// the arguments.
inline Ended run_command(void (*add)(CLI::App&, Console&), std::vector<std::string> arguments,
                         const std::string& input = {}) {
  std::ostringstream out;
  std::ostringstream err;
  std::istringstream in(input);
  Console console{out, err, in};
  CLI::App app;
  add(app, console);
  arguments.insert(arguments.begin(), app.get_subcommands({}).front()->get_name());
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    console.exit_code = 2;
    err << error.what();
  }
  return {console.exit_code, out.str(), err.str()};
}

}  // namespace reshape::conformance
