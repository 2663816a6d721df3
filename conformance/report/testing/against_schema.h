#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

// For tests: texts against a JSON schema, with the program that users would use.
namespace reshape::conformance::testing {

// Expects that every one of `texts`, by name, follows the schema at `path` below
// conformance/report, and that `spoilt` does not: the check can fail.
inline void expect_follow_schema(const std::string& path,
                                 const std::map<std::string, std::string>& texts,
                                 const std::string& spoilt) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("against-" + path.substr(path.rfind('/') + 1));
  std::filesystem::create_directories(folder);
  const auto follows = [&](const std::string& name, const std::string& text) {
    const std::filesystem::path file = folder / (name + ".json");
    std::ofstream(file) << text;
    const std::string check = "python3 " REPORT_SOURCES "/check_schema.py " REPORT_SOURCES "/" +
                              path + " " + file.string();
    return std::system((check + (name == "spoilt" ? " > /dev/null" : "")).c_str()) == 0;
  };
  for (const auto& [name, text] : texts) EXPECT_TRUE(follows(name, text)) << name;
  EXPECT_FALSE(follows("spoilt", spoilt));
  std::filesystem::remove_all(folder);
}

}  // namespace reshape::conformance::testing
