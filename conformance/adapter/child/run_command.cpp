#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/child/command_words.h"
#include "conformance/adapter/process/supervisor.h"
#include "conformance/model/refused.h"

namespace reshape::conformance {
namespace {

constexpr int kLeash = 3;  // the descriptor on which the runner holds this supervisor

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// What stands behind "#!" in the first line of a script; empty for any other file.
std::string interpreter_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char begin[2] = {};
  std::string line;
  if (!file.read(begin, 2) || begin[0] != '#' || begin[1] != '!') return "";
  std::getline(file, line);
  return line.substr(0, 256);
}

// Why a name that no file has was given, as far as the words show it.
std::string why_no_such_file(const std::vector<std::string>& words) {
  const std::string& name = words.front();
  const std::string tried = name.find('/') == std::string::npos
                                ? "no folder of PATH has '" + name + "'"
                                : "'" + name + "': " + std::strerror(ENOENT);
  std::string joined = name;
  for (std::size_t count = 1; count < words.size(); ++count) {
    joined += ' ' + words[count];
    if (exists(joined)) {
      return tried + "; there is '" + joined + "': quote it, since blanks part words";
    }
  }
  constexpr std::string_view kOperators[] = {"&&", "||", "|", ";", ">", "<", "&"};
  const bool operators = std::ranges::any_of(words, [&](const std::string& word) {
    return word.ends_with(';') || std::ranges::find(kOperators, word) != std::end(kOperators);
  });
  if (operators) return tried + "; no shell is started: name one, as in child:sh -c '...'";
  if (name.find('=') != std::string::npos) {
    return tried + "; no shell is started: a variable is set by child:env NAME=VALUE COMMAND";
  }
  if (name.find_first_of("~$*") != std::string::npos) {
    return tried + "; no shell is started, and nothing is expanded: write the path out";
  }
  return tried;
}

std::string words_of(int error) {
  return is_refusal(error) ? refused("another process", error) : std::strerror(error);
}

// Becomes the program that the first word names, with the words as its arguments; a name without a
// slash is looked for in the folders of PATH. No shell is started, not even for a file that only a
// shell could run. Returns why that failed.
std::string run_command(const std::vector<std::string>& words) {
  std::vector<std::string> own = words;
  std::vector<char*> arguments;
  for (std::string& word : own) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string denied;
  for (const std::string& file : files_of_program(words.front())) {
    const std::string interpreter = interpreter_line(file);
    if (interpreter.ends_with('\r')) {
      return "the first line of '" + file +
             "' ends with a carriage return, which belongs to the name of its interpreter: save it "
             "with \\n alone as line ends";
    }
    execv(file.c_str(), arguments.data());
    const int error = errno;
    if (error == ENOEXEC) {
      return "'" + file +
             "' is no program and has no #! line: name what interprets it, as in child:python3 "
             "FILE";
    }
    if (error == ENOENT && exists(file)) {
      std::istringstream line(interpreter);
      std::string named;
      line >> named;
      return "'" + file + "' is there, and " +
             (named.empty() ? "the loader that it is built for is not"
                            : "'" + named + "', which its #! line names, is not");
    }
    if (error != ENOENT && error != ENOTDIR && error != EACCES) return words_of(error);
    if (error == EACCES && exists(file)) denied = "'" + file + "': " + std::strerror(error);
  }
  return denied.empty() ? why_no_such_file(words) : denied;
}

// Sends it on the leash, which the executed program does not inherit.
void tell_why_not(const std::string& why) { send(kLeash, why.data(), why.size(), MSG_NOSIGNAL); }

}  // namespace

int supervise_command(const std::vector<std::string>& words) {
  limit_resources();
  if (words.empty()) return 2;
  if (!fork_supervised(kLeash, Files::closed)) {
    tell_why_not(errno != 0 ? words_of(errno) : "");
    return 2;
  }
  fcntl(kLeash, F_SETFD, FD_CLOEXEC);
  tell_why_not(run_command(words));
  _exit(127);
}

}  // namespace reshape::conformance
