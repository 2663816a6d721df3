#include "conformance/adapter/process/message_parts.h"

#include <cstring>
#include <utility>

#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kLongestText = 4096;  // of one text from outside

}  // namespace

void ValueWriter::put(std::int64_t value) {
  // The sign goes into the lowest bit, so that small numbers of either sign take one byte.
  auto bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  for (; bits >= 0x80; bits >>= 7) message_ += static_cast<char>(bits | 0x80);
  message_ += static_cast<char>(bits);
}

std::string ValueWriter::take() && {
  const auto size = static_cast<std::uint32_t>(message_.size() - sizeof(std::uint32_t));
  std::memcpy(message_.data(), &size, sizeof size);
  std::size_t all = message_.size();
  for (const std::string_view bytes : raw_) all += bytes.size();
  message_.reserve(all);
  for (const std::string_view bytes : raw_) message_ += bytes;
  return std::move(message_);
}

ValueReader::ValueReader(std::string_view message) {
  std::uint32_t size = 0;
  const bool has_size = message.size() >= sizeof size;
  if (has_size) {
    std::memcpy(&size, message.data(), sizeof size);
    message.remove_prefix(sizeof size);
  }
  if (!has_size || size > message.size()) {
    fail("its size");
  } else {
    rest_ = message.substr(0, size);
    raw_ = message.substr(size);
  }
}

Error ValueReader::error() const {
  return Error{"a message in which '" + std::string(ok() ? "" : bad_) + "' is wrong"};
}

void ValueReader::end() {
  if (!raw_.empty()) fail("elements");
  if (!rest_.empty()) fail("an end");
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
  into = printable(rest_.substr(0, static_cast<std::size_t>(size)), kLongestText);
  rest_.remove_prefix(static_cast<std::size_t>(size));
}

}  // namespace reshape::conformance
