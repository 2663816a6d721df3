// Eigen's Tensor::reshape behind the C contract: on the thread of the caller, and on a pool of two.
#include <reshape_plugin.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "../contract.h"
#include "copy.h"

extern const Copies copy_f64, copy_f32, copy_f16, copy_bf16, copy_boolean, copy_i64, copy_i32,
    copy_i16, copy_i8, copy_u64, copy_u32, copy_u16, copy_u8;

namespace {

using contract::answer, contract::dense, contract::start_of;
using Eigen::RowMajor, Eigen::Tensor, Eigen::TensorMap;

// Thrown where a call answers with neither a shape nor a copy.
struct Answer {
  reshape_status status;
  const char* sentence;
};

struct NamedCopies {
  DLDataType dl;
  const Copies& copies;
};

const Copies& copies_of(DLDataType dl) {
  static const NamedCopies all[] = {
      {{kDLFloat, 64, 1}, copy_f64},   {{kDLFloat, 32, 1}, copy_f32},
      {{kDLFloat, 16, 1}, copy_f16},   {{kDLInt, 64, 1}, copy_i64},
      {{kDLBfloat, 16, 1}, copy_bf16}, {{RESHAPE_DL_BOOL, 8, 1}, copy_boolean},
      {{kDLInt, 32, 1}, copy_i32},     {{kDLInt, 16, 1}, copy_i16},
      {{kDLInt, 8, 1}, copy_i8},       {{kDLUInt, 64, 1}, copy_u64},
      {{kDLUInt, 32, 1}, copy_u32},    {{kDLUInt, 16, 1}, copy_u16},
      {{kDLUInt, 8, 1}, copy_u8},
  };
  for (const auto& [type, copies] : all) {
    if (type.code == dl.code && type.bits == dl.bits && type.lanes == dl.lanes) return copies;
  }
  throw Answer{RESHAPE_UNSUPPORTED, "a type that C++ or Eigen does not have"};
}

// A tensor's shape or a pattern's values.
struct Listed {
  int rank = 0;
  Sizes sizes{};

  Listed(const std::int64_t* values, std::int64_t count) {
    if (count > kMaxRank) throw Answer{RESHAPE_UNSUPPORTED, "more dimensions than are compiled"};
    rank = static_cast<int>(count);
    std::copy_n(values, rank, sizes.begin());
  }
};

Listed shape_of(const DLTensor& tensor) { return {tensor.shape, tensor.ndim}; }

// Converts the pattern to the type of Eigen's dimensions, the only one that Eigen takes.
Listed dimensions_of(const reshape_request& request) {
  const DLTensor& pattern = *request.pattern;
  if (pattern.dtype.code != kDLInt || pattern.dtype.bits != 64 || pattern.ndim != 1) {
    throw Answer{RESHAPE_REJECTED, "the new dimensions are a list of Index"};
  }
  return {static_cast<const std::int64_t*>(start_of(pattern)), pattern.shape[0]};
}

// --- the shape, as the evaluator of a reshape has it ---------------------------------------------

using Infer = Sizes (*)(const Sizes& from, const Sizes& to);

template <int from, int to>
Sizes infer(const Sizes& sizes, const Sizes& dimensions) {
  const TensorMap<const Tensor<char, from, RowMajor>> data(nullptr, sizes_of<from>(sizes));
  const auto reshaped = data.reshape(sizes_of<to>(dimensions));
  const Eigen::TensorEvaluator<decltype(reshaped), Eigen::DefaultDevice> evaluator(reshaped, {});
  Sizes inferred{};
  std::copy_n(evaluator.dimensions().begin(), to, inferred.begin());
  return inferred;
}

Sizes inferred(const Listed& data, const Listed& dimensions) {
  static const auto all = for_each_rank<std::array<Infer, kMaxRank + 1>>([]<int from>() {
    return for_each_rank<Infer>([]<int to>() -> Infer { return infer<from, to>; });
  });
  return all[static_cast<std::size_t>(data.rank)][static_cast<std::size_t>(dimensions.rank)](
      data.sizes, dimensions.sizes);
}

// --- the contract's calls ------------------------------------------------------------------------

template <typename Call>
reshape_status answered(reshape_message* why, Call call) noexcept {
  try {
    call();
    return RESHAPE_OK;
  } catch (const Answer& instead) {
    return answer(instead.status, instead.sentence, why);
  } catch (const Asserted& failed) {
    return answer(RESHAPE_REJECTED, std::string("Eigen asserts ") + failed.what(), why);
  } catch (const std::exception& thrown) {
    return answer(RESHAPE_FAILED, thrown.what(), why);
  }
}

reshape_status infer_shape(const reshape_request* request, reshape_shape* shape,
                           reshape_message* why) {
  return answered(why, [&] {
    const Listed dimensions = dimensions_of(*request);
    const Sizes sizes = inferred(shape_of(*request->data), dimensions);
    if (std::any_of(sizes.begin(), sizes.end(), [](auto size) { return size < 0; })) {
      throw Answer{RESHAPE_NO_SHAPE, "Eigen makes a tensor that has a negative size of it"};
    }
    if (dimensions.rank > shape->capacity)
      throw Answer{RESHAPE_FAILED, "there is no room for the shape"};
    shape->rank = dimensions.rank;
    std::copy_n(sizes.begin(), dimensions.rank, shape->sizes);
  });
}

reshape_status execute(const reshape_request* request, DLTensor* output, reshape_message* why) {
  return answered(why, [&] {
    const Listed data = shape_of(*request->data), out = shape_of(*output),
                 dimensions = dimensions_of(*request);
    if (!dense(*request->data) || !dense(*output)) {
      throw Answer{RESHAPE_UNSUPPORTED, "a TensorMap is dense"};
    }
    // In Eigen tensors of different ranks have different types, which cannot be assigned.
    if (out.rank != dimensions.rank) throw Answer{RESHAPE_REJECTED, "the output has another rank"};
    const auto& row = copies_of(request->data->dtype)[static_cast<std::size_t>(data.rank)];
    row[static_cast<std::size_t>(out.rank)](start_of(*request->data), data.sizes, dimensions.sizes,
                                            start_of(*output), out.sizes);
  });
}

}  // namespace

const reshape_plugin* reshape_plugin_entry() {
  static const std::string version = std::to_string(EIGEN_WORLD_VERSION) + '.' +
                                     std::to_string(EIGEN_MAJOR_VERSION) + '.' +
                                     std::to_string(EIGEN_MINOR_VERSION);
  static const reshape_plugin plugin = {
      RESHAPE_ABI_VERSION,
      sizeof(reshape_plugin),
      {NAME, version.c_str(), "eigen-tensor-reshape",
       "f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 boolean", "i64",
       static_cast<std::uint32_t>(RESHAPE_PATTERN_IS_LIST | (THREADS ? RESHAPE_STARTS_THREADS : 0)),
       kMaxRank, 0},
      infer_shape,
      execute,
      nullptr,
      nullptr,
      0,
      0};
  return &plugin;
}
