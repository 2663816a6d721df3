#include "conformance/model/request.h"

#include <limits>

namespace reshape::conformance {

Layout data_layout(const Request& request) {
  Layout layout;
  layout.shape = request.data;
  layout.strides =
      request.strides ? *request.strides : row_major_strides(request.data).value_or(Strides());
  layout.offset = request.offset;
  return layout;
}

bool output_overlaps(const Request& request, const Shape& shape) {
  return request.out_strides && request.out_strides->size() == shape.rank() &&
         overlaps({shape, *request.out_strides, request.out_offset});
}

bool output_fits(const Request& request, const Shape& shape) {
  return !request.out_strides ||
         (request.out_strides->size() == shape.rank() && !output_overlaps(request, shape));
}

std::optional<std::int64_t> data_bytes(const Request& request) {
  if (is_empty(request.data)) return 0;
  const std::optional<Strides> strides =
      request.strides ? request.strides : row_major_strides(request.data);
  if (!strides || strides->size() != request.data.rank()) return std::nullopt;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  // 128 bits are enough: a product of two int64 is below 2^126, and every sum is checked.
  __int128 first = request.offset;
  __int128 last = request.offset;
  for (std::size_t axis = 0; axis < strides->size(); ++axis) {
    const __int128 reach = static_cast<__int128>(request.data[axis] - 1) * (*strides)[axis];
    if (reach < 0) first += reach;
    if (reach > 0) last += reach;
    if (first < -static_cast<__int128>(kMost) || last > kMost) return std::nullopt;
  }
  const int width = bits(request.data_type);
  // 4-bit elements share bytes: the first and the last one may be halves of theirs.
  const __int128 first_bit = first * width;
  const __int128 last_bit = last * width + width - 1;
  const __int128 first_byte = first_bit >= 0 ? first_bit / 8 : (first_bit - 7) / 8;
  const __int128 last_byte = last_bit >= 0 ? last_bit / 8 : (last_bit - 7) / 8;
  const __int128 bytes = last_byte - first_byte + 1;
  if (bytes > kMost) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

}  // namespace reshape::conformance
