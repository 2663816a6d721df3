#include <cstring>

#include "reference/plugin_caller.h"

namespace reshape::reference {
namespace {

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
    EXPECT_EQ(caller.infer(data, minus), is_signed_integer(type)    ? "[2,2,3]"
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
  // Two open points: the first is named, and the second (no countable shape) makes it a refusal.
  Tensor huge_booleans(ElementType::boolean, {std::int64_t{1} << 62, 4}, 0);
  EXPECT_EQ(caller.infer(huge_booleans, pattern), "rejected data.type-open");
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

TEST(Infer, RefusesNegativeSizes) {
  Caller caller;
  Tensor data(ElementType::f32, {-2, -3}, 0);
  Tensor pattern = pattern_of({6});
  EXPECT_EQ(caller.infer(data, pattern), "rejected a tensor has a negative size");
  data.sizes = {2, 3};
  pattern.sizes = {-1};
  EXPECT_EQ(caller.infer(data, pattern), "rejected a tensor has a negative size");
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

}  // namespace
}  // namespace reshape::reference
