// Walks over more axes, or more rows, than the counter has places for.
#include <algorithm>

#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {

MUTANT("counter-carries-once", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-channels-last"),
       Says("the counter over three axes or more carries into the next axis and not further")) {
  reads_at_another_index(
      table, [](const Walk& data) { return !data.dense() && data.rank() >= 3; },
      [](const Walk& data, std::vector<std::int64_t>& index) {
        const std::size_t outer = index.size() - 3;
        // What never carried: the axes from the third on stay where they began.
        for (std::size_t axis = 0; axis <= outer; ++axis) {
          index[axis] = data.size(axis) > 1 ? 0 : index[axis];
        }
      });
}

MUTANT("five-axes-walked", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-six-axes.u8"),
       Says("of strided data of more than 5 axes the outer ones are not walked")) {
  reads_at_another_index(
      table, [](const Walk& data) { return !data.dense() && data.rank() > 5; },
      [](const Walk&, std::vector<std::int64_t>& index) {
        std::fill(index.begin(), index.end() - 5, 0);
      });
}

MUTANT("eight-axes-walked", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/rank-17-reversed.u8"),
       Says("of strided data of more than 8 axes the outer ones are not walked")) {
  reads_at_another_index(
      table, [](const Walk& data) { return !data.dense() && data.rank() > 8; },
      [](const Walk&, std::vector<std::int64_t>& index) {
        std::fill(index.begin(), index.end() - 8, 0);
      });
}

MUTANT("sixteen-axes-walked", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/rank-17-reversed.u8"),
       Says("of strided data of more than 16 axes the outer ones are not walked")) {
  reads_at_another_index(
      table, [](const Walk& data) { return !data.dense() && data.rank() > 16; },
      [](const Walk&, std::vector<std::int64_t>& index) {
        std::fill(index.begin(), index.end() - 16, 0);
      });
}

MUTANT("rows-counted-in-8-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-channels-last"),
       Says("rows of strided data are counted in 8 bits, and begin again behind 256")) {
  takes_another(
      table,
      [](const Walk& data, const Walk&) {
        return !data.dense() && data.count() / data.last_size(0) > 256;
      },
      [](const Walk& data, const Walk&, std::int64_t at) {
        const std::int64_t row = at / data.last_size(0);
        return (row & 0xff) * data.last_size(0) + at % data.last_size(0);
      });
}

}  // namespace reshape::conformance::self
