// Answers that are kept by a key which two different requests share. What is kept is locked, so that the
// mistake is the key and never the keeping.
#include <algorithm>

#include "conformance/self/kept.h"
#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

std::string text_of(const Sizes& sizes) {
  std::string text;
  for (const std::int64_t size : sizes) text += std::to_string(size) + ",";
  return text + "/";
}

Sizes sizes_and_pattern(const Asked& asked) {
  Sizes all = sizes_of(asked.data);
  for (const PatternValue value : asked.pattern) all.push_back(static_cast<std::int64_t>(value));
  return all;
}

// By digest(sizes) of the data and of the pattern, and by all else as it is.
template <typename Digest>
void keeps_by(reshape_plugin& table, Digest) {
  keeps_answers(table, [](const Asked& asked) {
    Sizes pattern;
    for (const PatternValue value : asked.pattern) {
      pattern.push_back(static_cast<std::int64_t>(value));
    }
    return Digest{}(sizes_of(asked.data)) + "/" + Digest{}(pattern) + "/" +
           key_of_all_but_sizes(asked);
  });
}

// The hash that Java's lists have: 31 times what there is, and the next one.
template <typename Number>
Number hash_31(const Sizes& sizes) {
  std::uint64_t hash = 1;
  for (const std::int64_t size : sizes) hash = 31 * hash + static_cast<std::uint64_t>(size);
  return static_cast<Number>(hash);
}

// Each size in Bits bits.
template <int Bits>
std::string packed(const Sizes& sizes) {
  std::string text;
  for (const std::int64_t size : sizes) {
    text +=
        std::to_string(static_cast<std::uint64_t>(size) & ((std::uint64_t{1} << Bits) - 1)) + ",";
  }
  return text;
}

}  // namespace

MUTANT("kept-by-digits", Breaks("C17"),
       Says("answers are kept by the sizes written one behind the other: [1,23] is [12,3]")) {
  keeps_by(table, [](const Sizes& sizes) {
    std::string digits;
    for (const std::int64_t size : sizes) digits += std::to_string(size);
    return digits;
  });
}

MUTANT("kept-by-hash-31", Breaks("C17"),
       Says("answers are kept by the hash of lists, 31 * h + size, and what it finds is not "
            "compared")) {
  keeps_by(table, [](const Sizes& sizes) { return std::to_string(hash_31<std::uint32_t>(sizes)); });
}

MUTANT("kept-by-8-bits-of-a-hash", Breaks("C17"),
       Says("a hash chooses one of 256 places, and what lies there is not compared")) {
  keeps_by(table, [](const Sizes& sizes) {
    return std::to_string(hash_31<std::uint64_t>(sizes) * 0x9e3779b97f4a7c15 >> 56);
  });
}

MUTANT("kept-by-16-bits-of-a-hash", Breaks("C17"),
       Says("a hash chooses one of 65536 places, and what lies there is not compared")) {
  keeps_by(table, [](const Sizes& sizes) {
    return std::to_string(hash_31<std::uint64_t>(sizes) * 0x9e3779b97f4a7c15 >> 48);
  });
}

MUTANT("kept-by-exclusive-or", Breaks("C17"),
       Says("answers are kept by the exclusive or of the sizes, which equal ones leave")) {
  keeps_by(table, [](const Sizes& sizes) {
    std::int64_t bits = 0;
    for (const std::int64_t size : sizes) bits ^= size;
    return std::to_string(bits) + "," + std::to_string(sizes.size());
  });
}

MUTANT("kept-by-sorted-sizes", Breaks("C17"),
       Says("answers are kept by the data's sizes in order, whatever order they came in")) {
  keeps_answers(table, [](const Asked& asked) {
    Sizes sorted = sizes_of(asked.data);
    std::sort(sorted.begin(), sorted.end());
    return text_of(sorted) + key_of_pattern(asked) + key_of_types(asked) + key_of_rest(asked);
  });
}

MUTANT("kept-by-the-first-two-sizes", Breaks("C17"),
       Says("answers are kept by the data's first two sizes and its number of elements")) {
  keeps_answers(table, [](const Asked& asked) {
    Sizes first = sizes_of(asked.data);
    if (first.size() > 2) first.resize(2);
    return text_of(first) + std::to_string(element_count(asked.data).value_or(-1)) + "/" +
           key_of_pattern(asked) + key_of_types(asked) + key_of_rest(asked);
  });
}

MUTANT("kept-by-the-last-two-sizes", Breaks("C17"),
       Says("answers are kept by the data's last two sizes and its rank")) {
  keeps_answers(table, [](const Asked& asked) {
    Sizes last = sizes_of(asked.data);
    if (last.size() > 2) last.erase(last.begin(), last.end() - 2);
    return text_of(last) + std::to_string(asked.data.rank()) + "/" + key_of_pattern(asked) +
           key_of_types(asked) + key_of_rest(asked);
  });
}

MUTANT("kept-without-a-seam", Breaks("C17"),
       Says("answers are kept by data and pattern in a row, without where the one ends")) {
  keeps_answers(table, [](const Asked& asked) {
    return text_of(sizes_and_pattern(asked)) + key_of_types(asked) + key_of_rest(asked);
  });
}

MUTANT("kept-without-the-form-of-the-pattern", Breaks("C17"),
       Says("answers are kept by the pattern's values, without the dimensions of its tensor")) {
  keeps_answers(table, [](const Asked& asked) {
    Sizes pattern;
    for (const PatternValue value : asked.pattern) {
      pattern.push_back(static_cast<std::int64_t>(value));
    }
    return key_of(asked.data) + text_of(pattern) + key_of_types(asked) + key_of_rest(asked);
  });
}

MUTANT("kept-in-32-bits-a-size", Breaks("C17"),
       Says("answers are kept by the lower 32 bits of each size")) {
  keeps_by(table, [](const Sizes& sizes) { return packed<32>(sizes); });
}

MUTANT("kept-in-16-bits-a-size", Breaks("C17"),
       Says("answers are kept by the lower 16 bits of each size")) {
  keeps_by(table, [](const Sizes& sizes) { return packed<16>(sizes); });
}

MUTANT("kept-in-8-bits-a-size", Breaks("C17"),
       Says("answers are kept by the lower 8 bits of each size")) {
  keeps_by(table, [](const Sizes& sizes) { return packed<8>(sizes); });
}

MUTANT("kept-by-up-to-four-sizes", Breaks("C17"),
       Says("the key has room for four sizes of the data and four values of the pattern")) {
  keeps_by(table, [](const Sizes& sizes) {
    Sizes first = sizes;
    if (first.size() > 4) first.resize(4);
    return text_of(first) + std::to_string(sizes.size());
  });
}

MUTANT("kept-without-signs", Breaks("C17"),
       Says("answers are kept by the magnitude of the pattern's values, so that -1 is 1")) {
  keeps_by(table, [](const Sizes& sizes) {
    Sizes magnitudes = sizes;
    for (std::int64_t& size : magnitudes) size = size == -1 ? 1 : size;
    return text_of(magnitudes);
  });
}

MUTANT("kept-by-count-and-output-rank", Breaks("C17"),
       Says("answers are kept by both numbers of elements and both ranks")) {
  keeps_by(table, [](const Sizes& sizes) {
    return std::to_string(product_in<std::int64_t>(sizes)) + "," + std::to_string(sizes.size());
  });
}

MUTANT("kept-when-refused-by-the-pattern", Breaks("C17"),
       Says("a pattern that was refused once is refused over all data of that rank and type")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    static std::mutex guard;
    static std::map<std::string, bool> refused;
    const std::lock_guard<std::mutex> lock(guard);
    const std::string key = std::to_string(asked.data.rank()) + "/" + key_of_pattern(asked) +
                            key_of_types(asked) + key_of_rest(asked);
    if (!right.produces()) refused[key] = true;
    return refused[key] ? Misreading::refusal() : Misreading::none();
  });
}

MUTANT("kept-when-produced-by-the-pattern", Breaks("C17"),
       Says("a pattern of plain sizes that was right once is right for all data of that rank")) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    static std::mutex guard;
    static std::map<std::string, bool> produced;
    const std::lock_guard<std::mutex> lock(guard);
    const std::string key = std::to_string(asked.data.rank()) + "/" + key_of_pattern(asked) +
                            key_of_types(asked) + key_of_rest(asked);
    const auto plain = plain_pattern(asked);
    if (!plain || plain->minus_one) return Misreading::none();
    if (right.produces()) produced[key] = true;
    return right.refused_for("volume.kept") && produced[key] ? Misreading::of(plain->sizes)
                                                             : Misreading::none();
  });
}

}  // namespace reshape::conformance::self
