// oneDNN's reorder primitive behind the C contract. It tests only the copy between two layouts: the
// sizes are inferred here, by the rule that the documents share.
#include <dlpack/dlpack.h>
#include <reshape_plugin.h>

#include <algorithm>
#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../contract.h"

namespace {

using contract::answer, contract::start_of;
using dnnl::memory;
using Sizes = std::vector<std::int64_t>;
__extension__ using Wide = __int128;

constexpr std::int64_t kMostSize = INT64_MAX;

struct Answer {
  reshape_status status;
  std::string sentence;
};

// --- the adapter's own: sizes --------------------------------------------------------------------

// The product of the sizes; nothing where it exceeds 2^63-1.
std::optional<std::int64_t> product(const Sizes& sizes) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  Wide all = 1;
  for (const std::int64_t size : sizes) {
    all *= size;
    if (all > kMostSize) return std::nullopt;
  }
  return static_cast<std::int64_t>(all);
}

Sizes sizes_of(const DLTensor& tensor) { return {tensor.shape, tensor.shape + tensor.ndim}; }

// The shape of the output. Throws Answer where there is none.
Sizes inferred(const reshape_request& request) {
  const auto reject = [](const char* sentence) -> Answer { return {RESHAPE_REJECTED, sentence}; };
  const DLTensor& pattern = *request.pattern;
  if (request.special_zero == RESHAPE_FLAG_MISSING) throw reject("special_zero is not given");
  if (pattern.dtype.code != kDLInt || pattern.dtype.bits != 64 || pattern.ndim != 1) {
    throw reject("the pattern is a list of s64");
  }
  const Sizes data = sizes_of(*request.data);
  const auto* values = static_cast<const std::int64_t*>(start_of(pattern));
  Sizes sizes;
  std::optional<std::size_t> minus_one;
  for (std::size_t at = 0; at < static_cast<std::size_t>(pattern.shape[0]); ++at) {
    std::int64_t value = values[at];
    if (value < -1) throw reject("a value is below -1");
    if (value == -1 && minus_one) throw reject("there is a second -1");
    if (value == -1) minus_one = at;
    if (value == 0 && request.special_zero == RESHAPE_FLAG_TRUE) {
      if (at >= data.size()) throw reject("a 0 copies past the rank");
      value = data[at];
    }
    sizes.push_back(value == -1 ? 1 : value);
  }
  const std::optional<std::int64_t> count = product(data), known = product(sizes);
  if (!count) throw reject("more than 2^63-1 elements");
  if (minus_one) {
    if (known == 0) throw reject("nothing determines the -1");
    if (*count != 0 && (!known || *count % *known != 0)) throw reject("the -1 leaves a remainder");
    sizes[*minus_one] = *count == 0 ? 0 : *count / *known;
  }
  if (product(sizes) != count) throw reject("the number of elements is not kept");
  return sizes;
}

// --- oneDNN's: the copy --------------------------------------------------------------------------

std::optional<memory::data_type> type_of(DLDataType dl) {
  const auto is = [dl](unsigned code, unsigned bits) {
    return dl.code == code && dl.bits == bits && dl.lanes == 1;
  };
  if (is(kDLFloat, 32)) return memory::data_type::f32;
  if (is(kDLFloat, 16)) return memory::data_type::f16;
  if (is(kDLBfloat, 16)) return memory::data_type::bf16;
  if (is(kDLInt, 32)) return memory::data_type::s32;
  if (is(kDLInt, 8)) return memory::data_type::s8;
  if (is(kDLUInt, 8)) return memory::data_type::u8;
  return std::nullopt;
}

// A strided tensor as oneDNN describes it; a scalar has one dimension of size 1.
struct Laid {
  Sizes sizes, strides;

  explicit Laid(Sizes of, const std::int64_t* given = nullptr) : sizes(std::move(of)) {
    strides.assign(sizes.size(), 1);
    if (given != nullptr) std::copy_n(given, sizes.size(), strides.begin());
    // The stride of an axis of size 1 is never used, but oneDNN would allocate memory for it.
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      if (sizes[axis] == 1) strides[axis] = 1;
    }
    for (std::size_t axis = sizes.size(); given == nullptr && axis-- > 1;) {
      strides[axis - 1] = strides[axis] * sizes[axis];
    }
    if (sizes.empty()) sizes = strides = {1};
  }
  // The number of elements from the first to the end of the last one. Precondition: not empty.
  std::size_t elements() const {
    std::int64_t last = 0;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      last += (sizes[axis] - 1) * strides[axis];
    }
    return static_cast<std::size_t>(last) + 1;
  }
};

const dnnl::engine& engine() {
  static const dnnl::engine& only = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return only;
}

// The memory of a tensor for a call. oneDNN counts the gap after the last element as part of the
// tensor and may touch it, but the contract's buffers end with the last element. If there is such a
// gap, the tensor is copied to memory of its own.
class Room {
 public:
  Room(const Laid& laid, memory::data_type type, void* given, std::size_t width)
      : bytes_(laid.elements() * width), given_(given) {
    constexpr std::size_t kMost = std::size_t{1} << 28;
    const memory::desc described(laid.sizes, type, laid.strides);
    if (described.get_size() > kMost && described.get_size() > bytes_) {
      throw Answer{RESHAPE_UNSUPPORTED, "room behind the last element"};
    }
    if (described.get_size() > bytes_) {
      own_.resize(described.get_size());
      std::memcpy(own_.data(), given_, bytes_);
      before_ = own_;
    }
    memory_ = memory(described, engine(), own_.empty() ? given_ : own_.data());
  }
  memory& get() { return memory_; }
  void bring_back() const {
    if (!own_.empty()) contract::copy_changes(before_.data(), own_.data(), bytes_, given_);
  }

 private:
  std::size_t bytes_;
  void* given_;
  std::vector<char> own_, before_;
  memory memory_;
};

void copy(memory& from, memory& to) {
  // Reused, because every destroyed stream leaks memory: deviations/stream_keeps_memory.cpp.
  thread_local dnnl::stream stream(engine());
  dnnl::reorder(from, to).execute(stream, from, to);
  stream.wait();
}

// Data and output have different sizes, and a reorder needs equal ones. Contiguous elements can
// have either sizes, so strided data goes to a strided output by way of a contiguous copy.
void reorder(const DLTensor& data, const DLTensor& output, memory::data_type type) {
  const std::size_t width = data.dtype.bits / 8u;
  Room from(Laid(sizes_of(data), data.strides), type, start_of(data), width);
  if (output.strides == nullptr) {
    Room to(Laid(sizes_of(data)), type, start_of(output), width);
    return copy(from.get(), to.get());
  }
  const Laid strided(sizes_of(output), output.strides);
  std::vector<char> between(static_cast<std::size_t>(*product(strided.sizes)) * width);
  Room packed(Laid(sizes_of(data)), type, between.data(), width);
  copy(from.get(), packed.get());
  Room unpacked(Laid(sizes_of(output)), type, between.data(), width);
  Room to(strided, type, start_of(output), width);
  copy(unpacked.get(), to.get());
  to.bring_back();
}

template <typename Call>
reshape_status answered(reshape_message* why, Call call) {
  try {
    return call();
  } catch (const Answer& other) {
    return answer(other.status, other.sentence, why);
  } catch (const dnnl::error& error) {
    // oneDNN has no reorder for these layouts.
    const bool none = error.status == dnnl_unimplemented || error.status == dnnl_invalid_arguments;
    return answer(none ? RESHAPE_UNSUPPORTED : RESHAPE_FAILED, error.what(), why);
  }
}

reshape_status infer_shape(const reshape_request* request, reshape_shape* shape,
                           reshape_message* why) {
  return answered(why, [&] {
    const Sizes sizes = inferred(*request);
    if (static_cast<std::int64_t>(sizes.size()) > shape->capacity) {
      return answer(RESHAPE_FAILED, "no room for the shape", why);
    }
    shape->rank = static_cast<std::int32_t>(sizes.size());
    std::copy(sizes.begin(), sizes.end(), shape->sizes);
    return RESHAPE_OK;
  });
}

reshape_status execute(const reshape_request* request, DLTensor* output, reshape_message* why) {
  return answered(why, [&] {
    const Sizes sizes = inferred(*request);
    if (sizes != sizes_of(*output)) {
      return answer(RESHAPE_REJECTED, "the output has another shape than the inferred one", why);
    }
    const auto type = type_of(request->data->dtype);
    if (!type) return answer(RESHAPE_UNSUPPORTED, "no such data type is asked of reorder", why);
    if (*product(sizes) > 0) reorder(*request->data, *output, *type);
    return RESHAPE_OK;
  });
}

}  // namespace

const reshape_plugin* reshape_plugin_entry() {
  const dnnl_version_t* linked = dnnl_version();
  static const std::string version = std::to_string(linked->major) + '.' +
                                     std::to_string(linked->minor) + '.' +
                                     std::to_string(linked->patch);
  static const reshape_plugin plugin = {
      RESHAPE_ABI_VERSION,
      RESHAPE_PLUGIN_SIZE_1_0,
      {NAME, version.c_str(), "openvino-reshape-1", "f32 f16 bf16 i32 i8 u8", "i64",
       RESHAPE_STARTS_THREADS | RESHAPE_STRIDED_INPUT | RESHAPE_STRIDED_OUTPUT, DNNL_MAX_NDIMS, 0},
      infer_shape,
      execute,
      nullptr,
      nullptr,
      0,
      0};
  return &plugin;
}
