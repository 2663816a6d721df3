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
#include "conformance/command/command_line.h"
#include "conformance/command/paint.h"
#include "conformance/command/printable_stream.h"
#include "conformance/command/terminal.h"
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

// A case needs buffers as large as the case before did: where freed ones go back to the kernel, each of
// their pages is zeroed again, which takes longer than all else that is done with them.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestThreshold = 32 << 20;  // more is refused
  mallopt(M_MMAP_THRESHOLD, kLargestThreshold);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

// Standard error is a terminal that can go back to the begin of a line.
bool writes_over_lines() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string(terminal) != "dumb";
}

// What is opened next has the lowest free number: where a stream is closed, that would be a channel to an
// implementation, or a report, and what is printed would go there. Reading only, so that printing fails.
void fill_closed_streams() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(file, F_GETFD) < 0) [[maybe_unused]]
      const int lowest = open("/dev/null", O_RDONLY);
  }
}

// Without memory, and with an exception that nobody caught, nothing is asserted.
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
  // A process that an implementation is timed in has the memory that other programs have.
  if (arguments.empty() || arguments[0] != "measure") keep_freed_memory();
  reshape::conformance::offer_built_in("mutant", reshape::conformance::self::table_of);
  if (!arguments.empty() && arguments[0] == "host") return host(arguments);
  if (!arguments.empty() && arguments[0] == reshape::conformance::kSuperviseCommand) {
    return reshape::conformance::supervise_command({arguments.begin() + 1, arguments.end()});
  }
  // The same for a process that an implementation is timed in.
  if (!arguments.empty() && arguments[0] == "measure") {
    using namespace reshape::conformance::performance;
    return serve_as_worker(start_of({arguments.begin() + 1, arguments.end()}), kWorkerChannel);
  }
  // Even a library that kills its own supervisor leaves nothing behind: what it started comes back to this
  // process. What was this process's child before, of a shell that became it, is left alone.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // Past the limit of a file's size a write fails, is told, and leaves nothing half-written. A handler that does
  // nothing, and not SIG_IGN, which the processes of an implementation would inherit.
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
  // A full disk or a closed pipe must not pass for a conforming implementation. Some file systems tell it when the
  // file is closed.
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
