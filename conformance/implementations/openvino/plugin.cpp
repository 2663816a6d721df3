// OpenVINO behind the C contract: turns requests into OpenVINO's types, and exceptions into
// answers.
#include <reshape_plugin.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "../contract.h"
#include "way.h"

namespace openvino_way {
namespace {

using contract::answer, contract::dense;

struct NamedType {
  DLDataType dl;
  ov::element::Type type;
};

// The contract's element types and OpenVINO's; it has all of them.
const std::vector<NamedType>& types() {
  static const std::vector<NamedType> list = {
      {{kDLFloat, 64, 1}, ov::element::f64},
      {{kDLFloat, 32, 1}, ov::element::f32},
      {{kDLFloat, 16, 1}, ov::element::f16},
      {{kDLBfloat, 16, 1}, ov::element::bf16},
      {{RESHAPE_DL_FLOAT8_E4M3FN, 8, 1}, ov::element::f8e4m3},
      {{RESHAPE_DL_FLOAT8_E5M2, 8, 1}, ov::element::f8e5m2},
      {{kDLInt, 64, 1}, ov::element::i64},
      {{kDLInt, 32, 1}, ov::element::i32},
      {{kDLInt, 16, 1}, ov::element::i16},
      {{kDLInt, 8, 1}, ov::element::i8},
      {{kDLInt, 4, 1}, ov::element::i4},
      {{kDLUInt, 64, 1}, ov::element::u64},
      {{kDLUInt, 32, 1}, ov::element::u32},
      {{kDLUInt, 16, 1}, ov::element::u16},
      {{kDLUInt, 8, 1}, ov::element::u8},
      {{kDLUInt, 4, 1}, ov::element::u4},
      {{RESHAPE_DL_BOOL, 8, 1}, ov::element::boolean},
  };
  return list;
}

ov::element::Type type_of(DLDataType dl) {
  for (const NamedType& known : types()) {
    if (known.dl.code == dl.code && known.dl.bits == dl.bits && known.dl.lanes == dl.lanes) {
      return known.type;
    }
  }
  OPENVINO_THROW("the element type is not supported yet");
}

ov::Shape shape_of(const DLTensor& tensor) { return {tensor.shape, tensor.shape + tensor.ndim}; }

// The address of the first element. Never null, because OpenVINO refuses that even for an empty
// tensor.
void* start_of(const DLTensor& tensor) {
  static std::uint64_t nothing = 0;
  if (tensor.data == nullptr) return &nothing;
  return static_cast<char*>(tensor.data) + tensor.byte_offset;
}

// The strides in bytes. OpenVINO compares also those of axes of size 1, which are ignored here.
ov::Strides strides_of(const DLTensor& tensor) {
  ov::Strides strides(static_cast<std::size_t>(tensor.ndim));
  const std::size_t width = tensor.dtype.bits / 8;
  std::size_t next = width;
  for (std::size_t axis = strides.size(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(tensor.shape[axis]);
    strides[axis] = size == 1 ? next : static_cast<std::size_t>(tensor.strides[axis]) * width;
    next = strides[axis] * size;
  }
  return strides;
}

// The caller's memory itself, so that reads and writes outside of it are detected. ov::Tensor
// refuses the strides of permuted axes.
ov::Tensor tensor_of(const DLTensor& tensor) {
  const ov::element::Type type = type_of(tensor.dtype);
  if (dense(tensor)) return {type, shape_of(tensor), start_of(tensor)};
  try {
    return {type, shape_of(tensor), start_of(tensor), strides_of(tensor)};
  } catch (const ov::Exception& refused) {
    OPENVINO_THROW("a tensor of these strides is not supported yet: ", refused.what());
  }
}

bool holds_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

// The status for an exception of OpenVINO: it refuses this Reshape, does not support it, or failed
// otherwise, for instance for lack of memory. Decided by the text, because the class says too
// little.
reshape_status status_of(const std::exception& thrown) {
  const std::string text = thrown.what();
  if (of_no_memory(thrown)) return RESHAPE_FAILED;
  if (holds_one_of(text, {"overflow", "not supported yet", "bitset", "dynamic rank",
                          "Cannot create empty node"})) {
    return RESHAPE_UNSUPPORTED;
  }
  if (dynamic_cast<const ov::NodeValidationFailure*>(&thrown) != nullptr ||
      holds_one_of(
          text, {"[cpu]reshape", "Requested output shape", "Can't set the output tensor",
                 "out of range", "evenly divide", "Cannot infer", "More than one", "invalid bounds",
                 "must have rank 1", "integral number", "ParameterMismatch"})) {
    return RESHAPE_REJECTED;
  }
  return RESHAPE_FAILED;
}

// The sentence of an exception is its last line; the lines above are places in OpenVINO's sources.
std::string_view sentence_of(std::string_view text) {
  while (!text.empty() && std::strchr(" \n\r", text.back()) != nullptr) text.remove_suffix(1);
  const std::size_t line = text.rfind('\n');
  if (line != std::string_view::npos) text.remove_prefix(line + 1);
  return text.empty() ? "it threw an exception without a word" : text;
}

// Translates the request to OpenVINO's types. If that fails, returns the status for the caller.
std::optional<reshape_status> read(const reshape_request& request, Question& question,
                                   reshape_message* why) {
  if (request.special_zero == RESHAPE_FLAG_MISSING) {
    return answer(RESHAPE_REJECTED, "the constructor of Reshape has no default for special_zero",
                  why);
  }
  question.special_zero = request.special_zero == RESHAPE_FLAG_TRUE;
  question.data_type = type_of(request.data->dtype);
  question.data = shape_of(*request.data);
  question.pattern_type = type_of(request.pattern->dtype);
  question.pattern_shape = shape_of(*request.pattern);
  question.pattern = start_of(*request.pattern);
  return std::nullopt;
}

template <typename Call>
reshape_status without_exceptions(reshape_message* why, Call call) noexcept {
  try {
    return call();
  } catch (const std::exception& thrown) {
    return answer(status_of(thrown), sentence_of(thrown.what()), why);
  }
}

reshape_status infer_shape(const reshape_request* request, reshape_shape* shape,
                           reshape_message* why) {
  return without_exceptions(why, [&] {
    Question question;
    if (const auto instead = read(*request, question, why)) return *instead;
    const ov::PartialShape inferred = infer(question);
    if (inferred.is_dynamic()) {
      return answer(RESHAPE_NO_SHAPE,
                    "the sizes are all known, and it inferred " + inferred.to_string(), why);
    }
    if (static_cast<std::int64_t>(inferred.size()) > shape->capacity) {
      return answer(RESHAPE_FAILED, "there is no room for " + inferred.to_string(), why);
    }
    shape->rank = static_cast<std::int32_t>(inferred.size());
    for (std::size_t axis = 0; axis < inferred.size(); ++axis) {
      shape->sizes[axis] = inferred[static_cast<std::ptrdiff_t>(axis)].get_length();
    }
    return RESHAPE_OK;
  });
}

// Whether the caller's output has another shape than the inferred one. OpenVINO silently changes
// the shape of an output with as many elements; the contract demands an answer.
bool of_another_shape(const Question& question, const DLTensor& output) {
  const ov::PartialShape inferred = infer(question);
  const ov::Shape wanted = shape_of(output);
  return inferred.is_static() && inferred.to_shape() != wanted &&
         ov::shape_size(inferred.to_shape()) == ov::shape_size(wanted);
}

reshape_status execute(const reshape_request* request, DLTensor* output, reshape_message* why) {
  return without_exceptions(why, [&] {
    Question question;
    if (const auto instead = read(*request, question, why)) return *instead;
    if (!kStrided && (!dense(*request->data) || !dense(*output))) {
      return answer(RESHAPE_UNSUPPORTED, "the strides are not those of a dense tensor", why);
    }
    if (of_another_shape(question, *output)) {
      return answer(RESHAPE_REJECTED, "the output has another shape than the inferred one", why);
    }
    run(question, tensor_of(*request->data), tensor_of(*output));
    return RESHAPE_OK;
  });
}

}  // namespace

bool of_no_memory(const std::exception& thrown) {
  return dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr ||
         holds_one_of(thrown.what(), {"bad_alloc", "Failed to allocate", "Cannot allocate"});
}

bool worth_having(const ov::element::Type& type, const ov::Shape& shape) {
  constexpr double kMostBytes = 8.0 * kMostElements;
  double bytes = static_cast<double>(type.bitwidth()) / 8;
  for (const std::size_t size : shape) bytes *= static_cast<double>(size);
  return bytes <= kMostBytes;
}

namespace {

// An allocator that leaves `room` bytes behind the memory.
struct Roomy {
  std::size_t room;
  void* allocate(std::size_t bytes, std::size_t = 0) {
    void* memory = std::calloc(bytes + room, 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  void deallocate(void* memory, std::size_t, std::size_t = 0) noexcept { std::free(memory); }
  bool is_equal(const Roomy& other) const { return room == other.room; }
};

}  // namespace

ov::Tensor zeros(const ov::element::Type& type, const ov::Shape& shape) {
  if (!worth_having(type, shape)) throw std::bad_alloc();
  return {type, shape, ov::Allocator(Roomy{1 << 20})};
}

ov::Tensor output_with_room(const ov::Tensor& data, const ov::Shape& shape) {
  return {data.get_element_type(), shape, ov::Allocator(Roomy{data.get_byte_size()})};
}

}  // namespace openvino_way

const reshape_plugin* reshape_plugin_entry() {
  using namespace openvino_way;
  static const std::string version = ov::get_openvino_version().buildNumber;
  static const std::uint32_t capabilities =
      static_cast<std::uint32_t>(kStartsThreads ? RESHAPE_STARTS_THREADS : 0) |
      static_cast<std::uint32_t>(kHasRun ? 0 : RESHAPE_SHAPE_ONLY) |
      static_cast<std::uint32_t>(kStrided ? RESHAPE_STRIDED_INPUT | RESHAPE_STRIDED_OUTPUT |
                                                RESHAPE_NO_OVERLAPPING_STRIDES
                                          : 0);
  static const reshape_plugin plugin = {
      RESHAPE_ABI_VERSION,
      sizeof(reshape_plugin),
      {kName, version.c_str(), "openvino-reshape-1",
       // ov::Tensor has no strides of the 4-bit types.
       kStrided ? "f64 f32 f16 bf16 f8e4m3 f8e5m2 i64 i32 i16 i8 u64 u32 u16 u8 boolean"
                : "f64 f32 f16 bf16 f8e4m3 f8e5m2 i64 i32 i16 i8 i4 u64 u32 u16 u8 u4 boolean",
       kPatternTypes, capabilities, kMaxRank, 0},
      infer_shape,
      kHasRun ? execute : nullptr,
      nullptr,
      nullptr,
      kHasRun ? kMostElements : 0,
      std::numeric_limits<std::int64_t>::max() - 1};  // 2^63-1 means an unknown size in OpenVINO
  return &plugin;
}
