// Data that does not lie row by row.
#include <algorithm>
#include <numeric>

#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

// The data's elements in the order in which they lie in memory.
std::vector<std::int64_t> in_memory_order(const Walk& data) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(data.count()));
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::int64_t> positions;
  for (std::int64_t at = 0; at < data.count(); ++at) positions.push_back(data.position(at));
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return positions[static_cast<std::size_t>(a)] < positions[static_cast<std::size_t>(b)];
  });
  return order;
}

// Reads the data in memory order where wrong(data) says so.
template <typename Wrong>
void reads_in_memory_order(reshape_plugin& table, Wrong) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data);
    if (data.count() == 0 || !Wrong{}(data)) return;
    const std::vector<std::uint64_t> from = collect(*request.data);
    std::vector<std::uint64_t> to;
    for (const std::int64_t at : in_memory_order(data)) {
      to.push_back(from[static_cast<std::size_t>(at)]);
    }
    put(out, to);
  });
}

// Reads the data with other strides where wrong(data) says so. What would lie outside of the data is
// read from its last element.
template <typename Wrong, typename Change>
void reads_with_other_strides(reshape_plugin& table, Wrong, Change) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data);
    if (data.count() == 0 || !Wrong{}(data)) return;
    Layout layout = data.layout();
    Change{}(layout.strides, layout.shape);
    const ElementRange range = touched(data.layout());
    std::vector<std::uint64_t> to;
    for (std::int64_t at = 0; at < data.count(); ++at) {
      const std::int64_t position = position_of(layout, data.index(at));
      to.push_back(load_element(data.type(), start_of(*request.data),
                                std::clamp(position, range.first, range.last)));
    }
    put(out, to);
  });
}

// The index that another way of counting comes to, over which the data is read.
template <typename Wrong, typename Change>
void reads_at_another_index(reshape_plugin& table, Wrong, Change) {
  takes_another(
      table, [](const Walk& data, const Walk&) { return Wrong{}(data); },
      [](const Walk& data, const Walk&, std::int64_t at) {
        std::vector<std::int64_t> index = data.index(at);
        Change{}(data, index);
        return data.number(index);
      });
}

bool transposed(const Walk& data) {
  return data.rank() >= 2 && data.last_stride(1) == 1 && data.last_stride(0) > 1 &&
         data.last_size(0) > 1 && data.last_size(1) > 1;
}

}  // namespace

MUTANT("column-major", Breaks("content.kept"), LikePublicBug("pytorch/pytorch#194051"),
       Says("data is read with its first axis varying fastest")) {
  takes_another(
      table, [](const Walk& data, const Walk&) { return data.rank() > 1; },
      [](const Walk& data, const Walk&, std::int64_t at) {
        std::vector<std::int64_t> index(data.rank());
        for (std::size_t axis = 0; axis < data.rank(); at /= data.size(axis++)) {
          index[axis] = at % data.size(axis);
        }
        return data.number(index);
      });
}

MUTANT("strides-of-data-ignored", Breaks("content.kept"),
       Says("data is read as if it were dense")) {
  reads_with_other_strides(
      table, [](const Walk& data) { return !data.backwards(); },
      [](Strides& strides, const Shape& shape) { strides = *row_major_strides(shape); });
}

MUTANT("physical-order-kept", Breaks("content.kept"),
       LikePublicBug("uxlfoundation/oneDNN@707dc0ff8f"),
       Says("permuted data is handed on in the order in which it lies in memory")) {
  reads_in_memory_order(table, [](const Walk& data) { return data.permuted(); });
}

MUTANT("physical-order-kept-without-gaps", Breaks("content.kept"),
       Says("permuted data is copied in one piece where it has no gaps")) {
  reads_in_memory_order(table, [](const Walk& data) { return data.permuted() && !data.gaps(); });
}

MUTANT("backwards-read-forwards", Breaks("content.kept"),
       Says("negative strides lose their sign")) {
  reads_at_another_index(
      table, [](const Walk& data) { return data.backwards(); },
      [](const Walk& data, std::vector<std::int64_t>& index) {
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
          if (data.stride(axis) < 0) index[axis] = data.size(axis) - 1 - index[axis];
        }
      });
}

MUTANT("backwards-innermost-only", Breaks("content.kept"),
       Says("a negative stride is minded on the innermost axis and nowhere else")) {
  reads_at_another_index(
      table, [](const Walk& data) { return data.backwards(); },
      [](const Walk& data, std::vector<std::int64_t>& index) {
        for (std::size_t axis = 0; axis + 1 < index.size(); ++axis) {
          if (data.stride(axis) < 0) index[axis] = data.size(axis) - 1 - index[axis];
        }
      });
}

MUTANT("broadcast-read-on", Breaks("content.kept"),
       Says("a stride of 0 is taken for one that was not set, and computed")) {
  reads_with_other_strides(
      table, [](const Walk& data) { return data.repeats(); },
      [](Strides& strides, const Shape& shape) {
        const Strides dense = *row_major_strides(shape);
        for (std::size_t axis = 0; axis < strides.size(); ++axis) {
          if (strides[axis] == 0) strides[axis] = dense[axis];
        }
      });
}

MUTANT("broadcast-read-once", Breaks("content.kept"),
       Says("where the innermost stride is 0, the first row's element fills all rows")) {
  reads_at_another_index(
      table, [](const Walk& data) { return data.last_size(0) > 1 && data.last_stride(0) == 0; },
      [](const Walk&, std::vector<std::int64_t>& index) {
        if (index.size() > 1) index[index.size() - 2] = 0;
      });
}

MUTANT("unit-stride-means-dense", Breaks("content.kept"),
       Says("data whose innermost stride is 1 is read in one piece")) {
  reads_with_other_strides(
      table, [](const Walk& data) { return data.last_stride(0) == 1 && !data.backwards(); },
      [](Strides& strides, const Shape& shape) { strides = *row_major_strides(shape); });
}

MUTANT("folded-across-gaps", Breaks("content.kept"),
       Says("two inner axes are folded into one although a gap lies between their rows")) {
  reads_with_other_strides(
      table,
      [](const Walk& data) {
        return data.rank() > 1 && data.last_stride(1) > data.last_stride(0) * data.last_size(0) &&
               data.last_stride(0) > 0;
      },
      [](Strides& strides, const Shape& shape) {
        const std::size_t last = strides.size() - 1;
        strides[last - 1] = strides[last] * shape[last];
      });
}

MUTANT("outermost-gap-skipped", Breaks("content.kept"),
       Says("the outermost stride is computed from the inner sizes")) {
  reads_with_other_strides(
      table, [](const Walk& data) { return data.rank() >= 2 && data.stride(0) > 1; },
      [](Strides& strides, const Shape& shape) {
        std::int64_t inner = 1;
        for (std::size_t axis = 1; axis < shape.rank(); ++axis) inner *= shape[axis];
        strides[0] = inner;
      });
}

MUTANT("ones-with-strides-not-folded", Breaks("content.kept"),
       Says("an axis of size 1 with a stride of its own is taken for the step between rows")) {
  reads_with_other_strides(
      table,
      [](const Walk& data) {
        return data.rank() > 1 && data.last_size(0) == 1 && data.last_size(1) > 1 &&
               data.last_stride(0) > 0;
      },
      [](Strides& strides, const Shape&) {
        strides[strides.size() - 2] = strides[strides.size() - 1];
      });
}

MUTANT("strides-in-8-bits", Breaks("content.kept"),
       Says("strides are kept in 8 bits, so that one of 260 steps by 4")) {
  reads_with_other_strides(
      table,
      [](const Walk& data) {
        return data.any_stride([](std::int64_t stride) { return stride > 255; }) && !data.dense();
      },
      [](Strides& strides, const Shape&) {
        for (std::int64_t& stride : strides) stride = stride > 0 ? stride & 0xff : stride;
      });
}

MUTANT("strides-in-16-bits", Breaks("content.kept"),
       Says("strides are kept in 16 bits, so that one of 65536 does not step at all")) {
  reads_with_other_strides(
      table,
      [](const Walk& data) {
        return data.any_stride([](std::int64_t stride) { return stride > 65535; });
      },
      [](Strides& strides, const Shape&) {
        for (std::int64_t& stride : strides) stride = stride > 0 ? stride & 0xffff : stride;
      });
}

MUTANT("byte-offsets-in-31-bits", Breaks("content.kept"), LikePublicBug("numpy/numpy#7455"),
       Says("elements 2^31 bytes or more behind the first are read at the first")) {
  takes_another(
      table,
      [](const Walk& data, const Walk&) {
        return touched(data.layout()).last >= (std::int64_t{1} << 34) / data.width();
      },
      [](const Walk& data, const Walk&, std::int64_t at) {
        return data.position(at) >= (std::int64_t{1} << 34) / data.width() ? 0 : at;
      });
}

MUTANT("byte-offsets-in-32-bits", Breaks("content.kept"),
       Says("elements 2^32 bytes or more behind the first are read at the first")) {
  takes_another(
      table,
      [](const Walk& data, const Walk&) {
        return touched(data.layout()).last >= (std::int64_t{1} << 35) / data.width();
      },
      [](const Walk& data, const Walk&, std::int64_t at) {
        return data.position(at) >= (std::int64_t{1} << 35) / data.width() ? 0 : at;
      });
}

MUTANT("counter-carries-once", Breaks("content.kept"),
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

MUTANT("five-axes-walked", Breaks("content.kept"),
       Says("of strided data of more than 5 axes the outer ones are not walked")) {
  reads_at_another_index(
      table, [](const Walk& data) { return !data.dense() && data.rank() > 5; },
      [](const Walk&, std::vector<std::int64_t>& index) {
        std::fill(index.begin(), index.end() - 5, 0);
      });
}

MUTANT("eight-axes-walked", Breaks("content.kept"),
       Says("of strided data of more than 8 axes the outer ones are not walked")) {
  reads_at_another_index(
      table, [](const Walk& data) { return !data.dense() && data.rank() > 8; },
      [](const Walk&, std::vector<std::int64_t>& index) {
        std::fill(index.begin(), index.end() - 8, 0);
      });
}

MUTANT("sixteen-axes-walked", Breaks("content.kept"),
       Says("of strided data of more than 16 axes the outer ones are not walked")) {
  reads_at_another_index(
      table, [](const Walk& data) { return !data.dense() && data.rank() > 16; },
      [](const Walk&, std::vector<std::int64_t>& index) {
        std::fill(index.begin(), index.end() - 16, 0);
      });
}

MUTANT("rows-counted-in-8-bits", Breaks("content.kept"),
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

MUTANT(
    "bytes-gathered-in-pairs", Breaks("content.kept"),
    Says("strided data of one byte is gathered two at a time, the second from beside the first")) {
  takes_another(
      table,
      [](const Walk& data, const Walk&) {
        return data.width() == 8 && data.last_stride(0) > 1 && data.last_size(0) > 1;
      },
      [](const Walk&, const Walk&, std::int64_t at) { return at & ~std::int64_t{1}; });
}

MUTANT("every-second-tail", Breaks("content.kept"),
       Says("a stride of 2 is unzipped in vectors of 8, and the tail is read without the stride")) {
  takes_another(
      table, [](const Walk& data, const Walk&) { return data.rank() == 1 && data.stride(0) == 2; },
      [](const Walk& data, const Walk&, std::int64_t at) {
        const std::int64_t tail = data.count() / 8 * 8;
        return at < tail ? at : tail + (at - tail) / 2;
      });
}

MUTANT("transposed-tail-rows", Breaks("content.kept"),
       Says("a transpose in tiles of 8 by 8 leaves rows behind the last tile as the row before")) {
  reads_at_another_index(table, transposed, [](const Walk& data, std::vector<std::int64_t>& index) {
    std::int64_t& row = index[index.size() - 2];
    if (row >= data.last_size(1) / 8 * 8 && row > 0 && data.last_size(1) > 8) --row;
  });
}

MUTANT("transposed-tail-columns", Breaks("content.kept"),
       Says("a transpose in tiles of 16 by 16 reads columns behind the last tile one too early")) {
  reads_at_another_index(table, transposed, [](const Walk& data, std::vector<std::int64_t>& index) {
    std::int64_t& column = index.back();
    if (data.last_size(0) > 16 && column >= data.last_size(0) / 16 * 16) --column;
  });
}

MUTANT("transposed-corner", Breaks("content.kept"),
       Says("a transpose in tiles of 8 by 8 fails where both a row and a column tail are left")) {
  reads_at_another_index(table, transposed, [](const Walk& data, std::vector<std::int64_t>& index) {
    const std::int64_t rows = data.last_size(1), columns = data.last_size(0);
    std::int64_t& row = index[index.size() - 2];
    if (rows > 8 && columns > 8 && row >= rows / 8 * 8 && index.back() >= columns / 8 * 8) --row;
  });
}

MUTANT(
    "transposed-tiles-change-places", Breaks("content.kept"),
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

MUTANT("transposed-lower-half-only", Breaks("content.kept"),
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

MUTANT("batches-of-transposes-share-one", Breaks("content.kept"),
       Says("of a stack of transposes each takes its elements from the first")) {
  reads_at_another_index(
      table, [](const Walk& data) { return transposed(data) && data.rank() >= 3; },
      [](const Walk&, std::vector<std::int64_t>& index) { index[index.size() - 3] = 0; });
}

}  // namespace reshape::conformance::self
