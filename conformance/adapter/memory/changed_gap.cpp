// changed_gap() and changed_gap_in() of tensor_image.h.
#include <cstring>

#include "conformance/adapter/memory/element_walk.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/model/same_bytes.h"

namespace reshape::conformance {
namespace {

// Compares each byte with the next one, so that memcmp can do it vectorized.
bool all_are(std::span<const std::byte> bytes, std::byte value) {
  return bytes.empty() || (bytes.front() == value &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

// The part of a buffer that dense elements of whole bytes take; the rest is gaps.
std::optional<Part> dense_part(ElementType type, const Layout& ordered, const Extent& extent) {
  const auto dense = dense_bytes(type, ordered);
  if (!dense || dense->half) return std::nullopt;
  const auto begin = static_cast<std::size_t>(extent.base + dense->begin);
  return Part{begin, begin + static_cast<std::size_t>(dense->whole)};
}

// Memory that is reused from call to call, because first touching new pages takes longer than all
// other work on them. Very large buffers are freed.
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

// `right` holds the buffer's bytes before the call, and is changed; was_before(at) returns the
// original ones.
template <typename Before>
std::optional<ChangedByte> changed_besides_elements(ElementType type, const Layout& ordered,
                                                    const Extent& extent,
                                                    std::span<const std::byte> buffer,
                                                    std::vector<std::byte>& right,
                                                    Before was_before) {
  // Copies the elements, so that `right` becomes the buffer with only its elements changed.
  with_move(type, [&](auto move) {
    walk_rows(ordered, false, [&](std::int64_t position, std::int64_t count, std::int64_t step) {
      move.row(buffer.data() + extent.base, {position, step}, right.data() + extent.base,
               {position, step}, count);
      return true;
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

std::optional<ChangedByte> changed_gap(ElementType type, const Layout& layout, const Extent& extent,
                                       std::span<const std::byte> buffer, std::uint8_t filling) {
  if (is_empty(layout.shape)) return std::nullopt;  // the canaries watch the whole page
  const auto value = static_cast<std::byte>(filling);
  const Layout ordered = in_memory_order(layout);
  if (const auto elements = dense_part(type, ordered, extent)) {
    if (all_are(buffer.first(elements->begin), value) &&
        all_are(buffer.subspan(elements->end), value)) {
      return std::nullopt;
    }
  }
  const Scratch scratch;
  scratch.bytes().assign(buffer.size(), value);
  return changed_besides_elements(type, ordered, extent, buffer, scratch.bytes(),
                                  [value](std::size_t) { return value; });
}

std::optional<ChangedByte> changed_gap(ElementType type, const Layout& layout, const Extent& extent,
                                       std::span<const std::byte> buffer,
                                       std::span<const std::byte> before) {
  const Layout ordered = is_empty(layout.shape) ? layout : in_memory_order(layout);
  if (const auto elements = dense_part(type, ordered, extent)) {
    const auto same = [&](std::size_t begin, std::size_t end) {
      return same_bytes(buffer.subspan(begin, end - begin), before.subspan(begin, end - begin));
    };
    if (same(0, elements->begin) && same(elements->end, buffer.size())) return std::nullopt;
  }
  const Scratch scratch;
  scratch.bytes().assign(before.begin(), before.end());
  return changed_besides_elements(type, ordered, extent, buffer, scratch.bytes(),
                                  [&](std::size_t at) { return before[at]; });
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
