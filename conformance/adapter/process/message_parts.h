#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/tensor/result.h"

// For message.cpp only: the encoding of messages. A message is the size of its head, the head, and
// raw bytes. The head is a sequence of values: numbers as 7 bits a byte, texts behind their sizes.
// Writer and reader have the same members, so that one function describes a message for both
// directions.
namespace reshape::conformance {

class ValueWriter {
 public:
  static constexpr bool kReads = false;

  template <typename Number>
  void number(const char*, std::int64_t, std::int64_t, const Number& value) {
    put(static_cast<std::int64_t>(value));
  }
  void flag(const char*, bool value) { put(value ? 1 : 0); }
  void text(const char*, std::string_view value) {
    put(static_cast<std::int64_t>(value.size()));
    message_ += value;
  }
  template <typename Bytes>
  void raw(const char*, const Bytes& bytes) {
    put(static_cast<std::int64_t>(bytes.size()));
    raw_.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  // `each` takes one value of the list.
  template <typename List, typename Each>
  void list(const char*, std::size_t, const List& values, Each each) {
    put(static_cast<std::int64_t>(values.size()));
    for (const auto& one : values) each(one);
  }
  std::string take() &&;

 private:
  void put(std::int64_t value);

  std::string message_ = std::string(sizeof(std::uint32_t), '\0');
  std::vector<std::string_view> raw_;
};

// Accepts any bytes. Reading stops at the first value that is missing or out of range, and the
// error names it.
class ValueReader {
 public:
  static constexpr bool kReads = true;

  explicit ValueReader(std::string_view message);

  bool ok() const { return bad_ == nullptr; }
  Error error() const;
  void fail(const char* name) {
    if (ok()) bad_ = name;
  }
  // Fails if anything is left.
  void end();

  template <typename Number>
  void number(const char* name, std::int64_t low, std::int64_t high, Number& into) {
    std::int64_t value = 0;
    if (!next(value) || value < low || value > high) return fail(name);
    into = static_cast<Number>(value);
  }
  void flag(const char* name, bool& into) { number(name, 0, 1, into); }
  // Reads a text, makes it printable, and cuts it at a limit beyond all regular texts.
  void text(const char* name, std::string& into);
  template <typename Bytes>
  void raw(const char* name, Bytes& into) {
    std::size_t size = 0;
    number(name, 0, static_cast<std::int64_t>(raw_.size()), size);
    if (!ok()) return;
    const auto* bytes = reinterpret_cast<const typename Bytes::value_type*>(raw_.data());
    into.assign(bytes, bytes + size);
    raw_.remove_prefix(size);
  }
  template <typename List, typename Each>
  void list(const char* name, std::size_t most, List& into, Each each) {
    std::size_t count = 0;
    number(name, 0, static_cast<std::int64_t>(most), count);
    into.reserve(count);
    for (; count > 0 && ok(); --count) each(into.emplace_back());
  }

 private:
  bool next(std::int64_t& value);

  std::string_view rest_;  // of the head
  std::string_view raw_;
  const char* bad_ = nullptr;
};

}  // namespace reshape::conformance
