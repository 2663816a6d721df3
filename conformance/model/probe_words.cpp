// A probe in the words of those who read a report, from its text.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/model/outcome.h"
#include "conformance/model/poison_bits.h"

namespace reshape::conformance {
namespace {

// Of "shift=-29" the key and the value.
std::pair<std::string_view, std::string_view> key_and_value(std::string_view word) {
  const std::size_t at = std::min(word.find('='), word.size());
  return {word.substr(0, at), at == word.size() ? "" : word.substr(at + 1)};
}

long number(std::string_view digits) {
  long value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::string counted_of(long count, const char* one) {
  return std::to_string(count) + ' ' + one + (count == 1 ? "" : "s");
}

// What the memory around the data holds where outputs hold `poison`, in hexadecimal digits.
std::string around(std::string_view poison) {
  constexpr int kHexadecimal = 16;
  unsigned value = 0;
  std::from_chars(poison.data(), poison.data() + poison.size(), value, kHexadecimal);
  const std::uint8_t byte = gap_poison(static_cast<std::uint8_t>(value));
  constexpr const char* kDigits = "0123456789abcdef";
  return {kDigits[byte >> 4], kDigits[byte & 0xf]};
}

struct Said {
  std::string_view word;
  const char* words;
};
constexpr Said kSaid[] = {
    {"ask=sent", "sent to the child"},
    {"ask=execute-rejected", "the execution of what inference refused"},
    {"ask=in-place", "in place"},
    {"ask=view", "a view asked for"},
    {"ask=execute-wrong-volume", "execution into the shape that was answered wrongly"},
    {"ask=execute-other-output", "execution into another shape than the inferred one"},
    {"ask=refused-view", "a view asked for that has to be refused"},
    {"payload=distinct", "values that tell the elements apart"},
    {"payload=hard", "values that are hard to keep"},
    {"payload=zeros", "values of 0 alone"},
    {"placement=front", "buffers that begin at a page"},
    {"placement=back", "buffers that end at a guard page"},
    {"placement=odd", "buffers that lie within a page"},
    {"strides=null", "strides that are null"},
    {"strides=explicit", "strides written out"},
    {"byte_offset=data", "a byte_offset of the data"},
    {"byte_offset=output", "a byte_offset of the output"},
    {"byte_offset=both", "a byte_offset of both"},
    {"errno=ERANGE", "errno set to ERANGE before the call"},
    {"empty=null", "null pointers to what has no elements"},
    {"allocation=one", "data and output in one allocation"},
    {"output=data", "the output on top of the data"},
};

}  // namespace

std::string probe_word_in_words(std::string_view word) {
  for (const Said& one : kSaid) {
    if (one.word == word) return one.words;
  }
  const auto [key, value] = key_and_value(word);
  if (key == "poison") return "an output that held the bytes " + std::string(value);
  // Elements of one bit, say, are told apart by several executions.
  if (key == "round") return "set " + std::to_string(number(value) + 1) + " of these values";
  return std::string(word);
}

std::string probe_in_words(std::string_view probe) {
  std::vector<std::string> all;
  // There the output lies in what surrounds the data.
  const bool in_one =
      probe.starts_with("ask=overlap ") || probe.find("allocation=one") != std::string_view::npos;
  bool overlaps = false, shifted = false;
  long shift = 0, bytes = 0;
  while (!probe.empty()) {
    const std::size_t end = std::min(probe.find(' '), probe.size());
    const std::string_view word = probe.substr(0, end);
    probe.remove_prefix(std::min(end + 1, probe.size()));
    const auto [key, value] = key_and_value(word);
    if (word == "ask=overlap") {
      overlaps = true;
    } else if (key == "shift") {
      shifted = true;
      shift = number(value);
    } else if (key == "shift_bytes") {
      bytes = number(value);
    } else if (key == "poison" && in_one) {
      all.push_back("memory around the data that held the bytes " + around(value));
    } else if (!word.empty()) {
      all.push_back(probe_word_in_words(word));
    }
  }
  if (overlaps) {
    std::string where = shift == 0 ? "" : counted_of(shift < 0 ? -shift : shift, "element");
    if (bytes != 0) where += (where.empty() ? "" : " and ") + counted_of(bytes, "byte");
    where = where.empty() ? "from the data's start on"
                          : where + (shift < 0 ? " before" : " behind") + " the data's start";
    // Bytes lie behind, however the elements lie.
    if (shift < 0 && bytes != 0) {
      where = counted_of(-shift, "element") + " before the data's start, and " +
              counted_of(bytes, "byte") + " behind that";
    }
    all.insert(all.begin(), "an output that overlaps the data, " + where);
  } else if (shifted && shift < 0) {
    all.insert(all.begin(), "an output that ends where the data begins");
  }
  std::string words;
  for (const std::string& one : all) words += (words.empty() ? "" : ", ") + one;
  return words;
}

}  // namespace reshape::conformance
