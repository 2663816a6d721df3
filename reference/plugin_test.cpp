#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "conformance/abi/dlpack_types.h"
#include "conformance/abi/reshape_plugin.h"
#include "reference/tensor/dialect.h"
#include "reference/tensor/element_type.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::reference {
namespace {

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
Tensor holding(ElementType type, std::vector<std::int64_t> sizes,
               const std::vector<std::int64_t>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  Tensor tensor(type, std::move(sizes), static_cast<std::size_t>(bytes_for(type, count)));
  for (std::int64_t at = 0; at < count; ++at) {
    store_element(type, tensor.bytes.data(), at,
                  static_cast<std::uint64_t>(values[static_cast<std::size_t>(at)]));
  }
  return tensor;
}

std::vector<std::int64_t> counting(std::int64_t count) {
  std::vector<std::int64_t> values;
  for (std::int64_t at = 0; at < count; ++at) values.push_back(at + 1);
  return values;
}

Tensor pattern_of(const std::vector<std::int64_t>& values) {
  return holding(ElementType::i64, {static_cast<std::int64_t>(values.size())}, values);
}

// What came of a call, as one word or shape: "[2,3]", "rejected volume.kept", "unsupported".
struct Caller {
  std::string infer(Tensor& data, Tensor& pattern) {
    sizes.fill(-77);
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

  std::string execute(Tensor& data, Tensor& pattern, Tensor& output) {
    const std::vector<std::byte> before = output.bytes;
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

TEST(Description, SaysWhatIsOffered) {
  const reshape_plugin* table = reshape_plugin_entry();
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table, reshape_plugin_entry());
  EXPECT_EQ(table->abi_version, RESHAPE_ABI_VERSION);
  EXPECT_EQ(table->struct_size, sizeof(reshape_plugin));
  EXPECT_STREQ(table->description.name, "reference");
  EXPECT_STREQ(table->description.version, RESHAPE_REFERENCE_VERSION);
  EXPECT_EQ(table->description.element_types, ElementTypes::all().text());
  EXPECT_EQ(table->description.pattern_types, ElementTypes::integers().text());
  EXPECT_EQ(table->description.max_rank, 0);
  EXPECT_EQ(table->description.capabilities,
            static_cast<unsigned>(RESHAPE_STRIDED_INPUT | RESHAPE_STRIDED_OUTPUT |
                                  RESHAPE_NEGATIVE_STRIDES | RESHAPE_IN_PLACE));
  EXPECT_NE(table->infer_shape, nullptr);
  EXPECT_NE(table->execute, nullptr);
  EXPECT_EQ(table->view, nullptr);
  const std::string dialects = table->description.dialects;
  for (const char* known :
       {"openvino-reshape-1", "onednn-graph-reshape-1", "onednn-graph-static-reshape-1",
        "onednn-graph-dynamic-reshape-1", "onednn-static-reshape"}) {
    EXPECT_NE((' ' + dialects + ' ').find(' ' + std::string(known) + ' '), std::string::npos);
  }
}

TEST(Infer, NeedsNoDataAndNoStrides) {
  Caller caller;
  Tensor data(ElementType::f32, {2, 5, 5, 24}, 0);
  Tensor pattern = pattern_of({0, -1, 4});
  EXPECT_EQ(caller.infer(data, pattern), "[2,150,4]");
}

TEST(Infer, RefusesWithTheClauseAndWritesNothing) {
  Caller caller;
  Tensor data(ElementType::f32, {2, 3}, 0);
  Tensor pattern = pattern_of({0, 5});
  EXPECT_EQ(caller.infer(data, pattern), "rejected volume.kept");
  EXPECT_STREQ(caller.why.text, "volume.kept: 10 elements asked, 6 given");
  caller.special_zero = RESHAPE_FLAG_MISSING;
  EXPECT_EQ(caller.infer(data, pattern), "rejected special-zero.required");
  caller.special_zero = 5;
  EXPECT_EQ(caller.infer(data, pattern), "rejected special_zero is 5");
}

TEST(Infer, ReadsEveryIntegerType) {
  for (ElementType type : kAllElementTypes) {
    Caller caller;
    Tensor data(ElementType::f32, {3, 4}, 0);
    Tensor all = holding(type, {3}, {3, 2, 2});
    Tensor minus = holding(type, {3}, {2, -1, 3});
    if (!is_integer(type)) {
      EXPECT_EQ(caller.infer(data, all), "rejected pattern.type") << name(type);
      continue;
    }
    EXPECT_EQ(caller.infer(data, all), "[3,2,2]") << name(type);
    // In an unsigned type -1 is the type's largest value, and 2^64-1 is no size.
    EXPECT_EQ(caller.infer(data, minus),
              is_signed_integer(type)     ? "[2,2,3]"
              : type == ElementType::u64 ? "rejected size.representable"
                                         : "rejected volume.kept")
        << name(type);
  }
}

TEST(Infer, ReadsAPatternBehindAnOffset) {
  Caller caller;
  Tensor data(ElementType::f32, {3, 4}, 0);
  Tensor pattern = holding(ElementType::i32, {2}, {9, 9, 4, 3});
  pattern.form.byte_offset = 8;
  EXPECT_EQ(caller.infer(data, pattern), "[4,3]");
}

TEST(Infer, AsksTheDocumentAboutOtherPatternRanks) {
  Caller caller;
  Tensor data(ElementType::f32, {6}, 0);
  Tensor scalar = holding(ElementType::i32, {}, {6});
  Tensor matrix = holding(ElementType::i32, {2, 1}, {2, 3});
  EXPECT_EQ(caller.infer(data, scalar), "rejected pattern.one-dimensional");
  EXPECT_EQ(caller.infer(data, matrix), "rejected pattern.one-dimensional");
  caller.dialect = "onednn-graph-dynamic-reshape-1";
  EXPECT_EQ(caller.infer(data, scalar), "[6]");
  EXPECT_EQ(caller.infer(data, matrix), "[2,3]");
}

TEST(Infer, TakesTheDefiniteShapeOfOpenPointsAndRefusesTheOthers) {
  Caller caller;
  Tensor pattern = pattern_of({0, -1});
  Tensor booleans(ElementType::boolean, {2, 3}, 0);
  EXPECT_EQ(caller.infer(booleans, pattern), "[2,3]");
  Tensor empty(ElementType::f32, {0, 3}, 0);
  EXPECT_EQ(caller.infer(empty, pattern), "rejected minus-one.beside-copied-zero");
  Tensor huge(ElementType::f32, {std::int64_t{1} << 62, 4}, 0);
  EXPECT_EQ(caller.infer(huge, pattern), "rejected volume.beyond-int64");
}

TEST(Infer, RefusesTypesThatTheContractDoesNotName) {
  Caller caller;
  Tensor data(ElementType::f32, {2, 3}, 0);
  Tensor pattern = pattern_of({3, 2});
  data.form.dtype = {kDLComplex, 64, 1};
  EXPECT_EQ(caller.infer(data, pattern), "rejected data.type");
  data.form.dtype = {kDLFloat, 32, 4};
  EXPECT_EQ(caller.infer(data, pattern), "rejected data.type");
  data.form.dtype = dl_type_of(ElementType::f32);
  pattern.form.dtype = {kDLInt, 64, 2};
  EXPECT_EQ(caller.infer(data, pattern), "rejected pattern.type");
}

TEST(Infer, DoesNotKnowOtherDialectsOrOlderCallers) {
  Caller caller;
  Tensor data(ElementType::f32, {2, 3}, 0);
  Tensor pattern = pattern_of({3, 2});
  caller.dialect = "openvino-reshape-2";
  EXPECT_EQ(caller.infer(data, pattern), "unsupported");
  caller.dialect = "openvino-reshape-1";
  reshape_request request = caller.request_for(data, pattern);
  request.struct_size = sizeof(reshape_request) - 8;
  reshape_shape shape{8, -1, caller.sizes.data()};
  EXPECT_EQ(caller.table->infer_shape(&request, &shape, &caller.why), RESHAPE_UNSUPPORTED);
}

TEST(Infer, NeverWritesMoreThanFits) {
  Caller caller;
  Tensor data(ElementType::f32, {6}, 0);
  Tensor pattern = pattern_of({1, 2, 3});
  caller.capacity = 2;
  EXPECT_EQ(caller.infer(data, pattern), "failed");
  caller.capacity = 3;
  EXPECT_EQ(caller.infer(data, pattern), "[1,2,3]");
}

TEST(Infer, CutsALongMessage) {
  Caller caller;
  Tensor data(ElementType::f32, std::vector<std::int64_t>(60, (std::int64_t{1} << 62) + 1), 0);
  Tensor pattern = pattern_of({7});
  EXPECT_EQ(caller.infer(data, pattern), "rejected volume.kept");
  EXPECT_EQ(std::strlen(caller.why.text), sizeof(caller.why.text) - 1);
}

TEST(Execute, CopiesEveryType) {
  for (ElementType type : kAllElementTypes) {
    Caller caller;
    Tensor data = holding(type, {3, 5}, counting(15));
    Tensor pattern = pattern_of({5, -1});
    Tensor output(type, {5, 3}, data.bytes.size());
    EXPECT_EQ(caller.execute(data, pattern, output), "ok") << name(type);
    for (std::int64_t at = 0; at < 15; ++at) {
      EXPECT_EQ(load_element(type, output.bytes.data(), at),
                load_element(type, data.bytes.data(), at))
          << name(type);
    }
  }
}

TEST(Execute, FollowsStridesAndByteOffsets) {
  Caller caller;
  Tensor data = holding(ElementType::u8, {3, 2}, counting(9));
  data.strides = {1, -3};               // columns from the back, behind an offset of three bytes
  data.form.byte_offset = 3;
  Tensor pattern = pattern_of({2, 3});
  Tensor output(ElementType::u8, {2, 3}, 20);
  output.strides = {8, 2};
  output.form.byte_offset = 1;
  ASSERT_EQ(caller.execute(data, pattern, output), "ok");
  std::vector<std::byte> expected(20, std::byte{0xC3});
  const std::array<int, 6> elements{4, 1, 5, 2, 6, 3};
  for (std::size_t at = 0; at < 6; ++at) {
    expected[1 + at / 3 * 8 + at % 3 * 2] = static_cast<std::byte>(elements[at]);
  }
  EXPECT_EQ(output.bytes, expected);
}

TEST(Execute, HalfByteTensorsStartAtWholeBytes) {
  Caller caller;
  Tensor data = holding(ElementType::u4, {3}, {9, 9, 1, 2, 3});
  data.form.byte_offset = 1;
  Tensor pattern = pattern_of({3, 1});
  Tensor output(ElementType::u4, {3, 1}, 4);
  output.form.byte_offset = 2;
  ASSERT_EQ(caller.execute(data, pattern, output), "ok");
  // The upper half of the last byte is not an element of the output and stays.
  EXPECT_EQ(output.bytes, (std::vector<std::byte>{std::byte{0xC3}, std::byte{0xC3},
                                                  std::byte{0x21}, std::byte{0xC3}}));
}

TEST(Execute, EmptyTensorsMayHaveNoMemory) {
  Caller caller;
  Tensor data(ElementType::f32, {0, 3}, 0);
  Tensor pattern = pattern_of({7, 0});
  caller.special_zero = RESHAPE_FLAG_FALSE;
  Tensor output(ElementType::f32, {7, 0}, 0);
  EXPECT_EQ(caller.execute(data, pattern, output), "ok");
  // Dense strides of this one would be above 2^63-1, and are not needed.
  data.sizes = {0, std::int64_t{1} << 62, 4};
  EXPECT_EQ(caller.execute(data, pattern, output), "ok");
}

TEST(Execute, RefusesWhatInferenceRefuses) {
  Caller caller;
  Tensor data = holding(ElementType::f32, {2, 3}, counting(6));
  Tensor pattern = pattern_of({4, -1});
  Tensor output(ElementType::f32, {4, 2}, 32);
  EXPECT_EQ(caller.execute(data, pattern, output), "rejected minus-one.divides");
}

TEST(Execute, RefusesAnotherOutputThanAsked) {
  Caller caller;
  Tensor data = holding(ElementType::f32, {2, 3}, counting(6));
  Tensor pattern = pattern_of({3, 2});
  Tensor other_shape(ElementType::f32, {6}, 24);
  EXPECT_EQ(caller.execute(data, pattern, other_shape), "rejected output.shape");
  EXPECT_STREQ(caller.why.text,
               "output.shape: the output is [6], but the request produces [3,2]");
  Tensor other_type(ElementType::i32, {3, 2}, 24);
  EXPECT_EQ(caller.execute(data, pattern, other_type), "rejected output.type");
  Tensor negative(ElementType::f32, {-3, 2}, 24);
  EXPECT_EQ(caller.execute(data, pattern, negative), "rejected output.shape");
}

TEST(Execute, InPlaceKeepsTheElements) {
  for (ElementType type : {ElementType::f32, ElementType::i4}) {
    Caller caller;
    Tensor data = holding(type, {2, 3}, counting(6));
    const std::vector<std::byte> before = data.bytes;
    Tensor pattern = pattern_of({3, 2});
    Tensor output(type, {3, 2}, 0);
    output.form.data = data.bytes.data();
    EXPECT_EQ(caller.execute(data, pattern, output), "ok");
    EXPECT_EQ(data.bytes, before);
  }
}

// Data lies at bytes 8 to 13; an output of six bytes is moved along it.
TEST(Execute, RefusesEveryPartialOverlap) {
  for (std::size_t start = 0; start <= 16; ++start) {
    Caller caller;
    Tensor memory(ElementType::u8, {2, 3}, 24);
    for (std::size_t at = 0; at < 24; ++at) memory.bytes[at] = static_cast<std::byte>(at);
    const std::vector<std::byte> before = memory.bytes;
    memory.form.byte_offset = 8;
    Tensor pattern = pattern_of({3, 2});
    Tensor output(ElementType::u8, {3, 2}, 0);
    output.form.data = memory.bytes.data();
    output.form.byte_offset = start;
    const std::string outcome = caller.execute(memory, pattern, output);
    if (start + 6 <= 8 || start >= 14) {
      EXPECT_EQ(outcome, "ok") << start;
      EXPECT_EQ(memory.bytes[start], std::byte{8}) << start;
      EXPECT_EQ(memory.bytes[start + 5], std::byte{13}) << start;
    } else {
      EXPECT_EQ(outcome == "ok", start == 8) << start;
      EXPECT_EQ(memory.bytes, before) << start;
    }
  }
}

TEST(Execute, RefusesTheSameBufferInAnotherOrder) {
  Caller caller;
  Tensor data = holding(ElementType::u8, {2, 3}, counting(6));
  Tensor pattern = pattern_of({3, 2});
  Tensor output(ElementType::u8, {3, 2}, 0);
  output.form.data = data.bytes.data();
  output.strides = {1, 3};
  const std::vector<std::byte> before = data.bytes;
  EXPECT_EQ(caller.execute(data, pattern, output),
            "rejected the output overlaps data without being the same dense buffer");
  EXPECT_EQ(data.bytes, before);
}

TEST(Execute, AsksForMemoryOnTheCpu) {
  Caller caller;
  Tensor data = holding(ElementType::f32, {2, 3}, counting(6));
  Tensor pattern = pattern_of({3, 2});
  Tensor output(ElementType::f32, {3, 2}, 24);
  output.form.device = {kDLCUDA, 0};
  EXPECT_EQ(caller.execute(data, pattern, output), "unsupported");
}

}  // namespace
}  // namespace reshape::reference
