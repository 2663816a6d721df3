#include "conformance/abi/dlpack_types.h"

#include <gtest/gtest.h>

extern "C" int request_size_in_c(void);
extern "C" int plugin_size_in_c(void);

namespace reshape {
namespace {

void expect_form(ElementType type, unsigned code, unsigned width) {
  const DLDataType dtype = dl_type_of(type);
  EXPECT_EQ(dtype.code, code) << name(type);
  EXPECT_EQ(dtype.bits, width) << name(type);
  EXPECT_EQ(dtype.lanes, 1) << name(type);
}

// The numbers of DLPack 1.1, written out: other libraries hand over exactly these.
TEST(DlpackTypes, AreTheNumbersOfTheStandard) {
  expect_form(ElementType::f64, 2, 64);
  expect_form(ElementType::f32, 2, 32);
  expect_form(ElementType::f16, 2, 16);
  expect_form(ElementType::bf16, 4, 16);
  expect_form(ElementType::f8e4m3, 10, 8);
  expect_form(ElementType::f8e5m2, 12, 8);
  expect_form(ElementType::i64, 0, 64);
  expect_form(ElementType::i32, 0, 32);
  expect_form(ElementType::i16, 0, 16);
  expect_form(ElementType::i8, 0, 8);
  expect_form(ElementType::i4, 0, 4);
  expect_form(ElementType::u64, 1, 64);
  expect_form(ElementType::u32, 1, 32);
  expect_form(ElementType::u16, 1, 16);
  expect_form(ElementType::u8, 1, 8);
  expect_form(ElementType::u4, 1, 4);
  expect_form(ElementType::boolean, 6, 8);
}

// All dtypes that can be written with one lane, so that none is taken for another.
TEST(DlpackTypes, EveryDtypeIsOneElementTypeOrNone) {
  std::size_t known = 0;
  for (unsigned code = 0; code < 256; ++code) {
    for (unsigned width = 0; width < 256; ++width) {
      const DLDataType dtype{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(width), 1};
      const auto type = element_type_of(dtype);
      if (!type) continue;
      ++known;
      expect_form(*type, code, width);
    }
  }
  EXPECT_EQ(known, kAllElementTypes.size());
}

TEST(DlpackTypes, VectorsAreNoElements) {
  for (ElementType type : kAllElementTypes) {
    for (const std::uint16_t lanes : {std::uint16_t{0}, std::uint16_t{2}, std::uint16_t{257}}) {
      DLDataType dtype = dl_type_of(type);
      dtype.lanes = lanes;
      EXPECT_EQ(element_type_of(dtype), std::nullopt) << name(type);
    }
  }
}

TEST(Contract, IsTheSameInCAndInCpp) {
  EXPECT_EQ(request_size_in_c(), static_cast<int>(sizeof(reshape_request)));
  EXPECT_EQ(plugin_size_in_c(), static_cast<int>(sizeof(reshape_plugin)));
}

}  // namespace
}  // namespace reshape
