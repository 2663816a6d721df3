// Data whose last two axes change places in memory, which kernels do in tiles.
#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

bool transposed(const Walk& data) {
  return data.rank() >= 2 && data.last_stride(1) == 1 && data.last_stride(0) > 1 &&
         data.last_size(0) > 1 && data.last_size(1) > 1;
}

}  // namespace

MUTANT("transposed-tail-rows", Breaks("content.kept"), Caught("bytes", "process"),
       On("openvino-reshape-1/count-2.u8"),
       Says("a transpose in tiles of 8 by 8 leaves rows behind the last tile as the row before")) {
  reads_at_another_index(table, transposed, [](const Walk& data, std::vector<std::int64_t>& index) {
    std::int64_t& row = index[index.size() - 2];
    if (row >= data.last_size(1) / 8 * 8 && row > 0 && data.last_size(1) > 8) --row;
  });
}

MUTANT("transposed-tail-columns", Breaks("content.kept"), Caught("bytes", "process"),
       On("openvino-reshape-1/count-2.u8"),
       Says("a transpose in tiles of 16 by 16 reads columns behind the last tile one too early")) {
  reads_at_another_index(table, transposed, [](const Walk& data, std::vector<std::int64_t>& index) {
    std::int64_t& column = index.back();
    if (data.last_size(0) > 16 && column >= data.last_size(0) / 16 * 16) --column;
  });
}

MUTANT("transposed-corner", Breaks("content.kept"), Caught("bytes", "process"),
       On("openvino-reshape-1/count-2.u8"),
       Says("a transpose in tiles of 8 by 8 fails where both a row and a column tail are left")) {
  reads_at_another_index(table, transposed, [](const Walk& data, std::vector<std::int64_t>& index) {
    const std::int64_t rows = data.last_size(1), columns = data.last_size(0);
    std::int64_t& row = index[index.size() - 2];
    if (rows > 8 && columns > 8 && row >= rows / 8 * 8 && index.back() >= columns / 8 * 8) --row;
  });
}

MUTANT(
    "transposed-tiles-change-places", Breaks("content.kept"), Caught("bytes", "bytes"),
    On("openvino-reshape-1/tile-32-by-32.bf16"),
    Says("in a square transpose of 32 or more two tiles of 8 by 8 of the second row are swapped")) {
  reads_at_another_index(
      table,
      [](const Walk& data) {
        return transposed(data) && data.last_size(0) == data.last_size(1) &&
               data.last_size(0) >= 32;
      },
      [](const Walk&, std::vector<std::int64_t>& index) {
        const std::int64_t row = index[index.size() - 2];
        std::int64_t& column = index.back();
        if (row >= 8 && row < 16 && column < 16) column ^= 8;
      });
}

MUTANT("transposed-lower-half-only", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/tile-128-by-128.bf16"),
       Says("square transposes from 64 on are done by halves, and the second half by nobody")) {
  takes_another(
      table,
      [](const Walk& data, const Walk&) {
        return transposed(data) && data.last_size(0) == data.last_size(1) &&
               data.last_size(0) >= 64;
      },
      [](const Walk& data, const Walk&, std::int64_t at) {
        const std::int64_t all = data.last_size(0) * data.last_size(1);
        return at % all >= all / 2 ? at - all / 2 : at;
      });
}

MUTANT("batches-of-transposes-share-one", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-permuted-three-axes.f64"),
       Says("of a stack of transposes each takes its elements from the first")) {
  reads_at_another_index(
      table, [](const Walk& data) { return transposed(data) && data.rank() >= 3; },
      [](const Walk&, std::vector<std::int64_t>& index) { index[index.size() - 3] = 0; });
}

}  // namespace reshape::conformance::self
