// The terms of a baseline's entries: the platform and the day.
#include <sys/utsname.h>

#include <chrono>
#include <cstdio>

#include "conformance/run/baseline.h"

namespace reshape::conformance {

std::string platform_of(const Capabilities& capabilities) {
  utsname machine = {};
  const std::string processor = uname(&machine) == 0 ? machine.machine : "?";
  return processor + ' ' + capabilities.name + ' ' + capabilities.version;
}

std::string today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

}  // namespace reshape::conformance
