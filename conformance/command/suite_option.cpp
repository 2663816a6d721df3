#include "conformance/command/suite_option.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace reshape::conformance {

void SuiteOption::add_to(CLI::App& command, const char* says) {
  command.add_option("--specs", folder_, says)->type_name("DIR");
}

const Suite* SuiteOption::opened(Load& load, Console& console) {
  if (built_in()) return &built_in_suite();
  if (!loaded_) {
    Result<Suite> suite = load(folder_);
    if (!suite) {
      refuse(console, suite.error().text());
      return nullptr;
    }
    loaded_ = *std::move(suite);
  }
  return &*loaded_;
}

}  // namespace reshape::conformance
