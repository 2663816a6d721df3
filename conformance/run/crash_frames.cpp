#include "conformance/run/crash_frames.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "conformance/text/number.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

using Words = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostAddresses = 500;
constexpr std::size_t kMostAnswered = 1 << 20;
constexpr std::size_t kLongest = 400;  // of a function or a file
constexpr std::chrono::seconds kPatience{10};

// Both print the address and then, for each function inlined there, innermost first, two lines: the
// function and FILE:LINE.
std::vector<Words> tools(const std::string& library) {
  return {{"addr2line", "-a", "-i", "-f", "-C", "--exe=" + library},
          {"llvm-symbolizer", "--output-style=GNU", "-a", "-i", "-f", "-C", "--obj=" + library}};
}

std::vector<char*> pointers_to(Words& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Reads up to end of file, a size limit or the deadline.
std::string read_all(int file) {
  std::string all;
  char piece[4096];
  const auto deadline = Clock::now() + kPatience;
  while (all.size() < kMostAnswered) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ready = {file, POLLIN, 0};
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) <= 0) break;
    const ssize_t got = read(file, piece, sizeof piece);
    if (got <= 0) break;
    all.append(piece, static_cast<std::size_t>(got));
  }
  return all;
}

// What the command prints; nothing where there is no such program. Its environment is PATH only, so
// that no setting changes its output or makes it access a network.
std::optional<std::string> printed_by(Words command) {
  const char* path = std::getenv("PATH");
  Words environment = {std::string("PATH=") + (path != nullptr ? path : "/usr/bin:/bin"),
                       "LC_ALL=C"};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  const int error = posix_spawnp(&process, command.front().c_str(), &files, nullptr,
                                 pointers_to(command).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  std::optional<std::string> printed;
  if (error == 0) {
    printed = read_all(ends[0]);
    kill(process, SIGKILL);  // its output ended, or it took too long
    int status = 0;
    waitpid(process, &status, 0);
  }
  close(ends[0]);
  return printed;
}

std::string from_here(const std::string& file) {
  std::error_code failure;
  const std::filesystem::path here = std::filesystem::current_path(failure);
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  if (failure || path.is_relative()) return path.string();
  const std::filesystem::path relative = path.lexically_relative(here);
  return relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

// Headers of a compiler or the system: functions inlined from them are not the library's own.
bool is_of_the_system(std::string_view place) {
  constexpr std::string_view kFolders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
  const auto begins = [&](std::string_view folder) { return place.starts_with(folder); };
  return std::ranges::any_of(kFolders, begins) ||
         place.find("/include/c++/") != std::string_view::npos;
}

// Reads "FILE:LINE", or "FILE:LINE (discriminator 3)" as some compilers have it.
void read_place(std::string_view place, const std::string& function, CrashFrame& frame) {
  place = place.substr(0, place.find(" (discriminator"));
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || function.empty()) return;
  const int line = number_in<int>(place.substr(colon + 1)).value_or(0);
  const std::string_view file = place.substr(0, colon);
  if (line <= 0 || file.starts_with("??") || function == "??") return;
  frame.function = printable(function, kLongest);
  frame.file = printable(from_here(std::string(file)), kLongest);
  frame.line = line;
}

// Chooses for each address the innermost function in a file of the library's own; else the
// innermost one.
void read_frames(const std::string& printed, std::map<std::uint64_t, CrashFrame>& known) {
  std::istringstream lines(printed);
  std::string line, place;
  auto frame = known.end();
  bool own = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("0x")) {
      frame = known.find(std::strtoull(line.c_str(), nullptr, 16));
      own = false;
      continue;
    }
    if (!std::getline(lines, place)) return;
    if (frame == known.end() || own) continue;
    const bool of_the_system = is_of_the_system(place);
    if (of_the_system && frame->second.line > 0) continue;
    read_place(place, line, frame->second);
    own = !of_the_system && frame->second.line > 0;
  }
}

}  // namespace

void name_crash_frames(const std::string& library, std::vector<CaseResult>& cases) {
  std::map<std::uint64_t, CrashFrame> known;
  for (const CaseResult& one : cases) {
    for (const Fault& fault : one.verdict.faults) {
      if (fault.frame && known.size() < kMostAddresses) known[fault.frame->address] = *fault.frame;
    }
  }
  if (known.empty()) return;
  for (Words command : tools(library)) {
    for (const auto& [address, frame] : known) command.push_back(fmt::format("{:#x}", address));
    const std::optional<std::string> printed = printed_by(std::move(command));
    if (!printed) continue;
    read_frames(*printed, known);
    break;
  }
  for (CaseResult& one : cases) {
    for (Fault& fault : one.verdict.faults) {
      if (!fault.frame) continue;
      if (const auto named = known.find(fault.frame->address); named != known.end()) {
        fault.frame = named->second;
      }
    }
  }
}

}  // namespace reshape::conformance
