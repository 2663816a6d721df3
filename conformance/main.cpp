#include <unistd.h>

#include <charconv>
#include <iostream>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/plugin_library.h"
#include "conformance/command/command_line.h"
#include "conformance/performance/worker.h"
#include "conformance/self/mutant.h"

namespace {

// host --library X --channel FD: what the program starts itself as, one process for each
// implementation. It is told apart before anything else is set up, because the process that an
// implementation lives in should hold as little of ours as possible.
int host(const std::vector<std::string>& arguments) {
  std::string library;
  int channel = -1;
  for (std::size_t index = 1; index + 1 < arguments.size(); index += 2) {
    const std::string& value = arguments[index + 1];
    if (arguments[index] == "--library") library = value;
    if (arguments[index] == "--channel") {
      std::from_chars(value.data(), value.data() + value.size(), channel);
    }
  }
  if (library.empty() || channel < 0) {
    std::cerr << "reshape-conformance: 'host' is started by the program itself\n";
    return 2;
  }
  return reshape::conformance::serve_as_host(library, channel);
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  reshape::conformance::offer_built_in("mutant", reshape::conformance::self::table_of);
  if (!arguments.empty() && arguments[0] == "host") return host(arguments);
  // The same for a process that an implementation is timed in.
  if (!arguments.empty() && arguments[0] == "measure") {
    using namespace reshape::conformance::performance;
    return serve_as_worker(start_of({arguments.begin() + 1, arguments.end()}), kWorkerChannel);
  }
  reshape::conformance::Console console{std::cout, std::cerr, std::cin, 0, isatty(1) == 1};
  const int code = reshape::conformance::command_line(arguments, console);
  std::cout.flush();
  // A full disk or a closed pipe must not pass for a conforming implementation.
  if (!std::cout && code == 0) {
    std::cerr << "reshape-conformance: the output could not be written\n";
    return 2;
  }
  return code;
}
