#include <gtest/gtest.h>

#include "conformance/adapter/contract/plugin_library.h"

namespace reshape::conformance {
namespace {

reshape_status infer(const reshape_request*, reshape_shape*, reshape_message*) {
  return RESHAPE_REJECTED;
}
reshape_status write(const reshape_request*, DLTensor*, reshape_message*) {
  return RESHAPE_REJECTED;
}

reshape_plugin right() {
  reshape_plugin table = {};
  table.abi_version = RESHAPE_ABI_VERSION;
  table.struct_size = sizeof table;
  table.description.name = "mine";
  table.description.version = "1.0";
  table.description.dialects = "openvino-reshape-1  own-dialect ";
  table.description.element_types = "f32 f16 i4";
  table.infer_shape = infer;
  table.execute = write;
  return table;
}

std::string says(const reshape_plugin& table) {
  const Result<Capabilities> checked = check_table(&table, "libmine.so");
  return checked ? "right" : checked.error().text();
}

TEST(CheckTable, ARightOneIsRead) {
  reshape_plugin table = right();
  table.description.max_rank = 5;
  table.description.alignment = 64;
  table.description.pattern_types = "i32 u8";
  table.description.capabilities = RESHAPE_STRIDED_INPUT | RESHAPE_STARTS_THREADS;
  const Result<Capabilities> can = check_table(&table, "libmine.so");
  ASSERT_TRUE(can);
  EXPECT_EQ(can->name, "mine");
  EXPECT_EQ(can->version, "1.0");
  EXPECT_EQ(can->dialects, (std::vector<std::string>{"openvino-reshape-1", "own-dialect"}));
  EXPECT_EQ(can->element_types.text(), "f32 f16 i4");
  EXPECT_EQ(can->pattern_types.text(), "i32 u8");
  EXPECT_EQ(can->max_rank, 5);
  EXPECT_EQ(can->alignment, 64);
  EXPECT_TRUE(can->strided_input);
  EXPECT_TRUE(can->starts_threads);
  EXPECT_FALSE(can->strided_output || can->negative_strides || can->in_place || can->views ||
               can->shape_only);
}

TEST(CheckTable, PatternTypesAreI64WhenNotGiven) {
  const reshape_plugin table = right();
  EXPECT_EQ(check_table(&table, "x")->pattern_types.text(), "i64");
}

TEST(CheckTable, WhatALibraryTakesBackIsRead) {
  reshape_plugin table = right();
  table.max_elements = 1 << 20;
  table.max_size = 5000;
  table.view = write;
  table.description.capabilities = RESHAPE_VIEWS | RESHAPE_NO_OVERLAPPING_STRIDES |
                                   RESHAPE_PATTERN_IS_LIST | RESHAPE_SOME_VIEWS | RESHAPE_OVERLAP;
  const Result<Capabilities> can = check_table(&table, "libmine.so");
  ASSERT_TRUE(can);
  EXPECT_EQ(can->max_elements, 1 << 20);
  EXPECT_EQ(can->max_size, 5000);
  EXPECT_TRUE(can->no_overlapping_strides && can->pattern_is_list && can->some_views &&
              can->overlap);
  EXPECT_TRUE(can->checks_output);
}

// A table of 1.0 ends before the new members, which must not be read.
TEST(CheckTable, ATableOfTheFirstVersionIsReadAsBefore) {
  reshape_plugin table = right();
  table.struct_size = RESHAPE_PLUGIN_SIZE_1_0;
  table.cannot_start = "not its own";
  table.max_elements = -1;
  const Result<Capabilities> can = check_table(&table, "libmine.so");
  ASSERT_TRUE(can);
  EXPECT_EQ(can->max_elements, 0);
  EXPECT_FALSE(can->checks_output);
}

TEST(CheckTable, ALaterTableMayBeLonger) {
  reshape_plugin table = right();
  table.struct_size += 8;
  EXPECT_EQ(says(table), "right");
}

struct Mistake {
  const char* says;
  void (*make)(reshape_plugin&);
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.says; }
class Mistaken : public testing::TestWithParam<Mistake> {};
TEST_P(Mistaken, IsToldInOneSentence) {
  reshape_plugin table = right();
  ASSERT_EQ(says(table), "right");
  GetParam().make(table);
  EXPECT_EQ(says(table), std::string("libmine.so: ") + GetParam().says);
}

using Table = reshape_plugin&;
INSTANTIATE_TEST_SUITE_P(
    Tables, Mistaken,
    testing::Values(
        Mistake{"its table has version 2, this program speaks version 1",
                [](Table table) { table.abi_version = 2; }},
        Mistake{"its table has no infer_shape", [](Table table) { table.infer_shape = nullptr; }},
        Mistake{"its table has no execute and does not declare RESHAPE_SHAPE_ONLY",
                [](Table table) { table.execute = nullptr; }},
        Mistake{"it declares RESHAPE_SHAPE_ONLY, and its table has an execute",
                [](Table table) { table.description.capabilities = RESHAPE_SHAPE_ONLY; }},
        Mistake{"it declares RESHAPE_VIEWS, and its table has no view",
                [](Table table) { table.description.capabilities = RESHAPE_VIEWS; }},
        Mistake{"its table has a view, and it does not declare RESHAPE_VIEWS",
                [](Table table) { table.view = write; }},
        Mistake{"it declares RESHAPE_NEGATIVE_STRIDES without strided input or output",
                [](Table table) { table.description.capabilities = RESHAPE_NEGATIVE_STRIDES; }},
        Mistake{"it declares RESHAPE_SHAPE_ONLY together with in place, overlap or views",
                [](Table table) {
                  table.execute = nullptr;
                  table.description.capabilities = RESHAPE_SHAPE_ONLY | RESHAPE_IN_PLACE;
                }},
        Mistake{"its description sets capability bits that this version does not have",
                [](Table table) { table.description.capabilities = 1u << 31; }},
        Mistake{"its description has no name", [](Table table) { table.description.name = ""; }},
        Mistake{"its description has no name",
                [](Table table) { table.description.name = " \t "; }},
        Mistake{"its description has no version",
                [](Table table) { table.description.version = nullptr; }},
        Mistake{"its description has no dialects",
                [](Table table) { table.description.dialects = nullptr; }},
        Mistake{"its description names no dialect",
                [](Table table) { table.description.dialects = "  "; }},
        Mistake{"its description names 5000 dialects, more than 4096",
                [](Table table) {
                  static const std::string many = [] {
                    std::string names;
                    for (int one = 0; one < 5000; ++one) names += "one ";
                    return names;
                  }();
                  table.description.dialects = many.c_str();
                }},
        Mistake{"its description has no element_types",
                [](Table table) { table.description.element_types = nullptr; }},
        Mistake{"its description names no element type",
                [](Table table) { table.description.element_types = ""; }},
        Mistake{"its element_types hold the unknown word 'float32'",
                [](Table table) { table.description.element_types = "f32 float32"; }},
        Mistake{"its pattern_types hold the unknown word 'int'",
                [](Table table) { table.description.pattern_types = "int"; }},
        Mistake{"its pattern_types hold 'f32', which is no integer type",
                [](Table table) { table.description.pattern_types = "i64 f32"; }},
        Mistake{"its description names no pattern type",
                [](Table table) { table.description.pattern_types = ""; }},
        Mistake{"it declares RESHAPE_SOME_VIEWS without RESHAPE_VIEWS",
                [](Table table) { table.description.capabilities = RESHAPE_SOME_VIEWS; }},
        Mistake{"it says that it cannot start: no device was found",
                [](Table table) { table.cannot_start = "no device was found"; }},
        Mistake{"it says that it cannot start, and not why",
                [](Table table) { table.cannot_start = ""; }},
        Mistake{"its max_elements is -1", [](Table table) { table.max_elements = -1; }},
        Mistake{"its max_size is -7", [](Table table) { table.max_size = -7; }},
        Mistake{"its max_rank is -1", [](Table table) { table.description.max_rank = -1; }},
        Mistake{"its alignment is 3, not a power of two up to 4096",
                [](Table table) { table.description.alignment = 3; }},
        Mistake{"its alignment is 8192, not a power of two up to 4096",
                [](Table table) { table.description.alignment = 8192; }}));

TEST(CheckTable, AShorterTableIsRefused) {
  reshape_plugin table = right();
  table.struct_size = 8;
  EXPECT_EQ(says(table), "libmine.so: its table says struct_size 8, less than the " +
                             std::to_string(RESHAPE_PLUGIN_SIZE_1_0) + " of version 1");
}

TEST(CheckTable, NoTableAtAll) {
  EXPECT_EQ(check_table(nullptr, "libmine.so").error().text(),
            "libmine.so: reshape_plugin_entry returned no table");
}

}  // namespace
}  // namespace reshape::conformance
