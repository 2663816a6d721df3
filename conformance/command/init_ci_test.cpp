#include <gtest/gtest.h>

#include <string>

#include "conformance/command/commands.h"
#include "conformance/command/console_test.h"

namespace reshape::conformance {
namespace {

// GitHub and GitLab would read no workflow of it, or another one than its author sees.
TEST(InitCi, WhatNoYamlHoldsIsRefused) {
  for (const char* wrong : {"make\nall", "\x1b[31mmake", "\x01", "m\xff", "ma\u202eke"}) {
    const Ended ended = run_command(add_init_ci, {"-i", "./libmine.so", "--build", wrong});
    EXPECT_EQ(ended.exit_code, 2) << wrong;
    expect_in(ended.err, "a value holds the end of a line, a control,");
  }
}

}  // namespace
}  // namespace reshape::conformance
