#include "conformance/adapter/process/message_parts.h"

#include <cstring>
#include <utility>
#include <vector>

#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

using nlohmann::json;

constexpr std::size_t kDeepest = 8;
constexpr std::size_t kLongestText = 4096;  // of one text from outside

// Builds the tree, but not deeper than any message goes: the reader below recurses.
class Tree : public json::json_sax_t {
 public:
  json root;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

 private:
  json* add(json value) {
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    json& parent = *open_.back();
    if (parent.is_object()) return &(parent[key_] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }
  bool put(json value) {
    add(std::move(value));
    return true;
  }
  bool open(json value) {
    if (open_.size() >= kDeepest) return false;
    open_.push_back(add(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<json*> open_;
  string_t key_;
};

}  // namespace

std::string with_raw(const json& tree, std::string_view raw) {
  std::string message(sizeof(std::uint32_t), '\0');
  json::to_cbor(tree, message);
  const auto size = static_cast<std::uint32_t>(message.size() - sizeof(std::uint32_t));
  std::memcpy(message.data(), &size, sizeof size);
  message += raw;
  return message;
}

Result<Parts> parts_of(std::string_view message) {
  std::uint32_t size = 0;
  if (message.size() < sizeof size) return Error{"a message without a size"};
  std::memcpy(&size, message.data(), sizeof size);
  message.remove_prefix(sizeof size);
  if (size > message.size()) return Error{"a message that is shorter than it says"};
  const std::string_view cbor = message.substr(0, size);
  Tree tree;
  bool read = false;
  try {
    read = json::sax_parse(cbor.begin(), cbor.end(), &tree, json::input_format_t::cbor);
  } catch (const std::exception&) {
    read = false;  // lengths that no memory could hold are thrown, not returned
  }
  if (!read || !tree.root.is_object()) return Error{"a message that is not well formed"};
  return Parts{std::move(tree.root), message.substr(size)};
}

Members::Members(const json& object) : object_(object) {
  if (!object.is_object()) fail("an object");
}

const json* Members::find(const char* name) {
  if (!ok()) return nullptr;
  const auto found = object_.find(name);
  if (found != object_.end()) return &*found;
  fail(name);
  return nullptr;
}

void Members::text(const char* name, std::string& into) {
  const json* value = find(name);
  if (value != nullptr && !text(*value, into)) fail(name);
}

void Members::flag(const char* name, bool& into) {
  const json* value = find(name);
  if (value == nullptr) return;
  if (!value->is_boolean()) return fail(name);
  into = value->get<bool>();
}

const json* Members::list(const char* name, std::size_t most) {
  const json* value = find(name);
  if (value == nullptr) return nullptr;
  if (value->is_array() && value->size() <= most) return value;
  fail(name);
  return nullptr;
}

bool Members::integer_within(const char* name, std::int64_t low, std::int64_t high,
                             std::int64_t& into) {
  const json* value = find(name);
  if (value == nullptr) return false;
  if (integer(*value, into) && into >= low && into <= high) return true;
  fail(name);
  return false;
}

bool Members::text(const json& value, std::string& into) {
  if (!value.is_string()) return false;
  into = printable(value.get_ref<const std::string&>(), kLongestText);
  return true;
}

bool Members::integer(const json& value, std::int64_t& into) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(INT64_MAX)) return false;
    into = static_cast<std::int64_t>(number);
    return true;
  }
  if (!value.is_number_integer()) return false;
  into = value.get<std::int64_t>();
  return true;
}

}  // namespace reshape::conformance
