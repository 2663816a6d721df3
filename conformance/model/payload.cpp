#include "conformance/model/payload.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

std::uint64_t mask_of(int width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

// A boolean's byte may hold 0 or 1 only, so it tells no more than two positions apart.
int digit_bits(ElementType type) { return type == ElementType::boolean ? 1 : bits(type); }

// A one-to-one mixing of `width` bits. Odd products and folded shifts keep it one-to-one; both are
// there so that positions which differ in few bits (neighbours, rows, tiles) differ in every byte.
std::uint64_t mix(std::uint64_t digit, int width) {
  const std::uint64_t mask = mask_of(width);
  digit = (digit * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) & mask;
  digit ^= digit >> (width / 2 + 1);
  digit = (digit * 0xd6e8feb86659fd93u) & mask;
  digit ^= digit >> (width / 2 + 1);
  digit = (digit * 0xbf58476d1ce4e5b9u) & mask;
  return digit ^ (digit >> (width / 2 + 1));
}

std::uint64_t hidden_behind(std::uint64_t above) { return above == 0 ? 0 : mix(above, 64) >> 23; }

// Digit `round` of the position, combined with a hash of the digits above it. The topmost digit has
// only zeros above it, so it can be recovered, then the one below it, and so on: all rounds
// together tell every position apart. Thanks to the hash, a shift by a multiple of 2^width shows in
// round 0 already.
inline std::uint64_t distinct_digit(int width, std::int64_t position, int round) {
  const int skipped = width * round;
  const std::uint64_t rest = skipped >= 64 ? 0 : static_cast<std::uint64_t>(position) >> skipped;
  const std::uint64_t above = width >= 64 ? 0 : rest >> width;
  return mix((rest ^ hidden_behind(above)) & mask_of(width), width);
}

// NaN with a payload, signalling NaN, -0, infinities, denormals, largest, smallest, one. Odd
// lengths, so that no power-of-two shift falls on the same pattern.
constexpr std::uint64_t kF64[] = {0x7ff8000000abcdef, 0x7ff0000000000001, 0x8000000000000000,
                                  0x0000000000000001, 0x7ff0000000000000, 0xfff0000000000000,
                                  0x000fffffffffffff, 0x7fefffffffffffff, 0x0010000000000000,
                                  0xfff4000012345678, 0x3ff0000000000001, 0x8000000000000001,
                                  0x4340000000000001};
constexpr std::uint64_t kF32[] = {0x7fc12345, 0x7f800001, 0x80000000, 0x00000001, 0x7f800000,
                                  0xff800000, 0x007fffff, 0x7f7fffff, 0x00800000, 0xffa54321,
                                  0x3f800001, 0x80000001, 0x4b800001};
constexpr std::uint64_t kF16[] = {0x7e5a, 0x7c01, 0x8000, 0x0001, 0x7c00, 0xfc00, 0x03ff,
                                  0x7bff, 0x0400, 0xfd23, 0x3c01, 0x8001, 0x6801};
constexpr std::uint64_t kBf16[] = {0x7fd5, 0x7f81, 0x8000, 0x0001, 0x7f80, 0xff80, 0x007f,
                                   0x7f7f, 0x0080, 0xffa3, 0x3f81, 0x8001, 0x4b81};
// The finite form: no infinities, one NaN of each sign.
constexpr std::uint64_t kF8e4m3[] = {0x7f, 0x80, 0x01, 0xff, 0x07, 0x7e,
                                     0x08, 0xfe, 0x81, 0x39, 0x78};
constexpr std::uint64_t kF8e5m2[] = {0x7e, 0x7d, 0x80, 0x01, 0x7c, 0xfc,
                                     0x03, 0x7b, 0x04, 0xfd, 0x81};
// Ends of the range, values that a conversion to f32 (2^24 + 1) or f64 (2^53 + 1) changes, and
// values of which one half is all zeros or ones.
constexpr std::uint64_t k64[] = {0x8000000000000000, 0x7fffffffffffffff, 0xffffffffffffffff,
                                 0x0020000000000001, 0x0000000001000001, 0x0000000100000000,
                                 0x00000000ffffffff, 0xffdfffffffffffff, 0x0000000000000001,
                                 0x8000000000000001, 0x0123456789abcdef, 0xfedcba9876543210,
                                 0x0000000080000000};
constexpr std::uint64_t k32[] = {0x80000000, 0x7fffffff, 0xffffffff, 0x01000001,
                                 0x00010000, 0x0000ffff, 0xfeffffff, 0x00000001,
                                 0x80000001, 0x01234567, 0xfedcba98};
constexpr std::uint64_t k16[] = {0x8000, 0x7fff, 0xffff, 0x0801, 0x0100, 0x00ff,
                                 0xf7ff, 0x0001, 0x8001, 0x0123, 0xfedc};
constexpr std::uint64_t k8[] = {0x80, 0x7f, 0xff, 0x10, 0x0f, 0x01, 0x81, 0x23, 0xdc};
constexpr std::uint64_t k4[] = {0x8, 0x7, 0xf, 0x1, 0xe, 0x3, 0xa};
constexpr std::uint64_t kBoolean[] = {1, 0, 0, 1, 1};

std::span<const std::uint64_t> hard_patterns(ElementType type) {
  switch (type) {
    case ElementType::f64: return kF64;
    case ElementType::f32: return kF32;
    case ElementType::f16: return kF16;
    case ElementType::bf16: return kBf16;
    case ElementType::f8e4m3: return kF8e4m3;
    case ElementType::f8e5m2: return kF8e5m2;
    case ElementType::i64:
    case ElementType::u64: return k64;
    case ElementType::i32:
    case ElementType::u32: return k32;
    case ElementType::i16:
    case ElementType::u16: return k16;
    case ElementType::i8:
    case ElementType::u8: return k8;
    case ElementType::i4:
    case ElementType::u4: return k4;
    case ElementType::boolean: return kBoolean;
  }
  return kBoolean;
}

// The mixing of each digit of `width` bits.
template <typename Word>
std::vector<Word> mixed_digits(int width) {
  std::vector<Word> mixed(std::size_t{1} << width);
  for (std::size_t digit = 0; digit < mixed.size(); ++digit) {
    mixed[digit] = static_cast<Word>(mix(digit, width));
  }
  return mixed;
}

// Round 0 of narrow types: the hash of the digits above is the same for a whole row of 2^width
// positions, and the mixing of one digit is looked up in a table.
template <typename Word>
void fill_rows_of_digits(ElementType type, std::int64_t count, std::byte* packed) {
  static const std::vector<Word> kOfWords = mixed_digits<Word>(8 * sizeof(Word));
  static const std::vector<Word> kOfFlags = mixed_digits<Word>(1);
  const int width = digit_bits(type);
  const std::vector<Word>& mixed = width == 1 ? kOfFlags : kOfWords;
  const std::int64_t row = std::int64_t{1} << width;
  const std::uint64_t mask = mask_of(width);
  for (std::int64_t first = 0; first < count; first += row) {
    const std::uint64_t hidden = hidden_behind(static_cast<std::uint64_t>(first) >> width) & mask;
    const std::int64_t behind = std::min(row, count - first);
    for (std::int64_t digit = 0; digit < behind; ++digit) {
      const Word word = mixed[static_cast<std::size_t>(digit) ^ hidden];
      std::memcpy(packed + (first + digit) * static_cast<std::int64_t>(sizeof(Word)), &word,
                  sizeof(Word));
    }
  }
}

// The same for halves of bytes, a pair at a time.
void fill_rows_of_halves(std::int64_t count, std::byte* packed) {
  std::array<unsigned, 16> mixed{};
  for (std::size_t digit = 0; digit < mixed.size(); ++digit) {
    mixed[digit] = static_cast<unsigned>(mix(digit, 4));
  }
  for (std::int64_t first = 0; first + 1 < count; first += 2) {
    const auto position = static_cast<std::uint64_t>(first);
    const std::uint64_t digit = (position ^ hidden_behind(position >> 4)) & 0xf;
    packed[first / 2] = static_cast<std::byte>(mixed[digit] | mixed[digit ^ 1] << 4);
  }
}

// Round 0 of wide types, whose digit is the whole word.
template <typename Word>
void fill_words(std::int64_t count, std::byte* packed) {
  for (std::int64_t position = 0; position < count; ++position) {
    const auto word = static_cast<Word>(distinct_digit(8 * sizeof(Word), position, 0));
    std::memcpy(packed + position * static_cast<std::int64_t>(sizeof(Word)), &word, sizeof(Word));
  }
}

// The bytes that begin with zeros, a multiple of two runs of every type; and elements in a run.
constexpr std::int64_t kLeadingZeros = 2048, kZeroRun = 128;

// Every second of so many bytes is zero throughout: who skips pages or blocks of zeros leaves what
// was there before.
constexpr std::array<std::int64_t, 2> kAllZero = {32 << 10, 512 << 10};

bool is_in_zeros(std::int64_t byte) {
  return std::ranges::any_of(kAllZero, [=](std::int64_t length) { return byte / length % 2 != 0; });
}

// Zeros, and from kLeadingZeros on runs of zeros and of elements with the sign bit alone: what
// looks at the beginning and takes all for zero is wrong, and so is who takes -0 for 0.
std::uint64_t zero_bits(ElementType type, std::int64_t position) {
  const std::int64_t byte = position * bits(type) / 8;
  const bool is_signed =
      byte >= kLeadingZeros && position / kZeroRun % 2 != 0 && !is_in_zeros(byte);
  return is_signed ? std::uint64_t{1} << (digit_bits(type) - 1) : 0;
}

void fill_one_by_one(Payload payload, ElementType type, int round, std::int64_t begin,
                     std::int64_t end, std::byte* packed) {
  for (std::int64_t position = begin; position < end; ++position) {
    store_element(type, packed, position, payload_bits(payload, type, position, round));
  }
}

// Copies the first `done` bytes behind themselves until all is full.
void repeat_to_the_end(std::span<std::byte> bytes, std::size_t done) {
  while (done < bytes.size()) {
    const std::size_t more = std::min(done, bytes.size() - done);
    std::memcpy(bytes.data() + done, bytes.data(), more);
    done += more;
  }
}

// Rows of `row` equal elements, an even number of them.
void fill_equal_rows(ElementType type, int round, std::int64_t row, std::int64_t count,
                     std::span<std::byte> packed) {
  for (std::int64_t first = 0; first < count; first += row) {
    const std::int64_t few = std::min<std::int64_t>({2, row, count - first});
    fill_one_by_one(Payload::distinct, type, round, first, first + few, packed.data());
    const std::int64_t begin = first * bits(type) / 8;
    const std::int64_t whole = std::min(row, count - first) * bits(type) / 8;
    const std::int64_t done = few * bits(type) / 8;
    if (done < whole) {
      repeat_to_the_end(
          packed.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(whole)),
          static_cast<std::size_t>(done));
    }
  }
}

}  // namespace

std::uint64_t payload_bits(Payload payload, ElementType type, std::int64_t position, int round) {
  switch (payload) {
    case Payload::distinct: return distinct_digit(digit_bits(type), position, round);
    case Payload::hard: {
      const std::span<const std::uint64_t> patterns = hard_patterns(type);
      return patterns[static_cast<std::size_t>(position) % patterns.size()];
    }
    case Payload::zeros: return zero_bits(type, position);
  }
  return 0;
}

void fill_payload(Payload payload, ElementType type, int round, std::int64_t count,
                  std::span<std::byte> packed) {
  const int width = bits(type);
  std::byte* const bytes = packed.data();
  if (payload == Payload::zeros) {
    std::fill(packed.begin(), packed.end(), std::byte{0});
    const std::int64_t first = kLeadingZeros * 8 / width, cycle = 2 * kZeroRun;
    if (count > first) {
      fill_one_by_one(payload, type, round, first, std::min(first + cycle, count), bytes);
      const auto whole = static_cast<std::size_t>(count * width / 8 - kLeadingZeros);
      const auto done = static_cast<std::size_t>(cycle * width / 8);
      if (whole > done) repeat_to_the_end(packed.subspan(kLeadingZeros, whole), done);
    }
    for (const std::int64_t length : kAllZero) {
      for (std::int64_t begin = length; begin < std::ssize(packed); begin += 2 * length) {
        const std::int64_t end = std::min(begin + length, std::ssize(packed));
        std::fill(packed.begin() + begin, packed.begin() + end, std::byte{0});
      }
    }
  } else if (payload == Payload::hard) {
    // Two cycles of 4-bit elements end with a whole byte.
    const auto cycles = 2 * static_cast<std::int64_t>(hard_patterns(type).size());
    fill_one_by_one(payload, type, round, 0, std::min(cycles, count), bytes);
    const auto whole = static_cast<std::size_t>(count * width / 8);
    if (count > cycles) {
      repeat_to_the_end(packed.first(whole), static_cast<std::size_t>(cycles * width / 8));
    }
  } else if (round > 0) {
    const int skipped = std::min(digit_bits(type) * round, 62);
    fill_equal_rows(type, round, std::int64_t{1} << skipped, count, packed);
  } else {
    switch (width) {
      case 64: fill_words<std::uint64_t>(count, bytes); break;
      case 32: fill_words<std::uint32_t>(count, bytes); break;
      case 16: fill_rows_of_digits<std::uint16_t>(type, count, bytes); break;
      case 8: fill_rows_of_digits<std::uint8_t>(type, count, bytes); break;
      default: fill_rows_of_halves(count, bytes); break;
    }
  }
  if (width < 8 && count % 2 != 0) {
    packed.back() = static_cast<std::byte>(payload_bits(payload, type, count - 1, round));
  }
}

int distinct_rounds(ElementType type, std::int64_t count) {
  const int width = digit_bits(type);
  int rounds = 1;
  while (width * rounds < 63 && (std::int64_t{1} << (width * rounds)) < count) ++rounds;
  return rounds;
}

const char* name(Payload payload) {
  switch (payload) {
    case Payload::distinct: return "distinct";
    case Payload::hard: return "hard";
    case Payload::zeros: return "zeros";
  }
  return "?";
}

}  // namespace reshape::conformance
