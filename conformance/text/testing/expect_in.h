#pragma once

#include <gtest/gtest.h>

#include <source_location>
#include <string>

// For tests of what is told to people.
namespace reshape::conformance {

inline bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

inline void expect_in(const std::string& text, const std::string& words,
                      std::source_location at = std::source_location::current()) {
  const ::testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), "");
  EXPECT_PRED_FORMAT2(::testing::IsSubstring, words, text);
}

}  // namespace reshape::conformance
