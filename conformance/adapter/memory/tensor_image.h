#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conformance/adapter/memory/guarded_buffer.h"
#include "conformance/model/request.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {

// Tensors above this many bytes are never allocated: such requests are inferred and not executed.
inline constexpr std::int64_t kLargestBuffer = std::int64_t{256} << 20;

// Up to kFewElements elements may span this many bytes: their buffers are mapped sparsely.
inline constexpr std::int64_t kLargestSpan = std::int64_t{16} << 30;
inline constexpr std::int64_t kFewElements = 4096;

// Where a tensor lies in a buffer of its own; all in bytes from the start of the buffer.
struct Extent {
  std::int64_t size = 0;   // of the buffer: the prefix, every element, and the gaps between them
  std::int64_t base = 0;   // where the layout's positions count from
  std::int64_t first = 0;  // the element at index (0, 0, ...), which is the aligned one
};

// `prefix` bytes are put before the base. Nothing when the buffer would be above kLargestBuffer
// (for up to kFewElements elements: above kLargestSpan), or when the layout's strides do not fit
// its shape.
std::optional<Extent> extent_of(ElementType type, const Layout& layout, std::int64_t prefix = 0);

// The payload's elements, row-major and packed. Where the layout puts several elements in one place
// (broadcast, stride 0), that place holds the payload of the first of them in row-major order.
std::vector<std::byte> packed_payload(const Request& request, Payload payload, int round);
// The same into `packed`, whose memory is reused.
void pack_payload(const Request& request, Payload payload, int round,
                  std::vector<std::byte>& packed);

// Puts packed elements where the layout says. Only the elements' bits change: gaps and the other
// half of a shared byte stay. Of several elements in one place the first in row-major order wins.
void scatter(ElementType type, const Layout& layout, std::span<const std::byte> packed,
             std::byte* base);

// Collects the elements in row-major order, packed; the unused half of the last byte is 0.
std::vector<std::byte> gather(ElementType type, const Layout& layout, const std::byte* base);

// Whether gather() would return `packed`; faster.
bool holds(ElementType type, const Layout& layout, const std::byte* base,
           std::span<const std::byte> packed);

// Whether the elements are dense, in whole bytes, and take exactly `bytes` bytes.
bool fills(ElementType type, const Layout& layout, std::size_t bytes);

// The parts of a buffer of kSparseFrom bytes or more that the elements use, neighbours joined;
// empty for smaller ones.
std::vector<Part> parts_of(ElementType type, const Layout& layout, const Extent& extent);

// A byte outside of the elements that has changed.
struct ChangedByte {
  std::int64_t at = 0;  // from the start of the buffer
  std::uint8_t was = 0;
  std::uint8_t is = 0;
  bool half = false;         // only a half of the byte; the other half is an element
  std::int64_t changed = 0;  // such bytes in all
};

// The first byte of `buffer` outside of the elements that no longer holds `filling`. For 4-bit
// types, partly used bytes are compared by halves.
std::optional<ChangedByte> changed_gap(ElementType type, const Layout& layout, const Extent& extent,
                                       std::span<const std::byte> buffer, std::uint8_t filling);
// The same where the buffer held `before` (of the same size) instead of one byte throughout.
std::optional<ChangedByte> changed_gap(ElementType type, const Layout& layout, const Extent& extent,
                                       std::span<const std::byte> buffer,
                                       std::span<const std::byte> before);
// The same for a sparse buffer, of which only `parts` are accessible.
std::optional<ChangedByte> changed_gap_in(std::span<const Part> parts, ElementType type,
                                          const Layout& layout, const Extent& extent,
                                          std::span<const std::byte> buffer, std::uint8_t filling);

}  // namespace reshape::conformance
