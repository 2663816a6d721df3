// The functions of fmt's library, compiled from its headers, because Debian has only a shared one.
// Compiled with FMT_HEADER_ONLY, and with flags that keep inline functions and do not inline calls,
// so that other objects can link to them.
#include <fmt/format.h>

namespace reshape::conformance {

// Instantiates the formatting of every kind of argument.
std::string formatted(fmt::string_view form, fmt::format_args arguments);
std::string formatted(fmt::string_view form, fmt::format_args arguments) {
  return fmt::vformat(form, arguments);
}

}  // namespace reshape::conformance
