#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <source_location>
#include <string>
#include <vector>

#include "conformance/command/console_test.h"

// Runs the program from a shell, on libraries from the same build.
namespace reshape::conformance {

struct Ran {
  int code = -1;
  std::string out;  // standard output and error, in the order written
};

// A command of the shell, whose exit code is 128 and the signal that ended it, as the shell itself
// says it.
inline Ran run_command(const std::string& command) {
  Ran ran;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    ran.out.append(buffer, got);
  }
  const int status = pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

// The program, under limits of the shell: "ulimit -f 8".
inline Ran limited(const std::string& limits, const std::string& arguments) {
  return run_command("( " + limits + "; '" RESHAPE_PROGRAM "' " + arguments + " ) 2>&1");
}

// `wrong` is the value of RESHAPE_MUTANT, which chooses what libmutants.so is wrong in.
inline Ran shell(const std::string& arguments, const std::string& wrong = "", bool both = true) {
  return run_command((wrong.empty() ? "" : "RESHAPE_MUTANT=" + wrong + " ") +
                     "'" RESHAPE_PROGRAM "' " + arguments + (both ? " 2>&1" : ""));
}

inline int times(const std::string& text, const std::string& words) {
  int found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    ++found;
  }
  return found;
}

// Expects this exit code, and an output that contains each of `words`.
inline void expect_says(const Ran& ran, int code, const std::vector<std::string>& words,
                        std::source_location at = std::source_location::current()) {
  EXPECT_EQ(ran.code, code) << "at line " << at.line() << ": " << ran.out;
  for (const std::string& one : words) expect_in(ran.out, one, at);
}

// Expects this exit code, and as output one line that contains `words`.
inline void expect_sentence(const Ran& ran, int code, const std::string& words,
                            std::source_location at = std::source_location::current()) {
  expect_says(ran, code, {words}, at);
  EXPECT_EQ(ran.out.find('\n'), ran.out.size() - 1) << at.line() << ": " << ran.out;
}

// The arguments of the command that `out` advises after this word, first behind `from`: the
// program's name is left out, so that shell() takes them.
inline std::string advised(const std::string& out, const std::string& word, std::size_t from = 0) {
  const std::string start = word + std::string(10 - word.size(), ' ') + "reshape-conformance ";
  const std::size_t at = out.find(start, from);
  if (at == std::string::npos) {
    ADD_FAILURE() << "no command after " << word << " in:\n" << out;
    return "";
  }
  const std::size_t begin = at + start.size();
  return out.substr(begin, out.find('\n', begin) - begin);
}

inline const std::string kReference = "-i '" RESHAPE_REFERENCE "'";
// The example declares openvino-reshape-1 alone; our own libraries declare every dialect.
inline const std::string kExample = "-i '" RESHAPE_EXAMPLE "'";
inline const std::string kWrong = "-i '" RESHAPE_MUTANTS_LIBRARY "'";
inline const std::string kExamples = " --filter 'openvino-reshape-1/example-?' ";

// A test with a folder of its own.
class ShellTest : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder / name).string(); }

 private:
  const TestFolder own_;

 protected:
  const std::filesystem::path folder = own_.path();
};

}  // namespace reshape::conformance
