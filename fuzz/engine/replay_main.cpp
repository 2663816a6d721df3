// Runs a target on the inputs in files and folders, in the order of their names. Works with any
// compiler, without a fuzzing engine:
//
//   replay_<target> [--hang SECONDS] [--quiet] FILE-OR-FOLDER...
//
// A finding ends the program, with the token on the last line. Crashes, sanitizer reports and
// inputs that take longer than --hang are findings, too. Exit codes: 0 no finding, 1 a finding, 2
// wrong usage.
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "fuzz/engine/finding.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* argc, char*** argv);
// Functions of the sanitizer runtime; null in a build without one.
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());
extern "C" [[gnu::weak]] const char* __asan_get_report_description();

namespace {

namespace fs = std::filesystem;

std::array<char, 1024> g_file{};
volatile std::sig_atomic_t g_told = 0;

void say(const char* text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

// Prints the last lines of a finding after a crash, when report() did not.
void tell_death(const char* kind) {
  if (g_told != 0) return;
  g_told = 1;
  say("\n  input     ");
  say(g_file.data());
  const char* subject = reshape::fuzz::subject_of_death();
  if (*subject == '\0') return say("\n");
  say("\n  asked     ");
  say(reshape::fuzz::asked_at_death());
  say("\nDEDUP_TOKEN: ");
  say(subject);
  say(kind);
  say("\n");
}

void on_signal(int signal) {
  switch (signal) {
    case SIGALRM: tell_death("hang"); break;
    case SIGFPE: tell_death("crash: SIGFPE"); break;
    case SIGILL: tell_death("crash: SIGILL"); break;
    case SIGBUS: tell_death("crash: SIGBUS"); break;
    case SIGABRT: tell_death("crash: SIGABRT"); break;
    default: tell_death("crash: SIGSEGV");
  }
  _exit(1);
}

void on_sanitizer_death() {
  std::string kind = "sanitizer";
  if (__asan_get_report_description != nullptr && *__asan_get_report_description() != '\0') {
    kind = std::string("sanitizer: ") + __asan_get_report_description();
  }
  tell_death(kind.c_str());
  _exit(1);
}

void watch_deaths() {
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(on_sanitizer_death);
  }
  // The handler needs a stack of its own, in case the main stack has overflowed.
  static std::array<std::byte, 64 * 1024> stack;
  stack_t other = {};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  // With the address sanitizer, its own handler reports bad accesses: it says more.
  const bool sanitized = __sanitizer_set_death_callback != nullptr;
  for (const int signal : {SIGFPE, SIGILL, SIGABRT, SIGALRM}) sigaction(signal, &action, nullptr);
  if (sanitized) return;
  for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

void replay(const std::string& file, unsigned hang_seconds) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  std::snprintf(g_file.data(), g_file.size(), "%s", file.c_str());
  // In an allocation of its own, so that a sanitizer detects a read past the end.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  alarm(hang_seconds);
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  alarm(0);
}

int wrong_usage(const std::string& sentence) {
  std::fprintf(stderr, "replay: %s\n", sentence.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned hang_seconds = 20;
  bool quiet = false;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--quiet") {
      quiet = true;
    } else if (argument == "--hang") {
      if (++i == argc || std::atoi(argv[i]) < 1) return wrong_usage("--hang takes seconds");
      hang_seconds = static_cast<unsigned>(std::atoi(argv[i]));
    } else if (argument.starts_with("--")) {
      return wrong_usage("unknown option " + std::string(argument));
    } else if (std::error_code none; fs::is_directory(argument, none)) {
      const std::size_t before = files.size();
      for (const auto& entry : fs::recursive_directory_iterator(argument, none)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
      }
      std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
    } else if (fs::exists(argument, none)) {
      files.emplace_back(argument);
    } else {
      return wrong_usage("there is no " + std::string(argument));
    }
  }
  if (files.empty()) return wrong_usage("no inputs: replay FILE-OR-FOLDER...");
  reshape::fuzz::g_remember_subject = true;
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  watch_deaths();
  for (const std::string& file : files) replay(file, hang_seconds);
  if (!quiet) std::printf("%zu inputs, nothing found\n", files.size());
  return 0;
}
