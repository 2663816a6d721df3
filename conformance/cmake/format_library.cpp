// What the headers of fmt leave to its library, made of these headers: Debian has the library as a shared one
// only. Compiled with FMT_HEADER_ONLY, and so that inline functions are kept, and calls stay calls, for the other objects.
#include <fmt/format.h>

namespace reshape::conformance {

// Formats whatever it is given, so that each kind of argument is compiled.
std::string formatted(fmt::string_view form, fmt::format_args arguments);
std::string formatted(fmt::string_view form, fmt::format_args arguments) {
  return fmt::vformat(form, arguments);
}

}  // namespace reshape::conformance
