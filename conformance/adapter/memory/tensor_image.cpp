#include "conformance/adapter/memory/tensor_image.h"

#include <algorithm>
#include <cstring>

#include "conformance/adapter/memory/element_walk.h"
#include "conformance/model/payload.h"
#include "conformance/model/same_bytes.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

std::byte low_half(std::byte byte) { return byte & std::byte{0x0f}; }

// Compares the elements, of a type of whole bytes, with `packed`, without gathering them.
template <typename Word>
bool holds_words(ElementType type, const Layout& layout, const std::byte* base,
                 const std::byte* packed) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(Word));
  return walk_pieces(type, layout, [&](const Piece& piece) {
    Word differing = 0;
    for (std::int64_t i = 0; i < piece.count; ++i) {
      Word is;
      Word right;
      std::memcpy(&is, base + (piece.position + i * piece.step) * size, sizeof is);
      std::memcpy(&right, packed + (piece.index + i) * size, sizeof right);
      differing = static_cast<Word>(differing | (is ^ right));
    }
    return differing == 0;
  });
}

}  // namespace

std::optional<Extent> extent_of(ElementType type, const Layout& layout, std::int64_t prefix) {
  if (layout.strides.size() != layout.shape.rank()) return std::nullopt;
  const __int128 width = bits(type);
  const __int128 offset = static_cast<__int128>(layout.offset) * width / 8;
  // A broadcast tensor is small in memory, but its elements are gathered one by one.
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
  if (!packed.empty()) packed.back() = std::byte{0};  // a half of it may be unused
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
  std::int64_t source = element_count(layout.shape).value_or(0);
  with_move(type, [&](auto move) {
    if (!is_empty(layout.shape) && strides_nest(layout)) {
      walk_pieces(type, layout, [&](const Piece& piece) {
        move.row(packed.data(), {piece.index, 1}, base, {piece.position, piece.step}, piece.count);
        return true;
      });
      return;
    }
    // Backwards, so that the first of several elements in one place wins.
    walk_rows(layout, true, [&](std::int64_t position, std::int64_t count, std::int64_t step) {
      move.row(packed.data(), {source - 1, -1}, base, {position, step}, count);
      source -= count;
      return true;
    });
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
  with_move(type, [&](auto move) {
    walk_pieces(type, layout, [&](const Piece& piece) {
      move.row(base, {piece.position, piece.step}, packed.data(), {piece.index, 1}, piece.count);
      return true;
    });
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
    case 8: return holds_words<std::uint8_t>(type, layout, base, packed.data());
    case 16: return holds_words<std::uint16_t>(type, layout, base, packed.data());
    case 32: return holds_words<std::uint32_t>(type, layout, base, packed.data());
    case 64: return holds_words<std::uint64_t>(type, layout, base, packed.data());
    default: return same_bytes(gather(type, layout, base), packed);
  }
}

bool fills(ElementType type, const Layout& layout, std::size_t bytes) {
  const auto dense = dense_bytes(type, layout);
  return dense && !dense->half && dense->whole == static_cast<std::int64_t>(bytes);
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

}  // namespace reshape::conformance
