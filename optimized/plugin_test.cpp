#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "conformance/abi/dlpack_types.h"
#include "conformance/abi/reshape_plugin.h"

namespace reshape {
namespace {

struct Tensor {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  DLTensor dl{};

  Tensor(ElementType type, std::vector<std::int64_t> shape, void* data,
         std::vector<std::int64_t> steps = {})
      : sizes(std::move(shape)), strides(std::move(steps)) {
    dl.data = data;
    dl.device = {kDLCPU, 0};
    dl.ndim = static_cast<std::int32_t>(sizes.size());
    dl.dtype = dl_type_of(type);
    dl.shape = sizes.data();
    dl.strides = strides.empty() ? nullptr : strides.data();
  }
  Tensor(const Tensor&) = delete;
};

struct Asked {
  Tensor data;
  Tensor pattern;
  reshape_message why{};
  std::array<std::int64_t, 8> sizes{};
  reshape_shape shape{8, -1, nullptr};
  const char* dialect = "openvino-reshape-1";

  reshape_request request() {
    return {sizeof(reshape_request), RESHAPE_FLAG_TRUE, dialect, &data.dl, &pattern.dl};
  }
  reshape_status infer() {
    shape.sizes = sizes.data();
    const reshape_request asked = request();
    return reshape_plugin_entry()->infer_shape(&asked, &shape, &why);
  }
  reshape_status execute(Tensor& output) {
    const reshape_request asked = request();
    return reshape_plugin_entry()->execute(&asked, &output.dl, &why);
  }
  reshape_status view(Tensor& output) {
    const reshape_request asked = request();
    return reshape_plugin_entry()->view(&asked, &output.dl, &why);
  }
};

TEST(OptimizedPlugin, DescribesItself) {
  const reshape_plugin* plugin = reshape_plugin_entry();
  ASSERT_NE(plugin, nullptr);
  EXPECT_EQ(plugin->abi_version, RESHAPE_ABI_VERSION);
  EXPECT_EQ(plugin->struct_size, sizeof(reshape_plugin));
  EXPECT_STREQ(plugin->description.name, "optimized");
  EXPECT_NE(std::strstr(plugin->description.dialects, "onednn-static-reshape"), nullptr);
  EXPECT_NE(std::strstr(plugin->description.element_types, "u4"), nullptr);
  EXPECT_NE(plugin->view, nullptr);
}

TEST(OptimizedPlugin, InfersFromPatternsOfEveryWidth) {
  const auto infers = [](ElementType type, void* values) {
    Asked asked{{ElementType::f32, {2, 5, 5, 24}, nullptr}, {type, {3}, values}};
    EXPECT_EQ(asked.infer(), RESHAPE_OK) << asked.why.text;
    EXPECT_EQ(asked.shape.rank, 3);
    EXPECT_EQ(asked.sizes, (std::array<std::int64_t, 8>{2, 150, 4}));
  };
  std::array<std::int64_t, 3> wide = {0, -1, 4};
  std::array<std::int32_t, 3> narrow = {0, -1, 4};
  std::array<std::int8_t, 3> small = {0, -1, 4};
  std::array<std::uint8_t, 2> halves = {0xf0, 0x04};
  infers(ElementType::i64, wide.data());
  infers(ElementType::i32, narrow.data());
  infers(ElementType::i8, small.data());
  infers(ElementType::i4, halves.data());
  // An i64 pattern that does not lie on a multiple of 8.
  std::array<std::byte, 32> odd{};
  std::memcpy(odd.data() + 1, wide.data(), sizeof(wide));
  infers(ElementType::i64, odd.data() + 1);
}

TEST(OptimizedPlugin, RefusesWhatTheDocumentLeavesOpen) {
  std::array<std::int64_t, 2> values = {0, -1};
  Asked asked{{ElementType::f32, {0, 3}, nullptr}, {ElementType::i64, {2}, values.data()}};
  EXPECT_EQ(asked.infer(), RESHAPE_REJECTED);
  EXPECT_STREQ(asked.why.text,
               "minus-one.beside-copied-zero: the document leaves it open what data [0,3] becomes "
               "by i64[0,-1]");
}

TEST(OptimizedPlugin, RefusalsNameTheClauseAndWriteNothing) {
  std::array<std::uint64_t, 1> all_ones = {~std::uint64_t{0}};
  Asked asked{{ElementType::f32, {2}, nullptr}, {ElementType::u64, {1}, all_ones.data()}};
  asked.sizes.fill(77);
  EXPECT_EQ(asked.infer(), RESHAPE_REJECTED);
  EXPECT_STREQ(asked.why.text,
               "size.representable: data [2] cannot become u64[18446744073709551615]");
  EXPECT_EQ(asked.shape.rank, -1);
  for (const std::int64_t size : asked.sizes) EXPECT_EQ(size, 77);

  asked.dialect = "nobodys-reshape";
  EXPECT_EQ(asked.infer(), RESHAPE_UNSUPPORTED);
}

TEST(OptimizedPlugin, NeverWritesMoreSizesThanThereIsRoomFor) {
  std::array<std::int64_t, 3> pattern = {1, 1, 6};
  Asked asked{{ElementType::f32, {6}, nullptr}, {ElementType::i64, {3}, pattern.data()}};
  asked.shape.capacity = 2;
  asked.sizes.fill(77);
  EXPECT_EQ(asked.infer(), RESHAPE_FAILED);
  for (const std::int64_t size : asked.sizes) EXPECT_EQ(size, 77);
}

TEST(OptimizedPlugin, ExecutesBetweenStrides) {
  std::array<std::int32_t, 8> data = {0, 1, 2, -1, 3, 4, 5, -1};
  std::array<std::int64_t, 2> pattern = {3, -1};
  Asked asked{{ElementType::i32, {2, 3}, data.data(), {4, 1}},
              {ElementType::i64, {2}, pattern.data()}};
  std::array<std::int32_t, 9> output;
  output.fill(9);
  Tensor to(ElementType::i32, {3, 2}, output.data(), {3, 1});
  ASSERT_EQ(asked.execute(to), RESHAPE_OK) << asked.why.text;
  EXPECT_EQ(output, (std::array<std::int32_t, 9>{0, 1, 9, 2, 3, 9, 4, 5, 9}));

  Tensor wrong_shape(ElementType::i32, {2, 3}, output.data());
  EXPECT_EQ(asked.execute(wrong_shape), RESHAPE_REJECTED);
  Tensor wrong_type(ElementType::f32, {3, 2}, output.data());
  EXPECT_EQ(asked.execute(wrong_type), RESHAPE_REJECTED);
  EXPECT_STREQ(asked.why.text, "output.type: the output is not i32 as the data is");
}

TEST(OptimizedPlugin, InPlaceAndOverlap) {
  std::array<std::int32_t, 7> data = {0, 1, 2, 3, 4, 5, 6};
  std::array<std::int64_t, 1> pattern = {-1};
  Asked asked{{ElementType::i32, {2, 3}, data.data()}, {ElementType::i64, {1}, pattern.data()}};
  Tensor same(ElementType::i32, {6}, data.data());
  EXPECT_EQ(asked.execute(same), RESHAPE_OK);
  Tensor next(ElementType::i32, {6}, data.data() + 1);
  EXPECT_EQ(asked.execute(next), RESHAPE_OK);
  EXPECT_EQ(data, (std::array<std::int32_t, 7>{0, 0, 1, 2, 3, 4, 5}));
  // The same bytes backwards, and turned over.
  Tensor backwards(ElementType::i32, {6}, data.data() + 5, {-1});
  EXPECT_EQ(asked.execute(backwards), RESHAPE_OK);
  EXPECT_EQ(data, (std::array<std::int32_t, 7>{4, 3, 2, 1, 0, 0, 5}));
}

TEST(OptimizedPlugin, OverlappingSeams) {
  // Rows of 3 with gaps become rows of 2 with gaps: no loops are common to both.
  std::array<std::int32_t, 9> data = {0, 1, 2, 9, 3, 4, 5, 9, 9};
  std::array<std::int64_t, 2> pattern = {3, 2};
  Asked asked{{ElementType::i32, {2, 3}, data.data(), {4, 1}},
              {ElementType::i64, {2}, pattern.data()}};
  Tensor to(ElementType::i32, {3, 2}, data.data() + 1, {3, 1});
  EXPECT_EQ(asked.execute(to), RESHAPE_OK) << asked.why.text;
  EXPECT_EQ(data, (std::array<std::int32_t, 9>{0, 0, 1, 9, 2, 3, 5, 4, 5}));
}

TEST(OptimizedPlugin, ViewsWhereTheyExist) {
  std::array<std::int32_t, 8> data{};
  std::array<std::int64_t, 3> pattern = {2, 3, 1};
  Asked asked{{ElementType::i32, {2, 3}, data.data(), {4, 1}},
              {ElementType::i64, {3}, pattern.data()}};
  Tensor output(ElementType::i32, {2, 3, 1}, nullptr, {-1, -1, -1});
  ASSERT_EQ(asked.view(output), RESHAPE_OK) << asked.why.text;
  EXPECT_EQ(output.dl.data, data.data());
  EXPECT_EQ(output.strides[0], 4);
  EXPECT_EQ(output.strides[1], 1);

  std::array<std::int64_t, 1> flat = {6};
  Asked copied{{ElementType::i32, {2, 3}, data.data(), {4, 1}},
               {ElementType::i64, {1}, flat.data()}};
  Tensor line(ElementType::i32, {6}, nullptr, {-1});
  EXPECT_EQ(copied.view(line), RESHAPE_UNSUPPORTED);
  EXPECT_EQ(line.dl.data, nullptr);
}

}  // namespace
}  // namespace reshape
