#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reference/tensor/shape_pattern.h"

namespace reshape::conformance {

// An integer as it stood in the text. Values too long for any type are held at +-2^100, which no
// type's range reaches, so that a range check refuses them.
struct Integer {
  PatternValue value = 0;
  bool hexadecimal = false;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A place in one line of text, and the small words that the forms are made of. Blanks are space,
// tab and carriage return.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool skip_blanks();  // true when there was one
  bool take(char expected);
  // Letters, digits and . - _ ; may be empty.
  std::string_view name();
  // "-12", "7", "0x3f80"; nothing (and no movement) when no integer stands here.
  std::optional<Integer> integer();
  std::string_view slice(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }
  // What stands here, up to the next blank, comma or bracket: for messages.
  std::string here() const;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// In double quotes, on one line whatever the bytes are, and shortened when long.
std::string quoted(std::string_view text);

}  // namespace reshape::conformance
