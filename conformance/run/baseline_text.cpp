// The text of a baseline, which preserves what people wrote.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "conformance/run/baseline_entries.h"

namespace reshape::conformance {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t at = begin; at < end; ++at) text += lines[at] + '\n';
  return text;
}

std::string_view trimmed(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

bool is_comment(std::string_view line) {
  return trimmed(line).empty() || trimmed(line).starts_with('#');
}

// Whether a quote behind `before` would begin a value, or go on with one that it has just closed
// (a quote in single quotes is written twice). Within words it is an apostrophe.
bool begins_value(std::string_view before) {
  if (before.ends_with('\'')) return true;
  const std::size_t last = before.find_last_not_of(" \t");
  return last == std::string_view::npos ||
         std::string_view("[{,:-?").find(before[last]) != std::string_view::npos;
}

// The comments of lines that hold no text of several lines, each with its "#": whole lines, and what
// stands behind a value. A "#" within quotes, or within a word, begins none.
Lines comments_in(const Lines& lines) {
  Lines comments;
  char quote = '\0';  // that is open, perhaps since an earlier line
  for (const std::string& line : lines) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      const char letter = line[at];
      const bool behind_blank = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t';
      if (quote == '"' && letter == '\\') {
        ++at;
      } else if (quote != '\0') {
        if (letter == quote) quote = '\0';  // one that is written twice opens it again
      } else if (letter == '#' && behind_blank) {
        comments.push_back(line.substr(at));
        break;
      } else if ((letter == '"' || letter == '\'') && begins_value(line.substr(0, at))) {
        quote = letter;
      }
    }
  }
  return comments;
}

// A deeper '#' may be a line of a text: such comments belong to the entry that they stand in.
bool is_comment_of(std::string_view line, std::size_t most_indented) {
  return is_comment(line) && (trimmed(line).empty() || line.find('#') <= most_indented);
}

bool begins_entry(const std::string& line) { return trimmed(line).starts_with("- "); }

// Every entry begins on a line of its own, and behind the one before.
bool is_a_list_of_blocks(const Lines& lines, const Baseline& baseline) {
  int last = 0;
  for (const KnownFailure& entry : baseline.known) {
    const bool there = entry.line > last && entry.line <= static_cast<int>(lines.size());
    if (!there || !begins_entry(lines[static_cast<std::size_t>(entry.line) - 1])) return false;
    last = entry.line;
  }
  return !baseline.known.empty();
}

std::string emitted(const KnownFailure& entry, int indent) {
  YAML::Emitter out;
  out << YAML::BeginSeq << YAML::BeginMap;
  each_key(entry, [&](const char* key, const std::string& value) {
    if (!value.empty()) out << YAML::Key << key << YAML::Value << value;
  });
  out << YAML::EndMap << YAML::EndSeq;
  std::string text;
  for (const std::string& line : lines_of(out.c_str())) {
    text += std::string(static_cast<std::size_t>(indent), ' ') + line + '\n';
  }
  return text;
}

std::string line_of(const std::string& fingerprint) {
  YAML::Emitter out;
  out << YAML::BeginMap << YAML::Key << "fingerprint" << YAML::Value << fingerprint << YAML::EndMap;
  return out.c_str();
}

// The comment behind a value, with the blanks before it; empty where there is none.
std::string comment_behind(const std::string& value) {
  std::size_t end = 0;
  if (const char quote = value.empty() ? ' ' : value[0]; quote == '"' || quote == '\'') {
    for (end = 1; end < value.size(); ++end) {
      if (quote == '"' && value[end] == '\\') {
        ++end;
      } else if (value[end] == quote && value.substr(end + 1, 1) == "'" && quote == '\'') {
        ++end;  // a quote in single quotes is written twice
      } else if (value[end] == quote) {
        break;
      }
    }
  }
  const std::size_t sign = value.find(" #", end);
  if (sign == std::string::npos) return "";
  return value.substr(value.find_last_not_of(' ', sign) + 1);
}

// The entry as it was written, but for its fingerprint; nothing where the keys do not stand on lines
// of their own.
std::optional<std::string> written_with_fingerprint(const KnownFailure& entry) {
  constexpr std::string_view kKey = "fingerprint:";
  Lines lines = lines_of(entry.written);
  const auto own = std::ranges::find_if(lines, begins_entry);
  if (own == lines.end()) return std::nullopt;
  const std::size_t keys = own->find_first_not_of(" -");
  if (keys == std::string::npos || (*own)[keys] == '{') return std::nullopt;
  const auto found = std::find_if(own, lines.end(), [&](const std::string& line) {
    const bool is_key = line.find_first_not_of(&line == &*own ? " -" : " ") == keys;
    return is_key && std::string_view(line).substr(keys).starts_with(kKey);
  });
  if (found == lines.end()) {
    lines.push_back(std::string(keys, ' ') + line_of(entry.fingerprint));
    return joined(lines, 0, lines.size());
  }
  const std::string value(trimmed(std::string_view(*found).substr(keys + kKey.size())));
  *found = found->substr(0, keys) + line_of(entry.fingerprint) + comment_behind(value);
  // Further lines of the old value are indented more than the keys.
  const auto behind = std::find_if(found + 1, lines.end(), [&](const std::string& line) {
    return line.find_first_not_of(' ') <= keys;
  });
  lines.erase(found + 1, behind);
  return joined(lines, 0, lines.size());
}

// The comments of an entry that is written anew: whole lines above it, and what stands among its keys.
std::string comments_of(const KnownFailure& entry, std::size_t most_indented) {
  std::string text;
  const Lines lines = lines_of(entry.written);
  auto own = lines.begin();
  for (; own != lines.end() && is_comment_of(*own, most_indented); ++own) text += *own + '\n';
  for (const std::string& comment : comments_in({own, lines.end()})) {
    text += std::string(most_indented - 2, ' ') + comment + '\n';
  }
  return text;
}

}  // namespace

void keep_form(const std::string& text, Baseline& baseline) {
  const Lines lines = lines_of(text);
  if (!is_a_list_of_blocks(lines, baseline)) {
    // Another form than a list of blocks: at least the comments are kept, at the top.
    for (const std::string& comment : comments_in(lines)) baseline.head += comment + '\n';
    if (!baseline.head.empty()) baseline.head += "known:\n";
    return;
  }
  const std::string& first = lines[static_cast<std::size_t>(baseline.known.front().line) - 1];
  const std::size_t dash = first.find('-');
  std::vector<std::size_t> begins;
  std::size_t before = 0;
  for (const KnownFailure& entry : baseline.known) {
    const auto own = static_cast<std::size_t>(entry.line) - 1;
    std::size_t begin = own;
    while (begin > before && is_comment_of(lines[begin - 1], dash)) --begin;
    begins.push_back(begin);
    before = own + 1;
  }
  std::size_t end = lines.size();
  while (end > before && is_comment_of(lines[end - 1], dash)) --end;
  baseline.head = joined(lines, 0, begins.front());
  baseline.tail = joined(lines, end, lines.size());
  baseline.indent = static_cast<int>(dash);
  for (std::size_t at = 0; at < baseline.known.size(); ++at) {
    const std::size_t next = at + 1 < begins.size() ? begins[at + 1] : end;
    baseline.known[at].written = joined(lines, begins[at], next);
    baseline.known[at].fingerprint_written = baseline.known[at].fingerprint;
  }
}

std::string text_of(const Baseline& baseline) {
  std::string text = baseline.head;
  if (text.empty()) {
    text =
        "# Known failures: id, reason, link, and how they fail. An entry that is not true any more "
        "turns the run red.\nknown:\n";
  }
  for (const KnownFailure& entry : baseline.known) {
    if (!entry.written.empty() && entry.fingerprint == entry.fingerprint_written) {
      text += entry.written;
    } else if (const auto with_new = written_with_fingerprint(entry)) {
      text += *with_new;
    } else {
      const auto keys = static_cast<std::size_t>(baseline.indent) + 2;
      text += comments_of(entry, keys) + emitted(entry, baseline.indent);
    }
  }
  return text + baseline.tail;
}

}  // namespace reshape::conformance
