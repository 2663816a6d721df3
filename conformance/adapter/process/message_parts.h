#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reference/tensor/result.h"

// For message.cpp only: the parts that every message has, whatever it says. A message is the size of
// its CBOR part, the CBOR part, and the raw bytes of all elements one after the other: elements are too
// many to be taken through a document tree.
namespace reshape::conformance {

std::string with_raw(const nlohmann::json& tree, std::string_view raw = {});

struct Parts {
  nlohmann::json tree;  // an object, and no deeper than any message goes
  std::string_view raw;
};
// Total: whatever the bytes are. The raw part is that of `message` itself.
Result<Parts> parts_of(std::string_view message);

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
