#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "conformance/model/payload.h"
#include "conformance/text/counted.h"
#include "conformance/text/element.h"
#include "conformance/text/line.h"
#include "conformance/text/reader.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {
namespace {

constexpr PatternValue kLowest64 = std::numeric_limits<std::int64_t>::min();
constexpr PatternValue kHighest64 = std::numeric_limits<std::int64_t>::max();
constexpr PatternValue kHighestUnsigned64 = std::numeric_limits<std::uint64_t>::max();
constexpr const char* kData = "the data, as in f32[2,3]";
constexpr const char* kPattern = "the pattern, as in i64[0,-1]";

// Why a layout cannot be addressed, or nothing: every element lies at or behind the base, at a
// position that 63 bits can express.
const char* out_of_reach(const Layout& data) {
  if (is_empty(data.shape)) return nullptr;
  const auto [first, last] = reach_of(data);
  if (first < 0) return "the strides reach elements before the start of the buffer";
  return last > kHighest64 ? "the strides reach beyond 2^63-1 elements" : nullptr;
}

class LineParser : private Reader {
 public:
  LineParser(std::string_view line, std::string_view default_dialect,
             std::span<const Dialect> dialects)
      : Reader(line), default_dialect_(default_dialect), dialects_(dialects) {}

  Result<Request> parse() {
    if (dialect() && data() && pattern() && words() && whole()) return std::move(request_);
    return error();
  }

 private:
  // A key=value word, and where its value stood.
  struct Word {
    std::string_view key;
    bool (LineParser::*read)();
    bool given = false;
    std::size_t value_at = 0;
  };

  bool dialect() {
    cursor_.skip_blanks();
    const std::size_t begin = cursor_.at();
    Cursor ahead = cursor_;
    const std::string_view first = ahead.name();
    if (!first.empty() && ahead.peek() != '[') {
      cursor_ = ahead;
      name_dialect(first);
      return separated(kData);
    }
    if (first.empty() && !ahead.at_end()) {
      return fail(begin, "expected a dialect or the data, not " + ahead.here());
    }
    if (default_dialect_.empty()) {
      return fail(begin, "the dialect is missing, as in openvino-reshape-1 f32[2,3] i64[6]");
    }
    name_dialect(default_dialect_);
    return true;
  }

  void name_dialect(std::string_view name) {
    request_.dialect = name;
    const auto known = std::find_if(dialects_.begin(), dialects_.end(),
                                    [&](const Dialect& one) { return one.name == name; });
    const Dialect* declared = known != dialects_.end() ? &*known : declared_dialect(name);
    if (declared == nullptr || declared->zero != ZeroRule::by_flag) return;
    flag_ = &declared->flag;
    words_.front().key = flag_->name;
  }

  bool data() {
    return element_type(kData, request_.data_type) && sizes(request_.data) && separated(kPattern);
  }

  bool pattern() {
    ShapePattern& pattern = request_.pattern;
    if (!element_type(kPattern, pattern.type)) return false;
    const bool integers = is_integer(pattern.type);
    const PatternValue low = integers ? lowest(pattern.type) : kLowest64;
    const PatternValue high = integers ? highest(pattern.type) : kHighestUnsigned64;
    return items("a pattern value", [&] {
      const std::optional<Integer> read = decimal("a pattern value");
      if (!read) return false;
      if (read->value < low || read->value > high) {
        return fail(read->begin,
                    digits(*read) + " does not fit " + std::string(name(pattern.type)));
      }
      pattern.values.push_back(read->value);
      return not_too_long(pattern.values.size());
    });
  }

  bool words() {
    while (true) {
      const bool blank = cursor_.skip_blanks();
      if (cursor_.at_end()) return true;
      const std::size_t begin = cursor_.at();
      if (!blank) return fail(begin, "expected a blank, not " + cursor_.here());
      const std::string_view key = cursor_.name();
      Word* word = find(key);
      if (word == nullptr) {
        return fail(begin, "unknown word " + found(key) + "; known: " + known_words());
      }
      if (word->given) return fail(begin, std::string(key) + " is given twice");
      if (!cursor_.take('=')) {
        return fail(cursor_.at(),
                    "expected = after " + std::string(key) + ", not " + cursor_.here());
      }
      word->given = true;
      word->value_at = cursor_.at();
      if (!(this->*word->read)()) return false;
    }
  }

  bool read_special_zero() {
    const std::size_t begin = cursor_.at();
    const std::string_view value = cursor_.name();
    if (value != flag_->copies && value != flag_->literal) {
      return fail(begin, flag_->name + " is " + flag_->copies + " or " + flag_->literal + ", not " +
                             found(value));
    }
    request_.special_zero = value == flag_->copies;
    return true;
  }
  bool read_pattern_shape() { return sizes(request_.pattern.tensor_shape.emplace()); }
  bool read_strides() {
    return list("a stride", kLowest64, kHighest64, request_.strides.emplace());
  }
  bool read_offset() { return integer("an offset", 0, kHighest64, request_.offset); }
  bool read_out_strides() {
    return list("a stride", kLowest64, kHighest64, request_.out_strides.emplace());
  }
  bool read_out_offset() { return integer("an offset", 0, kHighest64, request_.out_offset); }
  bool read_shape_only() { return boolean("shape_only", request_.shape_only); }
  bool read_in_place() { return boolean("in_place", request_.in_place); }

  bool read_payload() {
    const std::size_t begin = cursor_.at();
    const std::string_view value = cursor_.name();
    for (const Payload payload : {Payload::distinct, Payload::hard, Payload::zeros}) {
      if (value != name(payload)) continue;
      request_.payload = payload;
      return true;
    }
    return fail(begin, "payload is distinct, hard or zeros, not " + found(value));
  }

  bool read_elements() {
    std::vector<std::uint64_t>& elements = request_.elements.emplace();
    return items("an element", [&] {
      const std::size_t begin = cursor_.at();
      const std::optional<Integer> read = cursor_.integer();
      if (!read) return fail(begin, "expected an element, not " + cursor_.here());
      const Result<std::uint64_t> element =
          parse_element(request_.data_type, cursor_.slice(read->begin, read->end));
      if (!element) return fail(begin, element.error().message);
      elements.push_back(*element);
      return true;
    });
  }

  // Checks what needs the whole request: lists of the right length, strides that stay within 63-bit
  // positions, words that exclude each other.
  bool whole() {
    const ShapePattern& pattern = request_.pattern;
    const auto &strides = request_.strides, &out_strides = request_.out_strides;
    const auto& elements = request_.elements;
    const std::size_t pattern_values = pattern.values.size();
    const std::size_t rank = request_.data.rank();
    if (pattern.tensor_shape &&
        element_count(*pattern.tensor_shape) != static_cast<std::int64_t>(pattern_values)) {
      return clash("pattern_shape", "a pattern tensor of shape " + text(*pattern.tensor_shape) +
                                        " does not hold " + counted(pattern_values, "value"));
    }
    if (strides && strides->size() != rank) {
      return clash("strides", counted(strides->size(), "stride") + " for data of rank " +
                                  std::to_string(rank));
    }
    const char* why = strides ? out_of_reach(data_layout(request_)) : nullptr;
    if (why != nullptr) return clash("strides", why);
    if (out_strides && out_strides->size() != pattern_values) {
      return clash("out_strides", counted(out_strides->size(), "stride") +
                                      " for an output of rank " + std::to_string(pattern_values));
    }
    const bool packed = bits(request_.data_type) == 4;
    for (const auto& [word, offset] :
         {std::pair("offset", request_.offset), std::pair("out_offset", request_.out_offset)}) {
      if (!packed || offset % 2 == 0) continue;
      return clash(word, "an offset of 4-bit elements is even, so that it starts a whole byte");
    }
    if (elements && element_count(request_.data) != static_cast<std::int64_t>(elements->size())) {
      return clash("elements", counted(elements->size(), "element") + " for data of shape " +
                                   text(request_.data));
    }
    if (elements && request_.payload) {
      return clash("payload", "a payload is not given beside written-out elements");
    }
    if (request_.in_place && (strides || out_strides)) {
      return clash("in_place", "in place is for dense tensors: strides are not given beside it");
    }
    return true;
  }

  bool clash(std::string_view word, std::string message) {
    return fail(find(word)->value_at, std::move(message));
  }

  Word* find(std::string_view key) {
    for (Word& word : words_) {
      if (word.key == key) return &word;
    }
    return nullptr;
  }

  std::string known_words() const {
    std::string known;
    for (const Word& word : words_) {
      if (!known.empty()) known += ' ';
      known += word.key;
    }
    return known;
  }

  inline static const ZeroFlag kSpecialZero;

  std::string_view default_dialect_;
  std::span<const Dialect> dialects_;
  Request request_;
  const ZeroFlag* flag_ = &kSpecialZero;  // in the words of the dialect
  std::array<Word, 10> words_ = {{
      {"special_zero", &LineParser::read_special_zero},
      {"pattern_shape", &LineParser::read_pattern_shape},
      {"strides", &LineParser::read_strides},
      {"offset", &LineParser::read_offset},
      {"out_strides", &LineParser::read_out_strides},
      {"out_offset", &LineParser::read_out_offset},
      {"payload", &LineParser::read_payload},
      {"elements", &LineParser::read_elements},
      {"shape_only", &LineParser::read_shape_only},
      {"in_place", &LineParser::read_in_place},
  }};
};

}  // namespace

Result<Request> parse_line(std::string_view line, std::string_view default_dialect,
                           std::span<const Dialect> dialects) {
  return LineParser(line, default_dialect, dialects).parse();
}

}  // namespace reshape::conformance
