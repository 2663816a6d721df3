#include "conformance/command/output_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "conformance/adapter/child/command_words.h"
#include "conformance/run/write_file.h"

namespace reshape::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "a file to write";
constexpr const char* kMarkOfAny = "a file to write, or standard output";

// A canonical path: "." and links are resolved, also of a file that does not exist yet.
fs::path one_name_of(const std::string& path) {
  std::error_code failure;
  fs::path at = fs::absolute(path, failure);
  constexpr int kMostLinks = 40;
  for (int link = 0; link < kMostLinks && fs::is_symlink(at, failure); ++link) {
    at = at.parent_path() / fs::read_symlink(at, failure);
  }
  const fs::path canonical = fs::weakly_canonical(at, failure);
  return failure ? fs::path(path) : canonical;
}

bool is_device(const fs::path& path) {
  std::error_code failure;
  return fs::exists(path, failure) && !fs::is_regular_file(path, failure);
}

bool is_marked(CLI::Option& option, const char* mark) {
  try {
    return option.get_validator(mark) != nullptr;
  } catch (const CLI::OptionNotFound&) {
    return false;
  }
}

bool is_output(CLI::Option& option) {
  return is_marked(option, kMark) || is_marked(option, kMarkOfAny);
}

bool names_files(const CLI::Option& option) {
  const std::string kind = option.get_type_name();
  return std::ranges::any_of(std::vector<std::string>{"FILE", "LIB", "DIR"},
                             [&](const std::string& name) { return kind.find(name) != kind.npos; });
}

std::string shown(const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  return names.empty() ? option.get_name() : "--" + names.front();
}

// The paths that the value of an option may name: the value itself, the part after "LIB=" or before
// ":function", and the words of a command line.
std::vector<std::string> paths_in(const std::string& value) {
  std::vector<std::string> paths = {value};
  if (names_child(value)) {
    if (Result<std::vector<std::string>> words = child_words(value)) paths = *std::move(words);
  }
  for (std::size_t at = 0, given = paths.size(); at < given; ++at) {
    const std::size_t sign = paths[at].find('='), colon = paths[at].rfind(':');
    if (sign != std::string::npos) paths.push_back(paths[at].substr(sign + 1));
    if (colon != std::string::npos) paths.push_back(paths[at].substr(0, colon));
  }
  return paths;
}

// Whether both names are of one stream, into which the one would be written behind the other: one
// descriptor, or one pipe or file behind two of them. One terminal behind two shows both.
bool are_one_stream(const std::string& output, const std::string& other) {
  const std::optional<int> one = descriptor_of(output), two = descriptor_of(other);
  if (!one && !two) return false;
  if (one == two) return true;
  const auto look = [](const std::string& name, std::optional<int> descriptor, struct stat& state) {
    return (descriptor ? fstat(*descriptor, &state) : stat(name.c_str(), &state)) == 0;
  };
  struct stat is = {}, is_other = {};
  return look(output, one, is) && look(other, two, is_other) && !S_ISCHR(is.st_mode) &&
         is.st_dev == is_other.st_dev && is.st_ino == is_other.st_ino;
}

// Whether writing `output` would replace what `value` names.
bool replaces(const std::string& output, const std::string& value) {
  if (output == kStandardOutput || value == kStandardOutput) return output == value;
  const fs::path written = one_name_of(output);
  if (is_device(written)) return false;
  return std::ranges::any_of(paths_in(value), [&](const std::string& path) {
    const fs::path named = one_name_of(path);
    std::error_code failure;
    if (!fs::is_directory(named, failure)) return named == written;
    const auto [end, rest] = std::ranges::mismatch(named, written);
    return end == named.end() && written.extension() == ".yaml" && fs::exists(written, failure);
  });
}

// The file of `output` that would overwrite one that `other` names; nothing where none would.
std::optional<std::string> lost_file(CLI::Option& output, CLI::Option& other) {
  for (const std::string& file : output.results()) {
    // "-" as an input is standard input, which an output "-" does not overwrite.
    if (file == kStandardOutput && !is_output(other)) continue;
    const std::vector<std::string> values = other.results();
    if (std::ranges::any_of(values, [&](const auto& value) {
          return replaces(file, value) || (is_output(other) && are_one_stream(file, value));
        })) {
      return file;
    }
  }
  return std::nullopt;
}

}  // namespace

CLI::Option* names_output(CLI::Option* option, StandardOutput standard_output) {
  const auto any_path = [](std::string&) { return std::string(); };
  const char* mark = standard_output == StandardOutput::as_well ? kMarkOfAny : kMark;
  return option->type_name("FILE")->check(CLI::Validator(any_path, "", mark));
}

void refuse_lost_files(CLI::App& command) {
  const std::vector<CLI::Option*> options = command.get_options();
  for (CLI::Option* output : options) {
    if (!is_output(*output)) continue;
    for (CLI::Option* other : options) {
      if (other == output || !names_files(*other)) continue;
      const std::optional<std::string> file = lost_file(*output, *other);
      if (!file) continue;
      throw CLI::ValidationError(
          shown(*output), is_output(*other)
                              ? shown(*other) + " names the same file, " + *file
                              : *file + " is what " + shown(*other) + " names, and would be lost");
    }
  }
}

void refuse_unwritable_files(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (!is_output(*option)) continue;
    for (const std::string& file : option->results()) {
      if (file == kStandardOutput && is_marked(*option, kMarkOfAny)) continue;
      const Result<std::string> writable = check_writable(file);
      if (!writable) throw CLI::FileError(writable.error().text());
    }
  }
}

bool write_or_refuse(const std::string& path, const std::string& text, Console& console) {
  const Result<std::string> written = write_file(path, text);
  if (!written) refuse(console, written.error().text());
  return written.ok();
}

}  // namespace reshape::conformance
