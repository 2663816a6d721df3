#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "conformance/abi/dlpack_types.h"
#include "conformance/abi/reshape_plugin.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/shape.h"
#include "reference/tensor/tensor_view.h"

// What the tests of the plug-in share: tensors, and a caller on the other side of the C contract.
namespace reshape::reference {

// A DLTensor with its own sizes, strides and bytes.
struct Tensor {
  Tensor(ElementType type, std::vector<std::int64_t> its_sizes, std::size_t size_in_bytes)
      : sizes(std::move(its_sizes)), bytes(size_in_bytes, std::byte{0xC3}) {
    form.dtype = dl_type_of(type);
    form.device = {kDLCPU, 0};
  }
  DLTensor* get() {
    form.ndim = static_cast<std::int32_t>(sizes.size());
    form.shape = sizes.data();
    form.strides = strides.empty() ? nullptr : strides.data();
    if (form.data == nullptr && !bytes.empty()) form.data = bytes.data();
    return &form;
  }

  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  std::vector<std::byte> bytes;
  DLTensor form{};
};

// A dense tensor that holds `values`.
inline Tensor holding(ElementType type, std::vector<std::int64_t> sizes,
                      const std::vector<std::int64_t>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  Tensor tensor(type, std::move(sizes), static_cast<std::size_t>(bytes_for(type, count)));
  for (std::int64_t at = 0; at < count; ++at) {
    store_element(type, tensor.bytes.data(), at,
                  static_cast<std::uint64_t>(values[static_cast<std::size_t>(at)]));
  }
  return tensor;
}

inline std::vector<std::int64_t> counting(std::int64_t count) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

inline Tensor pattern_of(const std::vector<std::int64_t>& values) {
  return holding(ElementType::i64, {static_cast<std::int64_t>(values.size())}, values);
}

// A test that calls the plug-in. The outcome of a call: "[2,3]", "rejected volume.kept",
// "unsupported".
class Caller : public ::testing::Test {
 protected:
  std::string infer(Tensor& data, Tensor& pattern) {
    sizes.fill(-77);
    why = {};
    reshape_shape shape{capacity, -77, sizes.data()};
    const reshape_request request = request_for(data, pattern);
    const reshape_status status = table->infer_shape(&request, &shape, &why);
    if (status != RESHAPE_OK) {
      EXPECT_EQ(shape.rank, -77);
      EXPECT_EQ(std::count(sizes.begin(), sizes.end(), -77), static_cast<int>(sizes.size()));
      return refusal(status);
    }
    for (std::size_t at = static_cast<std::size_t>(shape.rank); at < sizes.size(); ++at) {
      EXPECT_EQ(sizes[at], -77);
    }
    return text_of_sizes({sizes.data(), static_cast<std::size_t>(shape.rank)});
  }

  std::string infer(Tensor& data, const std::vector<std::int64_t>& pattern) {
    Tensor values = pattern_of(pattern);
    return infer(data, values);
  }

  std::string execute(Tensor& data, const std::vector<std::int64_t>& values, Tensor& output) {
    Tensor pattern = pattern_of(values);
    const std::vector<std::byte> before = output.bytes;
    why = {};
    const reshape_request request = request_for(data, pattern);
    const reshape_status status = table->execute(&request, output.get(), &why);
    if (status == RESHAPE_OK) return "ok";
    EXPECT_EQ(output.bytes, before);
    return refusal(status);
  }

  reshape_request request_for(Tensor& data, Tensor& pattern) {
    return {sizeof(reshape_request), special_zero, dialect.c_str(), data.get(), pattern.get()};
  }

  // The clause stands in front of the message's colon.
  std::string refusal(reshape_status status) {
    const std::string message = why.text;
    EXPECT_FALSE(message.empty());
    switch (status) {
      case RESHAPE_REJECTED: return "rejected " + message.substr(0, message.find(':'));
      case RESHAPE_UNSUPPORTED: return "unsupported";
      case RESHAPE_FAILED: return "failed";
      case RESHAPE_NO_SHAPE: return "no shape";
      case RESHAPE_OK: break;
    }
    return "?";
  }

  const reshape_plugin* table = reshape_plugin_entry();
  std::string dialect = "openvino-reshape-1";
  std::int32_t special_zero = RESHAPE_FLAG_TRUE;
  std::int32_t capacity = 8;
  std::array<std::int64_t, 12> sizes{};
  reshape_message why{};
};

}  // namespace reshape::reference
