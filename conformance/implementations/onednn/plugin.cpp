// oneDNN Graph's StaticReshape behind the C contract: turns requests into logical tensors, and
// statuses into answers. Exceptions that leave oneDNN's C interface are not caught here: the
// harness reports them.
#include <dlpack/dlpack.h>
#include <reshape_plugin.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../contract.h"
#include "output.h"
#include "partition.h"

namespace onednn_way {
namespace {

using contract::answer, contract::start_of;

std::optional<dnnl_data_type_t> type_of(DLDataType dl) {
  const auto is = [dl](unsigned code, unsigned bits) {
    return dl.code == code && dl.bits == bits && dl.lanes == 1;
  };
  if (is(kDLFloat, 64)) return dnnl_f64;
  if (is(kDLFloat, 32)) return dnnl_f32;
  if (is(kDLFloat, 16)) return dnnl_f16;
  if (is(kDLBfloat, 16)) return dnnl_bf16;
  if (is(RESHAPE_DL_FLOAT8_E4M3FN, 8)) return dnnl_f8_e4m3;
  if (is(RESHAPE_DL_FLOAT8_E5M2, 8)) return dnnl_f8_e5m2;
  if (is(kDLInt, 64)) return dnnl_s64;
  if (is(kDLInt, 32)) return dnnl_s32;
  if (is(kDLInt, 8)) return dnnl_s8;
  if (is(kDLUInt, 8)) return dnnl_u8;
  if (is(kDLInt, 4)) return dnnl_s4;
  if (is(kDLUInt, 4)) return dnnl_u4;
  if (is(RESHAPE_DL_BOOL, 8)) return dnnl_boolean;
  return std::nullopt;
}

// Only these statuses are about the operation; others are about the machine or this use of oneDNN.
reshape_status status_of(const Refused& refused) {
  switch (refused.status) {
    case dnnl_invalid_shape:
    case dnnl_invalid_graph_op:
    case dnnl_invalid_data_type: return RESHAPE_REJECTED;
    case dnnl_unimplemented:
    case dnnl_out_of_memory: return RESHAPE_UNSUPPORTED;
    default: return RESHAPE_FAILED;
  }
}

dnnl_graph_logical_tensor_t described(std::size_t id, const DLTensor& tensor) {
  const dnnl_data_type_t type = *type_of(tensor.dtype);
  if (tensor.strides == nullptr) return of_sizes(id, type, tensor.ndim, tensor.shape);
  dnnl_graph_logical_tensor_t logical;
  check(dnnl_graph_logical_tensor_init_with_strides(&logical, id, type, tensor.ndim, tensor.shape,
                                                    tensor.strides,
                                                    dnnl_graph_tensor_property_variable),
        "logical_tensor_init_with_strides");
  return logical;
}

dnnl_graph_logical_tensor_t of_unknown_sizes(std::size_t id, DLDataType type) {
  dnnl_graph_logical_tensor_t logical;
  check(dnnl_graph_logical_tensor_init(
            &logical, id, *type_of(type), DNNL_GRAPH_UNKNOWN_NDIMS,
            kOutput == Output::any ? dnnl_graph_layout_type_any : dnnl_graph_layout_type_strided,
            dnnl_graph_tensor_property_variable),
        "logical_tensor_init");
  return logical;
}

// The output of a pattern of which the caller tells every other size, beginning with the first or
// the second one by the rank of the data. A size that has to be inferred or is none stays unknown.
dnnl_graph_logical_tensor_t of_sizes_told(std::size_t id, const reshape_request& request,
                                          const std::int64_t* pattern) {
  const DLTensor& data = *request.data;
  const auto rank = static_cast<int>(request.pattern->shape[0]);
  dnnl_dims_t sizes;
  for (int axis = 0; axis < rank; ++axis) {
    const bool copied = pattern[axis] == 0 && request.special_zero == RESHAPE_FLAG_TRUE;
    const std::int64_t size = !copied            ? pattern[axis]
                              : axis < data.ndim ? data.shape[axis]
                                                 : DNNL_GRAPH_UNKNOWN_DIM;
    const bool told = size >= 0 && (axis + data.ndim) % 2 == 0;
    sizes[axis] = told ? size : DNNL_GRAPH_UNKNOWN_DIM;
  }
  return of_sizes(id, *type_of(data.dtype), rank, sizes);
}

dnnl_graph_logical_tensor_t output_of(const reshape_request& request, const DLTensor* output,
                                      const std::int64_t* pattern) {
  if (output != nullptr && kOutput == Output::given) return described(1, *output);
  // A logical tensor has no room for more sizes.
  const bool fits = request.pattern->shape[0] <= DNNL_MAX_NDIMS;
  if (kOutput == Output::partly && fits) return of_sizes_told(1, request, pattern);
  return of_unknown_sizes(1, request.data->dtype);
}

// `output` is null where only the shape is asked for.
Compiled compiled(const reshape_request& request, const DLTensor* output) {
  static const std::int64_t nothing = 0;
  const auto* values = static_cast<const std::int64_t*>(start_of(*request.pattern));
  const std::uint8_t flag = request.special_zero == RESHAPE_FLAG_TRUE ? 1 : 0;
  const Attributes attributes = {values != nullptr ? values : &nothing,
                                 static_cast<std::size_t>(request.pattern->shape[0]),
                                 request.special_zero == RESHAPE_FLAG_MISSING ? nullptr : &flag};
  const dnnl_graph_logical_tensor_t source = described(0, *request.data);
  return {kOutput == Output::late ? of_unknown_sizes(0, request.data->dtype) : source, source,
          output_of(request, output, attributes.shape), attributes};
}

template <typename Call>
reshape_status answered(const reshape_request& request, reshape_message* why, Call call) {
  const DLDataType pattern = request.pattern->dtype;
  if (pattern.code != kDLInt || pattern.bits != 64 || request.pattern->ndim != 1) {
    return answer(RESHAPE_REJECTED, "the attribute shape is a list of s64", why);
  }
  if (!type_of(request.data->dtype)) {
    return answer(RESHAPE_REJECTED, "oneDNN has no such data type", why);
  }
  try {
    return call();
  } catch (const Refused& refused) {
    return answer(status_of(refused), refused.what(), why);
  }
}

reshape_status infer_shape(const reshape_request* request, reshape_shape* shape,
                           reshape_message* why) {
  return answered(*request, why, [&] {
    const dnnl_graph_logical_tensor_t inferred = compiled(*request, nullptr).destination();
    if (inferred.ndims < 0 || inferred.ndims > shape->capacity) {
      return answer(RESHAPE_FAILED, "the rank is " + std::to_string(inferred.ndims), why);
    }
    shape->rank = inferred.ndims;
    std::copy_n(inferred.dims, inferred.ndims, shape->sizes);
    return RESHAPE_OK;
  });
}

// Copies the elements from the layout that the library chose into the caller's contiguous output.
reshape_status lay_out(const dnnl_graph_logical_tensor_t& from, const std::vector<char>& elements,
                       const DLTensor& output, reshape_message* why) {
  if (from.layout_type != dnnl_graph_layout_type_strided) {
    return answer(RESHAPE_FAILED, "layout any became opaque for a single reshape", why);
  }
  const std::size_t width = output.dtype.bits / 8u;
  char* to = static_cast<char*>(start_of(output));
  std::vector<std::int64_t> at(static_cast<std::size_t>(from.ndims), 0);
  for (;;) {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      if (from.dims[axis] == 0) return RESHAPE_OK;
      place += at[axis] * from.layout.strides[axis];
    }
    std::memcpy(to, elements.data() + static_cast<std::size_t>(place) * width, width);
    to += width;
    std::size_t axis = at.size();
    while (axis > 0 && ++at[axis - 1] == from.dims[axis - 1]) at[--axis] = 0;
    if (axis == 0) return RESHAPE_OK;
  }
}

// The bytes from the first element to the end of the last one, which is the size of the contract's
// buffers.
std::size_t extent_of(int rank, const std::int64_t* sizes, const std::int64_t* strides,
                      std::size_t width) {
  std::size_t last = 0;
  for (int axis = 0; axis < rank; ++axis) {
    if (sizes[axis] == 0) return 0;
    last += static_cast<std::size_t>((sizes[axis] - 1) * strides[axis]);
  }
  return (last + 1) * width;
}

// Allocates memory for the adapter itself. A failure becomes an answer here, so that it cannot be
// taken for an exception of oneDNN.
std::vector<char> memory_of(std::size_t bytes) {
  try {
    return std::vector<char>(bytes);
  } catch (const std::bad_alloc&) {
    throw Refused(dnnl_runtime_error, "memory for the elements");
  }
}

// The memory of a tensor for a call. oneDNN counts the gap after the last element as part of a
// buffer (get_mem_size) and may touch it. If the caller's buffer ends before, the tensor is copied
// to memory of its own.
class Room {
 public:
  Room(const dnnl_graph_logical_tensor_t& logical, void* given, std::size_t width)
      : given_(static_cast<char*>(given)),
        extent_(extent_of(logical.ndims, logical.dims, logical.layout.strides, width)) {
    constexpr std::size_t kMost = std::size_t{1} << 28;
    std::size_t wanted = 0;
    check(dnnl_graph_logical_tensor_get_mem_size(&logical, &wanted), "get_mem_size");
    if (wanted <= extent_) return;
    if (wanted > kMost) throw Refused(dnnl_out_of_memory, "room behind the last element");
    own_ = memory_of(wanted);
    std::memcpy(own_.data(), given_, extent_);
    before_ = own_;
  }
  void* start() { return own_.empty() ? given_ : own_.data(); }
  void bring_back() const {
    if (!own_.empty()) contract::copy_changes(before_.data(), own_.data(), extent_, given_);
  }

 private:
  char* given_;
  std::size_t extent_;
  std::vector<char> own_, before_;
};

reshape_status execute(const reshape_request* request, DLTensor* output, reshape_message* why) {
  return answered(*request, why, [&] {
    const Compiled partition = compiled(*request, output);
    const dnnl_graph_logical_tensor_t& destination = partition.destination();
    // A partition that does not know the caller's output writes the inferred shape, so the caller's
    // output must have that shape.
    if (kOutput != Output::given &&
        !std::equal(destination.dims, destination.dims + std::max(destination.ndims, 0),
                    output->shape, output->shape + output->ndim)) {
      return answer(RESHAPE_REJECTED, "the output has another shape than the inferred one", why);
    }
    const std::size_t width = output->dtype.bits / 8u;
    Room from(partition.source(), start_of(*request->data), width);
    if (kOutput != Output::any) {
      Room to(destination, start_of(*output), width);
      partition.execute(from.start(), to.start());
      to.bring_back();
      return RESHAPE_OK;
    }
    // oneDNN states a size of 0 where strides are 0.
    std::vector<char> elements = memory_of(std::max(
        partition.destination_bytes(),
        extent_of(destination.ndims, destination.dims, destination.layout.strides, width)));
    partition.execute(from.start(), elements.data());
    return lay_out(destination, elements, *output, why);
  });
}

}  // namespace
}  // namespace onednn_way

const reshape_plugin* reshape_plugin_entry() {
  using namespace onednn_way;
  const dnnl_version_t* linked = dnnl_version();
  static const std::string version = std::to_string(linked->major) + '.' +
                                     std::to_string(linked->minor) + '.' +
                                     std::to_string(linked->patch);
  static const std::string types = std::string("f32") + (supports(dnnl_f16) ? " f16" : "") +
                                   (supports(dnnl_bf16) ? " bf16" : "");
  std::uint32_t capabilities = RESHAPE_STARTS_THREADS | RESHAPE_STRIDED_INPUT;
  if (kOutput != Output::any) capabilities |= RESHAPE_IN_PLACE;
  if (kOutput == Output::given) capabilities |= RESHAPE_STRIDED_OUTPUT;
  static const reshape_plugin plugin = {
      RESHAPE_ABI_VERSION,
      // The table of contract 1.0, so that outputs of another shape are not tested.
      RESHAPE_PLUGIN_SIZE_1_0,
      {kName, version.c_str(), "onednn-graph-static-reshape-1 onednn-static-reshape", types.c_str(),
       "i64", capabilities, DNNL_MAX_NDIMS, 0},
      infer_shape,
      execute,
      nullptr,
      nullptr,
      0,
      0};
  return &plugin;
}
