#include "conformance/command/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace reshape::conformance {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

bool wants_colour(int descriptor) {
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view force = variable("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  const std::string_view terminal = variable("TERM");
  return variable("CLICOLOR") != "0" && !terminal.empty() && terminal != "dumb" &&
         isatty(descriptor) == 1;
}

std::size_t columns_of(int descriptor, std::size_t without) {
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return without;
  return size.ws_col;
}

}  // namespace reshape::conformance
