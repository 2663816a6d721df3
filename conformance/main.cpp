#include <fcntl.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/adapter/process/own_folder.h"
#include "conformance/adapter/process/process_tree.h"
#include "conformance/command/commands.h"
#include "conformance/command/printable_stream.h"
#include "conformance/command/terminal.h"
#include "conformance/performance/worker.h"
#include "conformance/self/mutant.h"

namespace {

// host --library X --channel FD: the process that the program starts for each implementation.
// Handled before anything else is set up, so that this process contains as little of ours as
// possible.
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

// Keeps freed memory in the process. Cases need buffers of similar sizes again and again; memory
// fresh from the kernel has to be zeroed page by page, which takes longer than all other work on
// it.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestThreshold = 32 << 20;  // more is refused
  mallopt(M_MMAP_THRESHOLD, kLargestThreshold);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

// Whether standard error is a terminal that supports carriage return.
bool writes_over_lines() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string(terminal) != "dumb";
}

// Opens /dev/null for each standard stream that is closed. Else the next file to be opened, a
// channel to an implementation or a report, would get its number, and what is printed would go
// there. It is opened for reading only, so that printing fails.
void fill_closed_streams() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) < 0) [[maybe_unused]]
      const int lowest = open("/dev/null", O_RDONLY);
  }
}

// The exit code when memory runs out or an exception is not caught.
constexpr int kNothingAsserted = 4;
int tell(const char* what) {
  for (const char* words : {"reshape-conformance: ", what, "\n"}) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, words, std::strlen(words));
  }
  return kNothingAsserted;
}

// A stack that is too small ends the process without a word, in the middle of a run.
bool has_stack() {
  constexpr rlim_t kLeast = 256 << 10;
  rlimit stack{};
  return getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kLeast;
}

int program(int count, char** values) {
  if (!has_stack()) return tell("the stack is limited to less than 256 KiB; see ulimit -s");
  const std::vector<std::string> arguments(values + 1, values + count);
  // Not in a process that times an implementation: its allocator should behave as in other
  // programs.
  if (arguments.empty() || arguments[0] != "measure") keep_freed_memory();
  reshape::conformance::offer_built_in("mutant", reshape::conformance::self::table_of);
  if (!arguments.empty() && arguments[0] == "host") return host(arguments);
  if (!arguments.empty() && arguments[0] == reshape::conformance::kSuperviseCommand) {
    return reshape::conformance::supervise_command({arguments.begin() + 1, arguments.end()});
  }
  // Likewise the process that times an implementation.
  if (!arguments.empty() && arguments[0] == "measure") {
    using namespace reshape::conformance::performance;
    return serve_as_worker(start_of({arguments.begin() + 1, arguments.end()}), kWorkerChannel);
  }
  // Become the parent of orphans: should a library kill its supervisor, this process still ends
  // what the library started. Children that exist now are left alone: they are those of a shell
  // that replaced itself with this program (exec).
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // A write past the file size limit then fails, is reported, and leaves nothing half-written. An
  // empty handler, because child processes would inherit SIG_IGN.
  std::signal(SIGXFSZ, [](int) {});
  reshape::conformance::end_without_own_folder();
  const std::vector<pid_t> others = reshape::conformance::living_children(getpid());
  const bool colour = reshape::conformance::wants_colour(STDOUT_FILENO);
  reshape::conformance::PrintableStream out(std::cout, "",
                                            colour ? reshape::conformance::painted : nullptr);
  reshape::conformance::PrintableStream err(std::cerr, "reshape-conformance");
  const std::vector<std::string> words = reshape::conformance::words_of_lines(arguments);
  out.escape(words);
  err.escape(words);
  reshape::conformance::Console console{out, err, std::cin};
  if (writes_over_lines()) reshape::conformance::set_progress_stream(std::cerr);
  const int code = reshape::conformance::command_line(arguments, console);
  reshape::conformance::end_children(others);
  out.flush();
  // Output lost to a full disk or a closed pipe must not look like success. Some file systems
  // report it only when the file is closed.
  const bool read = std::ferror(stdin) == 0;
  if (!read) err << "reshape-conformance: the input could not be read\n";
  const bool closed = close(STDOUT_FILENO) == 0 || errno == EINTR;
  if (out && closed) return read || code != 0 ? code : 2;
  err << "reshape-conformance: the output could not be written\n";
  return code == 0 ? 2 : code;
}

}  // namespace

int main(int count, char** values) {
  try {
    fill_closed_streams();
    return program(count, values);
  } catch (const std::bad_alloc&) {
    return tell("there is not enough memory for this");
  } catch (const std::exception& error) {
    return tell(error.what());
  }
}
