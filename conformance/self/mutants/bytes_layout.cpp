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

}  // namespace

MUTANT("column-major", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/3-by-11-to-11-by-3.f64"), LikePublicBug("pytorch/pytorch#194051"),
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

MUTANT("strides-of-data-ignored", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-channels-last"), Says("data is read as if it were dense")) {
  reads_with_other_strides(
      table, [](const Walk& data) { return !data.backwards(); },
      [](Strides& strides, const Shape& shape) { strides = *row_major_strides(shape); });
}

MUTANT("physical-order-kept", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-channels-last"),
       LikePublicBug("uxlfoundation/oneDNN@707dc0ff8f"),
       Says("permuted data is handed on in the order in which it lies in memory")) {
  reads_in_memory_order(table, [](const Walk& data) { return data.permuted(); });
}

MUTANT("physical-order-kept-without-gaps", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-channels-last"),
       Says("permuted data is copied in one piece where it has no gaps")) {
  reads_in_memory_order(table, [](const Walk& data) { return data.permuted() && !data.gaps(); });
}

MUTANT("backwards-read-forwards", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-backwards-rows.bf16"),
       Says("negative strides lose their sign")) {
  reads_at_another_index(
      table, [](const Walk& data) { return data.backwards(); },
      [](const Walk& data, std::vector<std::int64_t>& index) {
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
          if (data.stride(axis) < 0) index[axis] = data.size(axis) - 1 - index[axis];
        }
      });
}

MUTANT("backwards-innermost-only", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-backwards-rows.bf16"),
       Says("a negative stride is minded on the innermost axis and nowhere else")) {
  reads_at_another_index(
      table, [](const Walk& data) { return data.backwards(); },
      [](const Walk& data, std::vector<std::int64_t>& index) {
        for (std::size_t axis = 0; axis + 1 < index.size(); ++axis) {
          if (data.stride(axis) < 0) index[axis] = data.size(axis) - 1 - index[axis];
        }
      });
}

MUTANT("broadcast-read-on", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/repeated-rows.u8"),
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

MUTANT("broadcast-read-once", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-repeated-column-into-transposed.f64"),
       Says("where the innermost stride is 0, the first row's element fills all rows")) {
  reads_at_another_index(
      table, [](const Walk& data) { return data.last_size(0) > 1 && data.last_stride(0) == 0; },
      [](const Walk&, std::vector<std::int64_t>& index) {
        if (index.size() > 1) index[index.size() - 2] = 0;
      });
}

MUTANT("unit-stride-means-dense", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-both-odd-rows.i4"),
       Says("data whose innermost stride is 1 is read in one piece")) {
  reads_with_other_strides(
      table, [](const Walk& data) { return data.last_stride(0) == 1 && !data.backwards(); },
      [](Strides& strides, const Shape& shape) { strides = *row_major_strides(shape); });
}

MUTANT("folded-across-gaps", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-both-odd-rows.i4"),
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

MUTANT("outermost-gap-skipped", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/packed-both-odd-rows.i4"),
       Says("the outermost stride is computed from the inner sizes")) {
  reads_with_other_strides(
      table, [](const Walk& data) { return data.rank() >= 2 && data.stride(0) > 1; },
      [](Strides& strides, const Shape& shape) {
        std::int64_t inner = 1;
        for (std::size_t axis = 1; axis < shape.rank(); ++axis) inner *= shape[axis];
        strides[0] = inner;
      });
}

MUTANT("ones-with-strides-not-folded", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-ones-wild.u8"),
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

MUTANT("strides-in-8-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/large-channels-last"),
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

MUTANT("strides-in-16-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/far-apart.f64"),
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

MUTANT("byte-offsets-in-31-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/data-2-to-32-bytes-apart.f32"), LikePublicBug("numpy/numpy#7455"),
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

MUTANT("byte-offsets-in-32-bits", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/data-2-to-32-bytes-apart.f32"),
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

MUTANT(
    "bytes-gathered-in-pairs", Breaks("content.kept"), Caught("bytes", "bytes"),
    On("openvino-reshape-1/written-transposed-f8e4m3"),
    Says("strided data of one byte is gathered two at a time, the second from beside the first")) {
  takes_another(
      table,
      [](const Walk& data, const Walk&) {
        return data.width() == 8 && data.last_stride(0) > 1 && data.last_size(0) > 1;
      },
      [](const Walk&, const Walk&, std::int64_t at) { return at & ~std::int64_t{1}; });
}

MUTANT("every-second-tail", Breaks("content.kept"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/both-every-second.u8"),
       Says("a stride of 2 is unzipped in vectors of 8, and the tail is read without the stride")) {
  takes_another(
      table, [](const Walk& data, const Walk&) { return data.rank() == 1 && data.stride(0) == 2; },
      [](const Walk& data, const Walk&, std::int64_t at) {
        const std::int64_t tail = data.count() / 8 * 8;
        return at < tail ? at : tail + (at - tail) / 2;
      });
}

}  // namespace reshape::conformance::self
