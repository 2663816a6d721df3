#include <cstring>

#include "reference/plugin_caller.h"

namespace reshape::reference {
namespace {

using Infer = Caller;

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
                                  RESHAPE_NEGATIVE_STRIDES | RESHAPE_IN_PLACE | RESHAPE_OVERLAP));
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

TEST_F(Infer, NeedsNoDataAndNoStrides) {
  Tensor data(ElementType::f32, {2, 5, 5, 24}, 0);
  EXPECT_EQ(infer(data, {0, -1, 4}), "[2,150,4]");
}

TEST_F(Infer, RefusesWithTheClauseAndWritesNothing) {
  Tensor data(ElementType::f32, {2, 3}, 0);
  const std::vector<std::int64_t> pattern = {0, 5};
  EXPECT_EQ(infer(data, pattern), "rejected volume.kept");
  EXPECT_STREQ(why.text, "volume.kept: 10 elements asked, 6 given");
  special_zero = RESHAPE_FLAG_MISSING;
  EXPECT_EQ(infer(data, pattern), "rejected special-zero.required");
  special_zero = 5;
  EXPECT_EQ(infer(data, pattern), "rejected special_zero is 5");
}

TEST_F(Infer, ReadsEveryIntegerType) {
  for (ElementType type : kAllElementTypes) {
    Tensor data(ElementType::f32, {3, 4}, 0);
    Tensor all = holding(type, {3}, {3, 2, 2});
    Tensor minus = holding(type, {3}, {2, -1, 3});
    if (!is_integer(type)) {
      EXPECT_EQ(infer(data, all), "rejected pattern.type") << name(type);
      continue;
    }
    EXPECT_EQ(infer(data, all), "[3,2,2]") << name(type);
    // In an unsigned type -1 is the type's largest value, and 2^64-1 is no size.
    EXPECT_EQ(infer(data, minus), is_signed_integer(type)    ? "[2,2,3]"
                                  : type == ElementType::u64 ? "rejected size.representable"
                                                             : "rejected volume.kept")
        << name(type);
  }
}

TEST_F(Infer, ReadsAPatternBehindAnOffset) {
  Tensor data(ElementType::f32, {3, 4}, 0);
  Tensor pattern = holding(ElementType::i32, {2}, {9, 9, 4, 3});
  pattern.form.byte_offset = 8;
  EXPECT_EQ(infer(data, pattern), "[4,3]");
}

TEST_F(Infer, AsksTheDocumentAboutOtherPatternRanks) {
  Tensor data(ElementType::f32, {6}, 0);
  Tensor scalar = holding(ElementType::i32, {}, {6});
  Tensor matrix = holding(ElementType::i32, {2, 1}, {2, 3});
  EXPECT_EQ(infer(data, scalar), "rejected pattern.one-dimensional");
  EXPECT_EQ(infer(data, matrix), "rejected pattern.one-dimensional");
  dialect = "onednn-graph-dynamic-reshape-1";
  EXPECT_EQ(infer(data, scalar), "[6]");
  EXPECT_EQ(infer(data, matrix), "[2,3]");
}

TEST_F(Infer, TakesTheDefiniteShapeOfOpenPointsAndRefusesTheOthers) {
  const std::vector<std::int64_t> pattern = {0, -1};
  Tensor booleans(ElementType::boolean, {2, 3}, 0);
  EXPECT_EQ(infer(booleans, pattern), "[2,3]");
  Tensor empty(ElementType::f32, {0, 3}, 0);
  EXPECT_EQ(infer(empty, pattern), "rejected minus-one.beside-copied-zero");
  Tensor huge(ElementType::f32, {std::int64_t{1} << 62, 4}, 0);
  EXPECT_EQ(infer(huge, pattern), "rejected volume.beyond-int64");
  // Two open points: the first is named, and the second (no countable shape) makes it a refusal.
  Tensor huge_booleans(ElementType::boolean, {std::int64_t{1} << 62, 4}, 0);
  EXPECT_EQ(infer(huge_booleans, pattern), "rejected data.type-open");
}

TEST_F(Infer, RefusesTypesThatTheContractDoesNotName) {
  Tensor data(ElementType::f32, {2, 3}, 0);
  Tensor pattern = pattern_of({3, 2});
  data.form.dtype = {kDLComplex, 64, 1};
  EXPECT_EQ(infer(data, pattern), "rejected data.type");
  data.form.dtype = {kDLFloat, 32, 4};
  EXPECT_EQ(infer(data, pattern), "rejected data.type");
  data.form.dtype = dl_type_of(ElementType::f32);
  pattern.form.dtype = {kDLInt, 64, 2};
  EXPECT_EQ(infer(data, pattern), "rejected pattern.type");
}

TEST_F(Infer, RefusesNegativeSizes) {
  Tensor data(ElementType::f32, {-2, -3}, 0);
  Tensor pattern = pattern_of({6});
  EXPECT_EQ(infer(data, pattern), "rejected a tensor has a negative size");
  data.sizes = {2, 3};
  pattern.sizes = {-1};
  EXPECT_EQ(infer(data, pattern), "rejected a tensor has a negative size");
}

TEST_F(Infer, DoesNotKnowOtherDialectsOrOlderCallers) {
  Tensor data(ElementType::f32, {2, 3}, 0);
  Tensor pattern = pattern_of({3, 2});
  dialect = "openvino-reshape-2";
  EXPECT_EQ(infer(data, pattern), "unsupported");
  dialect = "openvino-reshape-1";
  reshape_request request = request_for(data, pattern);
  request.struct_size = sizeof(reshape_request) - 8;
  reshape_shape shape{8, -1, sizes.data()};
  EXPECT_EQ(table->infer_shape(&request, &shape, &why), RESHAPE_UNSUPPORTED);
}

TEST_F(Infer, NeverWritesMoreThanFits) {
  Tensor data(ElementType::f32, {6}, 0);
  capacity = 2;
  EXPECT_EQ(infer(data, {1, 2, 3}), "failed");
  capacity = 3;
  EXPECT_EQ(infer(data, {1, 2, 3}), "[1,2,3]");
}

TEST_F(Infer, CutsALongMessage) {
  Tensor data(ElementType::f32, std::vector<std::int64_t>(60, (std::int64_t{1} << 62) + 1), 0);
  EXPECT_EQ(infer(data, {7}), "rejected volume.kept");
  EXPECT_EQ(std::strlen(why.text), sizeof(why.text) - 1);
}

}  // namespace
}  // namespace reshape::reference
