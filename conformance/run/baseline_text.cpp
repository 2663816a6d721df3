// The text of a baseline, which preserves what people wrote.
#include <yaml-cpp/yaml.h>

#include <algorithm>
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

std::string comments_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) {
    if (is_comment(line)) text += line + '\n';
  }
  return text;
}

}  // namespace

void keep_form(const std::string& text, Baseline& baseline) {
  const Lines lines = lines_of(text);
  if (!is_a_list_of_blocks(lines, baseline)) {
    // Another form than a list of blocks: at least the comments at the top are kept.
    std::size_t head = 0;
    while (head < lines.size() && is_comment(lines[head])) ++head;
    baseline.head = joined(lines, 0, head);
    if (!baseline.head.empty()) baseline.head += "known:\n";
    return;
  }
  std::vector<std::size_t> begins;
  std::size_t before = 0;
  for (const KnownFailure& entry : baseline.known) {
    const auto own = static_cast<std::size_t>(entry.line) - 1;
    std::size_t begin = own;
    while (begin > before && is_comment(lines[begin - 1])) --begin;
    begins.push_back(begin);
    before = own + 1;
  }
  std::size_t end = lines.size();
  while (end > before && is_comment(lines[end - 1])) --end;
  baseline.head = joined(lines, 0, begins.front());
  baseline.tail = joined(lines, end, lines.size());
  const std::string& first = lines[static_cast<std::size_t>(baseline.known.front().line) - 1];
  baseline.indent = static_cast<int>(first.find('-'));
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
    } else {
      text += comments_of(lines_of(entry.written)) + emitted(entry, baseline.indent);
    }
  }
  return text + baseline.tail;
}

}  // namespace reshape::conformance
