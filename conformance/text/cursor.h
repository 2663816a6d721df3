#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reference/tensor/shape_pattern.h"

namespace reshape::conformance {

// An integer as written in the text. Values too large for any type are clamped to +-2^100, which is
// outside of every type's range, so that a range check refuses them.
struct Integer {
  PatternValue value = 0;
  bool hexadecimal = false;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A position in one line of text, with functions to read the tokens of the forms. Blanks are space,
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
  // "-12", "7", "0x3f80"; nothing, and the cursor stays, when there is no integer here.
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
