#pragma once

#include <cstdint>
#include <string_view>

namespace reshape::conformance {

// FNV-1a of 64 bits. It is the same on every machine and in every version, unlike std::hash, so
// that shards, turns and digests may depend on it.
class StableHash {
 public:
  void add(std::string_view text) {
    for (const char letter : text) take(static_cast<unsigned char>(letter));
  }

  // Adds an end mark, so that "a", "bc" and "ab", "c" differ.
  void add_word(std::string_view word) {
    add(word);
    take(0xff);  // no UTF-8 holds this byte
  }

  std::uint64_t value() const { return hash_; }

 private:
  void take(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }

  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

inline std::uint64_t stable_hash(std::string_view text) {
  StableHash hash;
  hash.add(text);
  return hash.value();
}

}  // namespace reshape::conformance
