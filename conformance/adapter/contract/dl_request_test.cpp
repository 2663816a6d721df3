#include "conformance/adapter/contract/dl_request.h"

#include <gtest/gtest.h>

#include <cstring>

#include "conformance/abi/dlpack_types.h"

namespace reshape::conformance {
namespace {

Request asking() {
  Request request;
  request.dialect = "some-dialect";
  request.data_type = ElementType::f16;
  request.data = {2, 3};
  request.pattern.type = ElementType::i32;
  request.pattern.values = {3, -1};
  request.special_zero = true;
  return request;
}

// The request as it is passed.
const reshape_request& armed(DlRequest& crossed, const Request& request,
                             const RequestForm& form = {}) {
  crossed.take(request);
  crossed.in_form(form);
  EXPECT_TRUE(crossed.arm());
  return *crossed.request();
}

TEST(DlRequest, CrossesAsTheContractSays) {
  DlRequest crossed;
  const reshape_request& request = armed(crossed, asking());
  EXPECT_EQ(request.struct_size, sizeof(reshape_request));
  EXPECT_STREQ(request.dialect, "some-dialect");
  EXPECT_EQ(request.special_zero, RESHAPE_FLAG_TRUE);
  EXPECT_EQ(request.data->ndim, 2);
  EXPECT_EQ(request.data->shape[0], 2);
  EXPECT_EQ(request.data->shape[1], 3);
  EXPECT_EQ(request.data->strides, nullptr);
  EXPECT_EQ(request.data->data, nullptr);
  EXPECT_EQ(request.data->device.device_type, kDLCPU);
  EXPECT_EQ(element_type_of(request.data->dtype), ElementType::f16);
  EXPECT_EQ(request.pattern->ndim, 1);
  EXPECT_EQ(request.pattern->shape[0], 2);
  EXPECT_EQ(element_type_of(request.pattern->dtype), ElementType::i32);
  EXPECT_EQ(static_cast<const std::int32_t*>(request.pattern->data)[0], 3);
  EXPECT_EQ(static_cast<const std::int32_t*>(request.pattern->data)[1], -1);
}

TEST(DlRequest, TheFlagMayBeFalseOrMissing) {
  DlRequest crossed;
  Request request = asking();
  request.special_zero = false;
  EXPECT_EQ(armed(crossed, request).special_zero, RESHAPE_FLAG_FALSE);
  request.special_zero.reset();
  EXPECT_EQ(armed(crossed, request).special_zero, RESHAPE_FLAG_MISSING);
}

TEST(DlRequest, PatternsOfEveryTypeAndShape) {
  DlRequest crossed;
  Request request = asking();
  request.pattern.type = ElementType::u64;
  request.pattern.values = {PatternValue{18446744073709551615u}};
  EXPECT_EQ(*static_cast<const std::uint64_t*>(armed(crossed, request).pattern->data), ~0ull);
  request.pattern.type = ElementType::i4;
  request.pattern.values = {3, -1, 2};
  EXPECT_EQ(static_cast<const std::uint8_t*>(armed(crossed, request).pattern->data)[0], 0xf3);
  request.pattern.tensor_shape = Shape{};
  request.pattern.values = {6};
  EXPECT_EQ(armed(crossed, request).pattern->ndim, 0);
  request.pattern.tensor_shape = Shape{1, 2};
  request.pattern.values = {3, 2};
  const DLTensor& pattern = *armed(crossed, request).pattern;
  EXPECT_EQ(pattern.ndim, 2);
  EXPECT_EQ(pattern.shape[1], 2);
}

TEST(DlRequest, OnlyAnEmptyPatternCanBeNull) {
  DlRequest crossed;
  Request request = asking();
  EXPECT_NE(armed(crossed, request, {.pattern_null = true}).pattern->data, nullptr);
  request.pattern.values.clear();
  EXPECT_NE(armed(crossed, request).pattern->data, nullptr);
  EXPECT_EQ(armed(crossed, request, {.pattern_null = true}).pattern->data, nullptr);
}

TEST(DlRequest, MayBeLongerThanThisVersionKnows) {
  DlRequest crossed;
  EXPECT_GT(armed(crossed, asking(), {.later_struct = true}).struct_size, sizeof(reshape_request));
  EXPECT_EQ(armed(crossed, asking()).struct_size, sizeof(reshape_request));
}

TEST(DlRequest, APatternMayComeBehindAnOffsetWithItsStrides) {
  DlRequest crossed;
  const DLTensor& pattern =
      *armed(crossed, asking(), {.pattern_offset = true, .pattern_strides = true}).pattern;
  ASSERT_NE(pattern.strides, nullptr);
  EXPECT_EQ(pattern.strides[0], 1);
  ASSERT_GT(pattern.byte_offset, 0u);
  std::int32_t values[2];
  std::memcpy(values, static_cast<const char*>(pattern.data) + pattern.byte_offset, sizeof values);
  EXPECT_EQ(values[0], 3);
  EXPECT_EQ(values[1], -1);
  const DLTensor& plain = *armed(crossed, asking()).pattern;
  EXPECT_EQ(plain.strides, nullptr);
  EXPECT_EQ(plain.byte_offset, 0u);
}

TEST(DlRequest, ArraysEndAtAPageThatFaults) {
  DlRequest crossed;
  const auto end = reinterpret_cast<std::uintptr_t>(armed(crossed, asking()).data->shape + 2);
  EXPECT_EQ(end % static_cast<std::uintptr_t>(page_size()), 0u);
  EXPECT_EQ(place_of_fault(end).kind, FaultPlace::Kind::behind);
  EXPECT_STREQ(place_of_fault(end).name, "sizes of the data");
}

TEST(DlRequest, WhatTheImplementationHasToLeaveAloneIsReadOnly) {
  DlRequest crossed;
  const Strides steps = {3, 1};
  for (int turn = 0; turn < 2; ++turn) {  // the second turn reuses the arrays
    crossed.take(asking());
    crossed.data_at(nullptr, 0, &steps);
    crossed.in_form({.pattern_offset = true, .pattern_strides = true});
    crossed.output_at(ElementType::f16, Shape{3, 2}, nullptr, 0, &steps);
    ASSERT_TRUE(crossed.arm());
    const auto is_read_only = [](const void* at) {
      return place_of_fault(reinterpret_cast<std::uintptr_t>(at)).kind ==
             FaultPlace::Kind::inside_read_only;
    };
    const reshape_request& request = *crossed.request();
    for (const void* at :
         {static_cast<const void*>(request.dialect), static_cast<const void*>(request.data->shape),
          static_cast<const void*>(request.data->strides),
          static_cast<const void*>(request.pattern->data),
          static_cast<const void*>(request.pattern->shape),
          static_cast<const void*>(request.pattern->strides),
          static_cast<const void*>(crossed.output()->shape)}) {
      EXPECT_TRUE(is_read_only(at));
    }
    EXPECT_FALSE(is_read_only(crossed.output()->strides));
    EXPECT_FALSE(is_read_only(crossed.message()));
  }
}

TEST(DlRequest, AViewMaySetWhatIsItsToSet) {
  DlRequest crossed;
  crossed.take(asking());
  const Strides unset = {7};
  crossed.output_at(ElementType::f16, Shape{6}, nullptr, 0, &unset);
  ASSERT_TRUE(crossed.arm());
  const auto found = [&](CallKind kind, const void* at) -> const Argument* {
    for (const Argument& argument : crossed.arguments(kind)) {
      const auto* begin = static_cast<const char*>(argument.at);
      if (at >= begin && at < begin + argument.size) return &argument;
    }
    return nullptr;
  };
  const auto stays = [&](CallKind kind, const void* at) {
    const Argument* argument = found(kind, at);
    return argument != nullptr && !argument->set_by_view;
  };
  for (const void* at : {static_cast<const void*>(&crossed.output()->data),
                         static_cast<const void*>(&crossed.output()->byte_offset),
                         static_cast<const void*>(crossed.output()->strides)}) {
    EXPECT_TRUE(stays(CallKind::execute, at));
    ASSERT_NE(found(CallKind::view, at), nullptr);
    EXPECT_FALSE(stays(CallKind::view, at));
  }
  EXPECT_TRUE(stays(CallKind::view, &crossed.output()->ndim));
  EXPECT_TRUE(stays(CallKind::view, crossed.output()->shape));
}

}  // namespace
}  // namespace reshape::conformance
