#include "conformance/model/request.h"

#include <limits>

namespace reshape::conformance {

Layout data_layout(const Request& request) {
  const std::optional<Strides> strides =
      request.strides ? request.strides : row_major_strides(request.data);
  return {request.data, strides.value_or(Strides()), request.offset};
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
  const WideRange range = reach_of({request.data, *strides, request.offset});
  if (range.first < -kMost || range.last > kMost) return std::nullopt;
  // 4-bit elements share bytes: the first and the last one may be halves of theirs. The shift
  // rounds down below 0 as well.
  const int width = bits(request.data_type);
  const __int128 first_byte = (range.first * width) >> 3;
  const __int128 last_byte = (range.last * width + width - 1) >> 3;
  const __int128 bytes = last_byte - first_byte + 1;
  if (bytes > kMost) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

}  // namespace reshape::conformance
