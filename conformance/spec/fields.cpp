#include "conformance/spec/fields.h"

#include <algorithm>
#include <utility>

namespace reshape::conformance {

std::string shortened(std::string sentence) {
  constexpr std::size_t kMost = 1000;
  if (sentence.size() <= kMost) return sentence;
  std::size_t end = kMost;
  while (end > 0 && (sentence[end] & 0xc0) == 0x80) --end;  // within a character of UTF-8
  return sentence.substr(0, end) + "...";
}

Fields::Fields(const YamlNode& map, std::string what, Problems& problems)
    : map_(map), what_(std::move(what)), problems_(problems) {
  if (!is_map()) problems_.add(map.line, what_ + " is a map of keys and values");
}

const YamlNode* Fields::find(std::string_view key) const {
  for (const YamlNode::Entry& entry : map_.entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

int Fields::line_of(std::string_view key) const {
  const YamlNode* value = find(key);
  return value != nullptr ? value->line : map_.line;
}

const YamlNode* Fields::optional_node(std::string_view key) {
  asked_.emplace_back(key);
  return find(key);
}

const YamlNode* Fields::node(std::string_view key) {
  const YamlNode* value = optional_node(key);
  if (value == nullptr && is_map()) {
    problems_.add(map_.line, what_ + " needs the key \"" + std::string(key) + '"');
  }
  return value;
}

std::string Fields::text_of(std::string_view key, const YamlNode& value) {
  if (value.kind == YamlNode::Kind::scalar && !value.scalar.empty()) return value.scalar;
  problems_.add(value.line, std::string(key) + " is a text");
  return {};
}

std::string Fields::text(std::string_view key) {
  const YamlNode* value = node(key);
  return value != nullptr ? text_of(key, *value) : std::string();
}

std::string Fields::optional_text(std::string_view key) {
  const YamlNode* value = optional_node(key);
  return value != nullptr ? text_of(key, *value) : std::string();
}

bool Fields::optional_boolean(std::string_view key, bool absent) {
  const YamlNode* value = optional_node(key);
  if (value == nullptr) return absent;
  if (value->scalar != "true" && value->scalar != "false") {
    problems_.add(value->line, std::string(key) + " is true or false");
  }
  return value->scalar == "true";
}

std::vector<std::string> Fields::optional_texts(std::string_view key) {
  const YamlNode* list = optional_node(key);
  if (list == nullptr) return {};
  std::vector<std::string> texts;
  if (list->kind != YamlNode::Kind::list) {
    problems_.add(list->line, std::string(key) + " is a list, as in [a, b]");
    return texts;
  }
  for (const YamlNode& item : list->items) texts.push_back(text_of(key, item));
  return texts;
}

std::vector<std::string> Fields::texts(std::string_view key) {
  return node(key) != nullptr ? optional_texts(key) : std::vector<std::string>();
}

void Fields::finish() {
  for (const YamlNode::Entry& entry : map_.entries) {
    if (std::ranges::find(asked_, entry.key) != asked_.end()) continue;
    problems_.add(entry.line, "unknown key \"" + entry.key + "\" in " + what_);
  }
}

std::string one_of(const std::vector<std::string>& words) {
  std::string sentence;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) sentence += i + 1 == words.size() ? " or " : ", ";
    sentence += words[i];
  }
  return sentence;
}

}  // namespace reshape::conformance
