// Views that are none.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {
namespace {

// Promises views, and makes them rightly of data that is dense; then spoil(request, view) spoils them.
template <typename Spoil>
void views(reshape_plugin& table, Spoil) {
  table.description.capabilities |= RESHAPE_VIEWS;
  table.view = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const Walk data(*request->data);
    std::int64_t sizes[256];
    reshape_shape shape{256, 0, sizes};
    const reshape_status status = right().infer_shape(request, &shape, why);
    if (status != RESHAPE_OK) return status;
    if (!data.dense() && !Spoil::takes(data)) {
      return answer(RESHAPE_UNSUPPORTED, "this needs a copy", why);
    }
    const Strides dense = *row_major_strides(shape_of(*output));
    for (std::int32_t axis = 0; axis < output->ndim; ++axis) {
      output->strides[axis] = dense[static_cast<std::size_t>(axis)];
    }
    output->data = request->data->data;
    output->byte_offset = request->data->byte_offset;
    return Spoil{}(*request, *output, why);
  };
}

struct OfDenseData {
  static bool takes(const Walk&) { return false; }
};

}  // namespace

MUTANT("view-copies", Breaks("C12"), Caught("memory", "view"),
       Says("what is called a view is a copy in memory of its own")) {
  table.description.capabilities |= RESHAPE_VIEWS;
  table.view = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    static std::vector<std::byte> copy(std::size_t{1} << 20);
    const Layout dense = row_major(shape_of(*output));
    for (std::int32_t axis = 0; axis < output->ndim; ++axis) {
      output->strides[axis] = dense.strides[static_cast<std::size_t>(axis)];
    }
    output->data = copy.data();
    output->byte_offset = 0;
    if (!empty(*output) && bytes_of(*output) > static_cast<std::int64_t>(copy.size())) {
      return answer(RESHAPE_UNSUPPORTED, "too large", why);
    }
    return right().execute(request, output, why);
  };
}

MUTANT("view-of-what-is-permuted", Breaks("C12"), Caught("memory", "view"),
       On("openvino-reshape-1/repeated-rows.u8"), LikePublicBug("uxlfoundation/oneDNN@707dc0ff8f"),
       Says("permuted data without gaps is handed on as a dense view")) {
  struct Spoil {
    static bool takes(const Walk& data) { return data.permuted() && !data.gaps(); }
    reshape_status operator()(const reshape_request&, DLTensor&, reshape_message*) const {
      return RESHAPE_OK;
    }
  };
  views(table, Spoil{});
}

MUTANT("view-column-major", Breaks("C5"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/3-by-11-to-11-by-3.f64"),
       Says("the strides of a view are those of Fortran")) {
  struct Spoil : OfDenseData {
    reshape_status operator()(const reshape_request&, DLTensor& view, reshape_message*) const {
      std::int64_t stride = 1;
      for (std::int32_t axis = 0; axis < view.ndim; ++axis) {
        view.strides[axis] = stride;
        stride *= std::max<std::int64_t>(view.shape[axis], 1);
      }
      return RESHAPE_OK;
    }
  };
  views(table, Spoil{});
}

MUTANT("view-without-the-offset", Breaks("C5"), Caught("bytes", "bytes"),
       On("openvino-reshape-1/count-2.u8"),
       Says("a view starts at the data's pointer, without its byte_offset")) {
  struct Spoil : OfDenseData {
    reshape_status operator()(const reshape_request&, DLTensor& view, reshape_message*) const {
      view.byte_offset = 0;
      return RESHAPE_OK;
    }
  };
  views(table, Spoil{});
}

MUTANT("view-one-element-late", Breaks("C12"), Caught("memory", "view"),
       On("openvino-reshape-1/count-2.u8"), LikePublicBug("pytorch/pytorch#194051"),
       Says("a view starts at the second element and ends behind the data")) {
  struct Spoil : OfDenseData {
    reshape_status operator()(const reshape_request&, DLTensor& view, reshape_message*) const {
      view.byte_offset += static_cast<std::uint64_t>((view.dtype.bits + 7) / 8);
      return RESHAPE_OK;
    }
  };
  views(table, Spoil{});
}

MUTANT("view-only-of-null-strides", Breaks("C12"), Caught("memory", "view"),
       On("openvino-reshape-1/count-257.u8"),
       Says("dense data with its strides written out is said to need a copy")) {
  struct Spoil : OfDenseData {
    reshape_status operator()(const reshape_request& request, DLTensor&,
                              reshape_message* why) const {
      if (request.data->strides == nullptr) return RESHAPE_OK;
      return answer(RESHAPE_UNSUPPORTED, "strides were given", why);
    }
  };
  views(table, Spoil{});
}

MUTANT("view-only-of-lower-rank", Breaks("C12"), Caught("memory", "view"),
       On("openvino-reshape-1/count-2.u8"),
       Says("a view of a higher rank than the data is said to need a copy")) {
  struct Spoil : OfDenseData {
    reshape_status operator()(const reshape_request& request, DLTensor& view,
                              reshape_message* why) const {
      if (view.ndim <= request.data->ndim) return RESHAPE_OK;
      return answer(RESHAPE_UNSUPPORTED, "the rank grows", why);
    }
  };
  views(table, Spoil{});
}

}  // namespace reshape::conformance::self
