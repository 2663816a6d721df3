#include "conformance/adapter/memory/tensor_image.h"

#include <algorithm>
#include <cstring>

#include "conformance/model/payload.h"
#include "conformance/model/same_bytes.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

// Calls `row(position, count, step)` for every row of the last axis in row-major order, or in the reverse of
// it, until one returns false; returns false then. The loop over the elements of a row is the caller's, where
// the compiler sees all of it.
template <typename Row>
bool walk_rows(const Layout& layout, bool backwards, Row row) {
  if (is_empty(layout.shape)) return true;
  Layout outer = backwards ? reversed(layout) : layout;
  std::int64_t count = 1;
  std::int64_t step = 0;
  if (const auto sizes = layout.shape.sizes(); !sizes.empty()) {
    count = sizes.back();
    step = outer.strides.back();
    outer.shape = Shape(std::vector<std::int64_t>(sizes.begin(), sizes.end() - 1));
    outer.strides.pop_back();
  }
  RowMajorWalk rows(outer);
  do {
    if (!row(rows.position(), count, step)) return false;
  } while (rows.next());
  return true;
}

// Calls `visit(position)` for every element in row-major order, or in the reverse of it.
template <typename Visit>
void walk(const Layout& layout, bool backwards, Visit visit) {
  walk_rows(layout, backwards, [&](std::int64_t position, std::int64_t count, std::int64_t step) {
    for (std::int64_t i = 0; i < count; ++i) visit(position + i * step);
    return true;
  });
}

// Whole bytes of a dense tensor can be copied; half of one more byte may follow.
struct DenseBytes {
  std::int64_t begin = 0;  // from the base
  std::int64_t whole = 0;
  bool half = false;
};
std::optional<DenseBytes> dense_bytes(ElementType type, const Layout& layout) {
  const std::optional<std::int64_t> count = element_count(layout.shape);
  if (!count || !is_row_major_dense(layout) || layout.offset * bits(type) % 8 != 0) {
    return std::nullopt;
  }
  const std::int64_t all = *count * bits(type);
  return DenseBytes{layout.offset * bits(type) / 8, all / 8, all % 8 != 0};
}

template <typename Word>
struct MoveWord {
  void operator()(const std::byte* from, std::int64_t read, std::byte* to,
                  std::int64_t write) const {
    constexpr auto size = static_cast<std::int64_t>(sizeof(Word));
    std::memcpy(to + write * size, from + read * size, sizeof(Word));
  }
};

// Calls walk(move), where move(from, read, to, write) moves one element of this type between two
// positions: millions of them, so that each width is a loop of its own.
template <typename Walk>
void with_move(ElementType type, Walk walk) {
  switch (bits(type)) {
    case 8: return walk(MoveWord<std::uint8_t>());
    case 16: return walk(MoveWord<std::uint16_t>());
    case 32: return walk(MoveWord<std::uint32_t>());
    case 64: return walk(MoveWord<std::uint64_t>());
    default: break;
  }
  walk([type](const std::byte* from, std::int64_t read, std::byte* to, std::int64_t write) {
    store_element(type, to, write, load_element(type, from, read));
  });
}

std::byte low_half(std::byte byte) { return byte & std::byte{0x0f}; }

// Compares the elements, of a type of whole bytes, with `packed` where they lie.
template <typename Word>
bool holds_words(const Layout& layout, const std::byte* base, const std::byte* packed) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Word));
  return walk_rows(layout, false,
                   [&](std::int64_t position, std::int64_t count, std::int64_t step) {
                     Word differing = 0;
                     for (std::int64_t i = 0; i < count; ++i) {
                       Word is;
                       Word right;
                       std::memcpy(&is, base + (position + i * step) * size, sizeof is);
                       std::memcpy(&right, packed + i * size, sizeof right);
                       differing = static_cast<Word>(differing | (is ^ right));
                     }
                     packed += count * size;
                     return differing == 0;
                   });
}

// Each byte is compared with the one behind it, so that memcmp does it in wide steps.
bool all_are(std::span<const std::byte> bytes, std::byte value) {
  return bytes.empty() || (bytes.front() == value &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

// Where dense elements of whole bytes lie in a buffer; the rest of it is gaps.
std::optional<Part> dense_part(ElementType type, const Layout& layout, const Extent& extent) {
  const auto dense = dense_bytes(type, layout);
  if (!dense || dense->half) return std::nullopt;
  const auto begin = static_cast<std::size_t>(extent.base + dense->begin);
  return Part{begin, begin + static_cast<std::size_t>(dense->whole)};
}

// Memory that is used again from call to call: the first touch of new pages takes longer than all else that
// is done with them. Of a very large buffer it is not kept.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() {
    constexpr std::size_t kMostKept = std::size_t{64} << 20;
    if (bytes().capacity() > kMostKept) bytes() = {};
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  static std::vector<std::byte>& bytes() {
    thread_local std::vector<std::byte> kept;
    return kept;
  }
};

// `right` holds what the buffer held before the call; was_before(at) says so again.
template <typename Before>
std::optional<ChangedByte> changed_besides_elements(ElementType type, const Layout& layout,
                                                    const Extent& extent,
                                                    std::span<const std::byte> buffer,
                                                    std::vector<std::byte>& right,
                                                    Before was_before) {
  // Comes to hold what the buffer would hold if only the elements had changed.
  with_move(type, [&](auto move) {
    walk(layout, false, [&](std::int64_t position) {
      move(buffer.data() + extent.base, position, right.data() + extent.base, position);
    });
  });
  std::optional<ChangedByte> found;
  if (std::memcmp(buffer.data(), right.data(), right.size()) == 0) return found;
  for (std::size_t at = 0; at < buffer.size(); ++at) {
    if (buffer[at] == right[at]) continue;
    if (!found) {
      const auto was = static_cast<std::uint8_t>(right[at]);
      const auto is = static_cast<std::uint8_t>(buffer[at]);
      const bool half = right[at] != was_before(at);
      found = ChangedByte{static_cast<std::int64_t>(at), was, is, half, 0};
    }
    ++found->changed;
  }
  return found;
}

}  // namespace

std::optional<Extent> extent_of(ElementType type, const Layout& layout, std::int64_t prefix) {
  if (layout.strides.size() != layout.shape.rank()) return std::nullopt;
  const __int128 width = bits(type);
  const __int128 offset = static_cast<__int128>(layout.offset) * width / 8;
  // A broadcast tensor is small in memory, and still has to be gathered element by element.
  const std::optional<std::int64_t> count = element_count(layout.shape);
  if (!count || *count > kLargestBuffer * 8 / bits(type)) return std::nullopt;
  const std::int64_t most =
      *count <= kFewElements && sizeof(void*) == 8 ? kLargestSpan : kLargestBuffer;
  if (offset < 0 || offset > most) return std::nullopt;
  if (is_empty(layout.shape)) {
    return Extent{0, prefix, prefix + static_cast<std::int64_t>(offset)};
  }
  const auto [first, last] = reach_of(layout);
  const __int128 far = static_cast<__int128>(most) * 4;  // elements, 4-bit ones too
  if (first < -far || last > far) return std::nullopt;
  const auto floor_bytes = [&](__int128 position) {
    const __int128 at = position * width;
    return static_cast<std::int64_t>(at >= 0 ? at / 8 : (at - 7) / 8);
  };
  const std::int64_t begin = std::min<std::int64_t>(0, floor_bytes(first)) - prefix;
  const auto end = static_cast<std::int64_t>(((last + 1) * width + 7) / 8);
  if (end - begin > most) return std::nullopt;
  return Extent{end - begin, -begin, -begin + static_cast<std::int64_t>(offset)};
}

void pack_payload(const Request& request, Payload payload, int round,
                  std::vector<std::byte>& packed) {
  const std::int64_t count = element_count(request.data).value_or(0);
  packed.resize(static_cast<std::size_t>(bytes_for(request.data_type, count)));
  if (!request.elements) return fill_payload(payload, request.data_type, round, count, packed);
  const std::vector<std::uint64_t>& written = *request.elements;
  if (!packed.empty()) packed.back() = std::byte{0};  // of which half may stay unused
  for (std::int64_t position = 0; position < count; ++position) {
    const auto index = static_cast<std::size_t>(position);
    store_element(request.data_type, packed.data(), position,
                  index < written.size() ? written[index] : 0);
  }
}

std::vector<std::byte> packed_payload(const Request& request, Payload payload, int round) {
  std::vector<std::byte> packed;
  pack_payload(request, payload, round, packed);
  return packed;
}

void scatter(ElementType type, const Layout& layout, std::span<const std::byte> packed,
             std::byte* base) {
  if (const auto dense = dense_bytes(type, layout)) {
    const auto whole = static_cast<std::size_t>(dense->whole);
    if (whole > 0) std::memcpy(base + dense->begin, packed.data(), whole);
    if (dense->half) {
      std::byte& shared = base[dense->begin + dense->whole];
      shared = (shared & std::byte{0xf0}) | low_half(packed[whole]);
    }
    return;
  }
  // Backwards, so that the first of several elements in one place is the one that stays.
  std::int64_t source = element_count(layout.shape).value_or(0);
  with_move(type, [&](auto move) {
    walk(layout, true,
         [&](std::int64_t position) { move(packed.data(), --source, base, position); });
  });
}

std::vector<std::byte> gather(ElementType type, const Layout& layout, const std::byte* base) {
  const std::int64_t count = element_count(layout.shape).value_or(0);
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes_for(type, count)));
  if (const auto dense = dense_bytes(type, layout)) {
    const auto whole = static_cast<std::size_t>(dense->whole);
    if (whole > 0) std::memcpy(packed.data(), base + dense->begin, whole);
    if (dense->half) packed[whole] = low_half(base[dense->begin + dense->whole]);
    return packed;
  }
  std::int64_t target = 0;
  with_move(type, [&](auto move) {
    walk(layout, false,
         [&](std::int64_t position) { move(base, position, packed.data(), target++); });
  });
  return packed;
}

bool holds(ElementType type, const Layout& layout, const std::byte* base,
           std::span<const std::byte> packed) {
  const auto dense = dense_bytes(type, layout);
  if (dense && !dense->half) {
    const auto whole = static_cast<std::size_t>(dense->whole);
    return whole == packed.size() &&
           (whole == 0 || std::memcmp(base + dense->begin, packed.data(), whole) == 0);
  }
  const std::int64_t count = element_count(layout.shape).value_or(0);
  if (static_cast<std::int64_t>(packed.size()) != bytes_for(type, count)) return false;
  switch (bits(type)) {
    case 8: return holds_words<std::uint8_t>(layout, base, packed.data());
    case 16: return holds_words<std::uint16_t>(layout, base, packed.data());
    case 32: return holds_words<std::uint32_t>(layout, base, packed.data());
    case 64: return holds_words<std::uint64_t>(layout, base, packed.data());
    default: return same_bytes(gather(type, layout, base), packed);
  }
}

bool fills(ElementType type, const Layout& layout, std::size_t bytes) {
  const auto dense = dense_bytes(type, layout);
  return dense && !dense->half && dense->whole == static_cast<std::int64_t>(bytes);
}

std::optional<ChangedByte> changed_gap(ElementType type, const Layout& layout, const Extent& extent,
                                       std::span<const std::byte> buffer, std::uint8_t filling) {
  if (is_empty(layout.shape)) return std::nullopt;  // the canaries watch the whole page
  const auto value = static_cast<std::byte>(filling);
  if (const auto elements = dense_part(type, layout, extent)) {
    if (all_are(buffer.first(elements->begin), value) &&
        all_are(buffer.subspan(elements->end), value)) {
      return std::nullopt;
    }
  }
  const Scratch scratch;
  scratch.bytes().assign(buffer.size(), value);
  return changed_besides_elements(type, layout, extent, buffer, scratch.bytes(),
                                  [value](std::size_t) { return value; });
}

std::optional<ChangedByte> changed_gap(ElementType type, const Layout& layout, const Extent& extent,
                                       std::span<const std::byte> buffer,
                                       std::span<const std::byte> before) {
  if (const auto elements = dense_part(type, layout, extent)) {
    const auto same = [&](std::size_t begin, std::size_t end) {
      return same_bytes(buffer.subspan(begin, end - begin), before.subspan(begin, end - begin));
    };
    if (same(0, elements->begin) && same(elements->end, buffer.size())) return std::nullopt;
  }
  const Scratch scratch;
  scratch.bytes().assign(before.begin(), before.end());
  return changed_besides_elements(type, layout, extent, buffer, scratch.bytes(),
                                  [&](std::size_t at) { return before[at]; });
}

std::vector<Part> parts_of(ElementType type, const Layout& layout, const Extent& extent) {
  std::vector<Part> parts;
  if (extent.size < kSparseFrom || element_count(layout.shape).value_or(0) > kFewElements) {
    return parts;
  }
  walk(layout, false, [&](std::int64_t position) {
    const std::int64_t bit = position * bits(type);
    const auto begin = static_cast<std::size_t>(extent.base + bit / 8);
    const std::size_t end = begin + static_cast<std::size_t>(std::max(1, bits(type) / 8));
    if (!parts.empty() && parts.back().begin <= begin && begin <= parts.back().end) {
      parts.back().end = std::max(parts.back().end, end);
    } else {
      parts.push_back({begin, end});
    }
  });
  return parts;
}

std::optional<ChangedByte> changed_gap_in(std::span<const Part> parts, ElementType type,
                                          const Layout& layout, const Extent& extent,
                                          std::span<const std::byte> buffer, std::uint8_t filling) {
  // The bits of each byte that belong to elements.
  std::vector<std::vector<std::uint8_t>> taken;
  for (const Part& part : parts) taken.emplace_back(part.end - part.begin, std::uint8_t{0});
  const auto take = [&](std::int64_t at, std::uint8_t bits_of_it) {
    const auto byte = static_cast<std::size_t>(at);
    for (std::size_t index = 0; index < parts.size(); ++index) {
      if (byte < parts[index].begin || byte >= parts[index].end) continue;
      taken[index][byte - parts[index].begin] |= bits_of_it;
      return;
    }
  };
  walk(layout, false, [&](std::int64_t position) {
    if (bits(type) < 8) return take(extent.base + position / 2, position % 2 == 0 ? 0x0f : 0xf0);
    const std::int64_t width = bits(type) / 8;
    for (std::int64_t byte = 0; byte < width; ++byte) {
      take(extent.base + position * width + byte, 0xff);
    }
  });
  std::optional<ChangedByte> found;
  for (std::size_t index = 0; index < parts.size(); ++index) {
    for (std::size_t at = parts[index].begin; at < parts[index].end; ++at) {
      const std::uint8_t mine = taken[index][at - parts[index].begin];
      const auto is = static_cast<std::uint8_t>(buffer[at]);
      const auto was = static_cast<std::uint8_t>((filling & ~mine) | (is & mine));
      if (is == was) continue;
      if (!found) found = ChangedByte{static_cast<std::int64_t>(at), was, is, mine != 0, 0};
      ++found->changed;
    }
  }
  return found;
}

}  // namespace reshape::conformance
