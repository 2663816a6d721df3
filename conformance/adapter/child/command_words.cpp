#include "conformance/adapter/child/command_words.h"

#include <cstdlib>
#include <optional>
#include <sstream>

namespace reshape::conformance {
namespace {

bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\n'; }

class Splitting {
 public:
  explicit Splitting(std::string_view line) : line_(line) {}

  Result<std::vector<std::string>> words() && {
    for (; at_ < line_.size(); ++at_) {
      const char letter = line_[at_];
      if (is_blank(letter)) {
        end_word();
      } else if (letter == '\'' || letter == '"') {
        if (!quoted(letter)) return Error{std::string("the quote ") + letter + " never ends"};
      } else if (letter != '\\') {
        add(letter);
      } else if (++at_ < line_.size()) {
        add(line_[at_]);
      } else {
        return Error{"it ends with a backslash"};
      }
    }
    end_word();
    if (words_.empty()) return Error{"it names no program"};
    return std::move(words_);
  }

 private:
  // Reads up to the closing quote; '' and "" are empty words.
  bool quoted(char quote) {
    if (!word_) word_.emplace();
    for (++at_; at_ < line_.size() && line_[at_] != quote; ++at_) {
      const bool kept = quote == '"' && line_[at_] == '\\' && at_ + 1 < line_.size() &&
                        (line_[at_ + 1] == '"' || line_[at_ + 1] == '\\');
      if (kept) ++at_;
      add(line_[at_]);
    }
    return at_ < line_.size();
  }

  void add(char letter) {
    if (!word_) word_.emplace();
    *word_ += letter;
  }

  void end_word() {
    if (word_) words_.push_back(*std::move(word_));
    word_.reset();
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::optional<std::string> word_;
  std::vector<std::string> words_;
};

}  // namespace

bool names_child(std::string_view library) {
  return library.starts_with(kChildPrefix) || library.starts_with(kPythonPrefix);
}

Result<std::vector<std::string>> child_words(std::string_view library) {
  if (!library.starts_with(kPythonPrefix))
    return command_words(library.substr(kChildPrefix.size()));
  const std::string target(library.substr(kPythonPrefix.size()));
  if (target.empty()) return Error{"it names no function: python:module:function"};
  const char* python = std::getenv("RESHAPE_PYTHON");
  const bool named = python != nullptr && *python != '\0';
  return std::vector<std::string>{named ? python : "python3", "-m", "reshape_conformance", target};
}

Result<std::vector<std::string>> command_words(std::string_view line) {
  return Splitting(line).words();
}

std::vector<std::string> files_of_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name};
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
  std::vector<std::string> files;
  for (std::string folder; std::getline(folders, folder, ':');) {
    files.push_back((folder.empty() ? "." : folder) + "/" + name);
  }
  return files;
}

}  // namespace reshape::conformance
