#include "conformance/text/reader.h"

#include <limits>
#include <utility>

#include "conformance/model/request.h"

namespace reshape::conformance {

bool Reader::fail(std::size_t position, std::string message) {
  error_ = {std::move(message), "column " + std::to_string(position + 1)};
  return false;
}

bool Reader::element_type(const char* what, ElementType& type) {
  const std::size_t begin = cursor_.at();
  const std::string_view word = cursor_.name();
  if (cursor_.peek() != '[') {
    return fail(begin, "expected " + std::string(what) + ", not " + found(word));
  }
  const std::optional<ElementType> named = element_type_named(word);
  if (!named) return fail(begin, "unknown element type " + quoted(word));
  type = *named;
  return true;
}

bool Reader::separated(const char* what) {
  const bool blank = cursor_.skip_blanks();
  if (blank && !cursor_.at_end()) return true;
  return fail(cursor_.at(), "expected " + std::string(cursor_.at_end() ? "" : "a blank and ") +
                                what + ", not " + cursor_.here());
}

bool Reader::boolean(std::string_view key, bool& value) {
  const std::size_t begin = cursor_.at();
  const std::string_view read = cursor_.name();
  value = read == "true";
  if (value || read == "false") return true;
  return fail(begin, std::string(key) + " is true or false, not " + found(read));
}

std::optional<Integer> Reader::decimal(const char* what) {
  const std::size_t begin = cursor_.at();
  std::optional<Integer> read = cursor_.integer();
  if (read && !read->hexadecimal) return read;
  fail(begin, "expected " + std::string(what) + ", not " +
                  (read ? quoted(digits(*read)) : cursor_.here()));
  return std::nullopt;
}

bool Reader::integer(const char* what, PatternValue low, PatternValue high, std::int64_t& value) {
  const std::optional<Integer> read = decimal(what);
  if (!read) return false;
  if (read->value < low || read->value > high) {
    return fail(read->begin, std::string(what) + " is " + text(low) + " to " + text(high) +
                                 ", not " + digits(*read));
  }
  value = static_cast<std::int64_t>(read->value);
  return true;
}

bool Reader::list(const char* what, PatternValue low, PatternValue high,
                  std::vector<std::int64_t>& values) {
  return items(what, [&] {
    return integer(what, low, high, values.emplace_back()) && not_too_long(values.size());
  });
}

bool Reader::not_too_long(std::size_t count) {
  return count <= kMostSizes ||
         fail(cursor_.at(), "more than " + std::to_string(kMostSizes) + " numbers are not asked");
}

bool Reader::sizes(Shape& shape) {
  std::vector<std::int64_t> read;
  if (!list("a size", 0, std::numeric_limits<std::int64_t>::max(), read)) return false;
  shape = Shape(std::move(read));
  return true;
}

std::string Reader::found(std::string_view word) const {
  return word.empty() ? cursor_.here() : quoted(word);
}

std::string Reader::digits(const Integer& read) const {
  constexpr std::size_t kLongest = 40;
  const std::string_view written = cursor_.slice(read.begin, read.end);
  return std::string(written.substr(0, kLongest)) + (written.size() > kLongest ? "..." : "");
}

}  // namespace reshape::conformance
