#include "conformance/command/printable_stream.h"

#include <algorithm>

#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

// Line ends at the end of a word do no harm, and are dropped.
void add_word(std::vector<std::string>& words, std::string word) {
  word.erase(word.find_last_not_of('\n') + 1);
  if (word.find('\n') != std::string::npos) words.push_back(std::move(word));
}

}  // namespace

std::vector<std::string> words_of_lines(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (const std::string& argument : arguments) {
    add_word(words, argument);
    if (!argument.starts_with('-')) continue;
    const std::size_t equals = argument.find('=');
    if (equals != std::string::npos) add_word(words, argument.substr(equals + 1));
    if (argument.size() > 2) add_word(words, argument.substr(2));  // -iLIB
  }
  return words;
}

std::string without_lines_of(const std::vector<std::string>& words, std::string text) {
  for (const std::string& word : words) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
      const std::string shown = printable(word);
      text.replace(at, word.size(), shown);
      at += shown.size();
    }
  }
  return text;
}

std::string PrintableStream::Buffer::shown(std::string_view text) const {
  const std::string lines = printable_lines(text);
  if (paint_ == nullptr) return lines;
  std::string made;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    made += paint_(std::string_view(lines).substr(at, end - at));
    if (end < lines.size()) made += '\n';
    at = end + 1;
  }
  return made;
}

bool PrintableStream::Buffer::pass_on(std::size_t bytes) {
  const std::string_view text = std::string_view(pending_).substr(0, bytes);
  if (!text.empty() && !std::exchange(begun_, true) && !text.starts_with(first_)) {
    to_ << first_ << ": ";
  }
  to_ << shown(text);
  pending_.erase(0, bytes);
  return to_.good();
}

PrintableStream::Buffer::int_type PrintableStream::Buffer::overflow(int_type letter) {
  if (traits_type::eq_int_type(letter, traits_type::eof())) return 0;
  const char one = traits_type::to_char_type(letter);
  return xsputn(&one, 1) == 1 ? letter : traits_type::eof();
}

std::streamsize PrintableStream::Buffer::xsputn(const char* text, std::streamsize size) {
  pending_.append(text, static_cast<std::size_t>(size));
  if (!words.empty()) pending_ = without_lines_of(words, std::move(pending_));
  const std::size_t last = pending_.rfind('\n');
  if (last != std::string::npos && !pass_on(last + 1)) return 0;
  return size;
}

int PrintableStream::Buffer::sync() {
  const bool written = pass_on(pending_.size());
  to_.flush();
  return written && to_.good() ? 0 : -1;
}

}  // namespace reshape::conformance
