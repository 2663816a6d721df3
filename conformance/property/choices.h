#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace reshape::conformance {

// The source of a generator's decisions: a seed, a fuzzer's bytes, or a property framework. The
// same decisions give the same request, whatever implementation is loaded.
class Choices {
 public:
  virtual ~Choices() = default;

  // A number in [0, bound). Precondition: bound > 0.
  virtual std::uint64_t below(std::uint64_t bound) = 0;

  // A number in [low, high], both included. Precondition: low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  bool chance(unsigned percent) { return below(100) < percent; }
  // An element of a non-empty range with size() and operator[].
  template <typename Range>
  const auto& one_of(const Range& range) {
    return range[static_cast<std::size_t>(below(range.size()))];
  }
};

// Decisions from a seed; the same on every platform (the engine and the reduction are fixed here,
// std's distributions are not portable).
class SeededChoices : public Choices {
 public:
  explicit SeededChoices(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t bound) override { return engine_() % bound; }

 private:
  std::mt19937_64 engine_;
};

// Decisions from bytes, first to last, as many bytes as the bound needs; 0 when they run out, so
// that any string of bytes is enough.
class ByteChoices : public Choices {
 public:
  explicit ByteChoices(std::span<const std::uint8_t> bytes) : rest_(bytes) {}
  std::uint64_t below(std::uint64_t bound) override {
    std::uint64_t value = 0;
    for (std::uint64_t reach = bound - 1; reach != 0; reach >>= 8) {
      value = value << 8 | next();
    }
    return value % bound;
  }

 private:
  std::uint8_t next() {
    if (rest_.empty()) return 0;
    const std::uint8_t byte = rest_.front();
    rest_ = rest_.subspan(1);
    return byte;
  }
  std::span<const std::uint8_t> rest_;
};

}  // namespace reshape::conformance
