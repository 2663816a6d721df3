#include "conformance/text/cursor.h"

namespace reshape::conformance {
namespace {

constexpr PatternValue kBeyondEveryType = PatternValue{1} << 100;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '.' || c == '-' ||
         c == '_';
}

int hexadecimal_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool Cursor::skip_blanks() {
  const std::size_t begin = at_;
  while (!at_end() && is_blank(text_[at_])) ++at_;
  return at_ != begin;
}

bool Cursor::take(char expected) {
  if (at_end() || text_[at_] != expected) return false;
  ++at_;
  return true;
}

std::string_view Cursor::name() {
  const std::size_t begin = at_;
  while (!at_end() && is_name_character(text_[at_])) ++at_;
  return slice(begin, at_);
}

std::optional<Integer> Cursor::integer() {
  Integer read;
  read.begin = at_;
  std::size_t position = at_;
  const bool negative = position < text_.size() && text_[position] == '-';
  if (negative) ++position;
  read.hexadecimal = !negative && text_.substr(position, 2) == "0x";
  if (read.hexadecimal) position += 2;
  const std::size_t first_digit = position;
  const int base = read.hexadecimal ? 16 : 10;
  for (; position < text_.size(); ++position) {
    const int digit = hexadecimal_digit(text_[position]);
    if (digit < 0 || digit >= base) break;
    if (read.value < kBeyondEveryType) read.value = read.value * base + digit;
  }
  if (position == first_digit) return std::nullopt;
  if (read.value > kBeyondEveryType) read.value = kBeyondEveryType;
  if (negative) read.value = -read.value;
  read.end = at_ = position;
  return read;
}

std::string Cursor::here() const {
  if (at_end()) return "the end of the line";
  std::size_t end = at_ + 1;
  while (end < text_.size() && !is_blank(text_[end]) && text_[end] != ',' && text_[end] != '[' &&
         text_[end] != ']') {
    ++end;
  }
  return quoted(slice(at_, end));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string form = "\"";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      form += "\\x";
      form += "0123456789abcdef"[byte >> 4];
      form += "0123456789abcdef"[byte & 0xf];
    } else {
      if (c == '"' || c == '\\') form += '\\';
      form += c;
    }
  }
  return form + (text.size() > kLongest ? "...\"" : "\"");
}

}  // namespace reshape::conformance
