#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/text/cursor.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/result.h"
#include "reference/tensor/shape.h"

namespace reshape::conformance {

// Reads the parts that requests and rulings share. Every step answers false once something was
// wrong; error() then says what, and in which column.
class Reader {
 public:
  explicit Reader(std::string_view text) : cursor_(text) {}

  const Error& error() const { return error_; }

 protected:
  bool fail(std::size_t position, std::string message);

  // The type of "f32[...]"; stops at the bracket. `what` is what was expected: "the data, ...".
  bool element_type(const char* what, ElementType& type);
  // At least one blank, and something behind it.
  bool separated(const char* what);
  bool boolean(std::string_view key, bool& value);
  // An integer in decimal digits; nothing, and error() says why, where there is none.
  std::optional<Integer> decimal(const char* what);
  bool integer(const char* what, PatternValue low, PatternValue high, std::int64_t& value);
  // "[2,3]", each between `low` and `high`.
  bool list(const char* what, PatternValue low, PatternValue high,
            std::vector<std::int64_t>& values);
  bool sizes(Shape& shape);
  // False where a list that has `count` items is longer than a tensor has axes.
  bool not_too_long(std::size_t count);

  // "[", items separated by commas, "]". `item` reads one where the cursor stands.
  template <typename Item>
  bool items(const char* what, Item item) {
    if (!cursor_.take('[')) return fail(cursor_.at(), "expected [, not " + cursor_.here());
    cursor_.skip_blanks();
    if (cursor_.take(']')) return true;
    while (true) {
      cursor_.skip_blanks();
      if (cursor_.at_end()) return fail(cursor_.at(), "expected " + std::string(what) + " or ]");
      if (!item()) return false;
      cursor_.skip_blanks();
      if (cursor_.take(']')) return true;
      if (!cursor_.take(',')) return fail(cursor_.at(), "expected , or ], not " + cursor_.here());
    }
  }

  // `word` in quotes, or what stands at the cursor where the word is empty.
  std::string found(std::string_view word) const;
  std::string digits(const Integer& read) const;  // as written, shortened when long

  Cursor cursor_;

 private:
  Error error_;
};

}  // namespace reshape::conformance
