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

Result<RawParts> raw_parts_of(std::string_view message) {
  std::uint32_t size = 0;
  if (message.size() < sizeof size) return Error{"a message without a size"};
  std::memcpy(&size, message.data(), sizeof size);
  message.remove_prefix(sizeof size);
  if (size > message.size()) return Error{"a message that is shorter than it says"};
  return RawParts{message.substr(0, size), message.substr(size)};
}

ValueWriter::ValueWriter(std::size_t raw_size) {
  constexpr std::size_t kMostlyEnough = 1024;  // for a head
  message_.reserve(sizeof(std::uint32_t) + kMostlyEnough + raw_size);
  message_.assign(sizeof(std::uint32_t), '\0');
}

void ValueWriter::number(std::int64_t value) {
  // The sign goes into the lowest bit, so that small numbers of either sign take one byte.
  auto bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  for (; bits >= 0x80; bits >>= 7) message_ += static_cast<char>(bits | 0x80);
  message_ += static_cast<char>(bits);
}

void ValueWriter::text(std::string_view value) {
  number(static_cast<std::int64_t>(value.size()));
  message_ += value;
}

void ValueWriter::end_head() {
  const auto size = static_cast<std::uint32_t>(message_.size() - sizeof(std::uint32_t));
  std::memcpy(message_.data(), &size, sizeof size);
}

void ValueWriter::raw(const void* bytes, std::size_t size) {
  if (size > 0) message_.append(static_cast<const char*>(bytes), size);
}

Error ValueReader::error() const {
  return Error{"a message in which '" + std::string(ok() ? "" : bad_) + "' is wrong"};
}

bool ValueReader::next(std::int64_t& value) {
  if (!ok()) return false;
  std::uint64_t bits = 0;
  for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    bits |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) != 0) continue;
    value = static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1);
    return true;
  }
  return false;
}

void ValueReader::text(const char* name, std::string& into) {
  std::int64_t size = 0;
  if (!next(size) || size < 0 || static_cast<std::uint64_t>(size) > rest_.size()) return fail(name);
  into.clear();
  if (size == 0) return;
  into = printable(rest_.substr(0, static_cast<std::size_t>(size)), kLongestText);
  rest_.remove_prefix(static_cast<std::size_t>(size));
}

std::size_t ValueReader::count(const char* name, std::size_t most) {
  std::size_t count = 0;
  number(name, 0, static_cast<std::int64_t>(most), count);
  return count;
}

Result<Parts> parts_of(std::string_view message) {
  const Result<RawParts> parts = raw_parts_of(message);
  if (!parts) return parts.error();
  const std::string_view cbor = parts->head;
  Tree tree;
  bool read = false;
  try {
    read = json::sax_parse(cbor.begin(), cbor.end(), &tree, json::input_format_t::cbor);
  } catch (const std::exception&) {
    read = false;  // lengths that no memory could hold are thrown, not returned
  }
  if (!read || !tree.root.is_object()) return Error{"a message that is not well formed"};
  return Parts{std::move(tree.root), parts->raw};
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
