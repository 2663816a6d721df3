// The implementation of ../plugin_c/mine.c in C++. The rules throw an exception to refuse a
// request; it is caught at the border of the library. Build and test it:
//   g++ -std=c++17 -shared -fPIC -I conformance/abi conformance/examples/plugin_cpp/mine.cpp -o libmine.so
//   reshape-conformance run -i ./libmine.so
#include <reshape_plugin.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>
#include <vector>

namespace {

using Sizes = std::vector<int64_t>;

// Thrown where the answer is no shape. The sentence is a string literal, so it is never freed.
struct Answer {
  reshape_status status;
  const char* sentence;
};

void refuse_if(bool wrong, const char* sentence) {
  if (wrong) throw Answer{RESHAPE_REJECTED, sentence};
}

void leave_out_if(bool beyond, const char* sentence) {
  if (beyond) throw Answer{RESHAPE_UNSUPPORTED, sentence};
}

template <typename Element>
Element* elements(const DLTensor& tensor) {
  return reinterpret_cast<Element*>(static_cast<char*>(tensor.data) + tensor.byte_offset);
}

// The exact product, or -1 where it exceeds 2^63-1. Any 0 gives 0, wherever it stands.
int64_t product(const Sizes& sizes) {
  int64_t made = 1;
  for (const int64_t size : sizes) {
    if (size == 0) return 0;
    if (made >= 0 && __builtin_mul_overflow(made, size, &made)) made = -1;
  }
  return made;
}

Sizes sizes_of(const DLTensor& tensor) { return {tensor.shape, tensor.shape + tensor.ndim}; }

bool is_dense(const DLTensor& tensor) {
  if (tensor.strides == nullptr || product(sizes_of(tensor)) == 0) return true;
  int64_t step = 1;
  for (int32_t i = tensor.ndim - 1; i >= 0; step *= tensor.shape[i--]) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != step) return false;
  }
  return true;
}

// The pattern, with each copying 0 replaced by the data's size.
Sizes asked_sizes(const reshape_request& request) {
  Sizes sizes;
  for (int64_t i = 0; i < request.pattern->shape[0]; ++i) {
    int64_t size = elements<int64_t>(*request.pattern)[i];
    if (size == 0 && request.special_zero == RESHAPE_FLAG_TRUE) {
      refuse_if(i >= request.data->ndim, "a 0 with nothing to copy");
      size = request.data->shape[i];
    }
    refuse_if(size < -1, "a value below -1");
    sizes.push_back(size);
  }
  return sizes;
}

// The rules.
Sizes resolve(const reshape_request& request) {
  leave_out_if(std::string_view(request.dialect) != "openvino-reshape-1", "an unknown dialect");
  refuse_if(request.special_zero == RESHAPE_FLAG_MISSING, "special_zero is required");
  const DLDataType type = request.pattern->dtype;
  refuse_if((type.code != kDLInt && type.code != kDLUInt) || request.pattern->ndim != 1,
            "the pattern is not a list of integers");
  leave_out_if(type.code != kDLInt || type.bits != 64 || request.data->dtype.bits % 8 != 0,
               "patterns are i64 and elements whole bytes here");
  Sizes sizes = asked_sizes(request);
  int64_t* inferred = nullptr;
  for (int64_t& size : sizes) {
    if (size != -1) continue;
    refuse_if(inferred != nullptr, "more than one -1");
    inferred = &size;
  }
  const int64_t count = product(sizes_of(*request.data));
  refuse_if(count < 0, "more elements than 2^63-1");
  if (inferred == nullptr) {
    refuse_if(product(sizes) != count, "the numbers of elements differ");
    return sizes;
  }
  *inferred = 1;
  const int64_t known = product(sizes);
  refuse_if(known == 0, "nothing determines the -1");
  refuse_if(count != 0 && (known < 0 || count % known != 0),
            "no size of the -1 keeps the number of elements");
  *inferred = count == 0 ? 0 : count / known;
  return sizes;
}

// No exception leaves the library: a caller in C has nothing to catch it with.
template <typename Work>
reshape_status answered(reshape_message* why, const Work& work) noexcept {
  const auto say = [&](reshape_status status, const char* sentence) {
    std::snprintf(why->text, sizeof why->text, "%s", sentence);
    return status;
  };
  try {
    work();
    return RESHAPE_OK;
  } catch (const Answer& answer) {
    return say(answer.status, answer.sentence);
  } catch (const std::exception& failure) {
    return say(RESHAPE_FAILED, failure.what());
  }
}

reshape_status infer_shape(const reshape_request* request, reshape_shape* shape,
                           reshape_message* why) {
  return answered(why, [&] {
    const Sizes sizes = resolve(*request);
    if (sizes.size() > static_cast<std::size_t>(shape->capacity))
      throw Answer{RESHAPE_FAILED, "no room"};
    shape->rank = static_cast<int32_t>(sizes.size());
    std::copy(sizes.begin(), sizes.end(), shape->sizes);
  });
}

reshape_status execute(const reshape_request* request, DLTensor* output, reshape_message* why) {
  return answered(why, [&] {
    refuse_if(resolve(*request) != sizes_of(*output),
              "the output has another shape than the pattern");
    leave_out_if(!is_dense(*request->data) || !is_dense(*output),
                 "only dense tensors are known here");
    const auto bytes =
        static_cast<std::size_t>(product(sizes_of(*output))) * (request->data->dtype.bits / 8);
    if (bytes != 0) std::memcpy(elements<char>(*output), elements<char>(*request->data), bytes);
  });
}

}  // namespace

const reshape_plugin* reshape_plugin_entry(void) {
  static const reshape_plugin plugin = [] {
    reshape_plugin made = {};
    made.abi_version = RESHAPE_ABI_VERSION;
    made.struct_size = sizeof(reshape_plugin);
    made.description.name = "mine";
    made.description.version = "1.0";
    made.description.dialects = "openvino-reshape-1";
    made.description.element_types = "f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 boolean";
    made.infer_shape = infer_shape;
    made.execute = execute;
    return made;
  }();
  return &plugin;
}
