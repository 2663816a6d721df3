#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "reference/tensor/result.h"

// For message.cpp only: the parts that every message has, whatever it says. A message is the size of
// its CBOR part, the CBOR part, and the raw bytes of all elements one after the other: elements are too
// many to be taken through a document tree. An answer has, instead of the CBOR part, its numbers and texts in
// their order: one comes with each request, and as a tree of names it took a sixth of a run.
namespace reshape::conformance {

std::string with_raw(const nlohmann::json& tree, std::string_view raw = {});

struct Parts {
  nlohmann::json tree;  // an object, and no deeper than any message goes
  std::string_view raw;
};
// Total: whatever the bytes are. The raw part is that of `message` itself.
Result<Parts> parts_of(std::string_view message);

// The two parts of a message, whatever the first one is; the error says that there are none.
struct RawParts {
  std::string_view head;
  std::string_view raw;
};
Result<RawParts> raw_parts_of(std::string_view message);

// Writes a message whose first part is values in their order: numbers as 7 bits a byte, a text behind its size.
class ValueWriter {
 public:
  explicit ValueWriter(std::size_t raw_size);  // of the raw part to come
  void number(std::int64_t value);
  void flag(bool value) { number(value ? 1 : 0); }
  void text(std::string_view value);
  void end_head();  // what follows is raw()
  void raw(const void* bytes, std::size_t size);
  std::string take() && { return std::move(message_); }

 private:
  std::string message_;
};

// Reads them in the same order. Total: from the first value on that is missing or out of range nothing more
// is read, and the error has its name.
class ValueReader {
 public:
  explicit ValueReader(std::string_view head) : rest_(head) {}

  bool ok() const { return bad_ == nullptr; }
  bool at_end() const { return rest_.empty(); }
  Error error() const;
  void fail(const char* name) {
    if (ok()) bad_ = name;
  }

  template <typename Number>
  void number(const char* name, std::int64_t low, std::int64_t high, Number& into) {
    std::int64_t value = 0;
    if (!next(value) || value < low || value > high) return fail(name);
    into = static_cast<Number>(value);
  }
  void flag(const char* name, bool& into) { number(name, 0, 1, into); }
  // Made printable, and cut where no honest text ends.
  void text(const char* name, std::string& into);
  // How many values of a list follow; 0 where that is more than `most`.
  std::size_t count(const char* name, std::size_t most);

 private:
  bool next(std::int64_t& value);

  std::string_view rest_;
  const char* bad_ = nullptr;
};

// Takes members out of an object; the first that is missing or out of range is the error.
class Members {
 public:
  explicit Members(const nlohmann::json& object);

  bool ok() const { return bad_.empty(); }
  Error error() const { return Error{"a message in which '" + bad_ + "' is wrong"}; }
  void fail(const char* name) {
    if (ok()) bad_ = name;
  }

  // Made printable, and cut where no honest text ends.
  void text(const char* name, std::string& into);
  void flag(const char* name, bool& into);
  template <typename Number>
  void number(const char* name, std::int64_t low, std::int64_t high, Number& into) {
    std::int64_t number = 0;
    if (integer_within(name, low, high, number)) into = static_cast<Number>(number);
  }
  // Null where there is none, or a longer one.
  const nlohmann::json* list(const char* name, std::size_t most);

  // The same for an entry of a list. False: no text, no integer of 64 bits.
  static bool text(const nlohmann::json& value, std::string& into);
  static bool integer(const nlohmann::json& value, std::int64_t& into);

 private:
  const nlohmann::json* find(const char* name);
  bool integer_within(const char* name, std::int64_t low, std::int64_t high, std::int64_t& into);

  const nlohmann::json& object_;
  std::string bad_;
};

}  // namespace reshape::conformance
