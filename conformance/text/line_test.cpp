#include "conformance/text/line.h"

#include <gtest/gtest.h>

#include "conformance/text/element.h"

namespace reshape::conformance {
namespace {

Request parsed(std::string_view line, std::string_view dialect = {}) {
  const Result<Request> request = parse_line(line, dialect);
  EXPECT_TRUE(request.ok()) << line << "\n  " << (request ? "" : request.error().text());
  return request ? *request : Request{};
}

std::string error(std::string_view line, std::string_view dialect = {}) {
  const Result<Request> request = parse_line(line, dialect);
  return request ? "parsed" : request.error().text();
}

TEST(ParseLine, ReadsThePublishedExample) {
  const Request request = parsed("openvino-reshape-1 f32[2,5,5,24] i64[0,-1,4] special_zero=true");
  EXPECT_EQ(request.dialect, "openvino-reshape-1");
  EXPECT_EQ(request.data_type, ElementType::f32);
  EXPECT_EQ(request.data, (Shape{2, 5, 5, 24}));
  EXPECT_EQ(request.pattern.type, ElementType::i64);
  EXPECT_EQ(request.pattern.values, (std::vector<PatternValue>{0, -1, 4}));
  EXPECT_EQ(request.special_zero, true);
}

TEST(ParseLine, ReadsEveryWord) {
  const Request request = parsed(
      "d bf16[2,3] u8[3,2] special_zero=false pattern_shape=[1,2] strides=[-3,0] offset=3 "
      "out_strides=[4,-1] out_offset=7 payload=hard shape_only=true");
  EXPECT_EQ(request.special_zero, false);
  EXPECT_EQ(request.pattern.tensor_shape, (Shape{1, 2}));
  EXPECT_EQ(request.strides, (Strides{-3, 0}));
  EXPECT_EQ(request.offset, 3);
  EXPECT_EQ(request.out_strides, (Strides{4, -1}));
  EXPECT_EQ(request.out_offset, 7);
  EXPECT_EQ(request.payload, Payload::hard);
  EXPECT_TRUE(request.shape_only);
  EXPECT_FALSE(request.in_place);
  EXPECT_TRUE(parsed("d f32[] i64[] in_place=true").in_place);
  EXPECT_EQ(parsed("d f32[] i64[] elements=[0x7fc00001]").elements,
            (std::vector<std::uint64_t>{0x7fc00001}));
}

TEST(ParseLine, AbsentWordsAreDefaults) {
  Request expected;
  expected.dialect = "d";
  EXPECT_EQ(parsed("d f32[] i64[]"), expected);
  EXPECT_EQ(parsed("d f32[] i64[] offset=0 out_offset=0 shape_only=false in_place=false"),
            expected);
}

TEST(ParseLine, TheDefaultDialectStandsInForAnAbsentOne) {
  EXPECT_EQ(parsed("f32[2] i64[2]", "d").dialect, "d");
  EXPECT_EQ(parsed("other f32[2] i64[2]", "d").dialect, "other");
}

TEST(ParseLine, WordsComeInAnyOrderAndBlanksMayBeMany) {
  EXPECT_EQ(parsed("\t d  f32[ 2 , 3 ]\ti64[ ]  in_place=true   special_zero=true \r"),
            parsed("d f32[2,3] i64[] special_zero=true in_place=true"));
}

TEST(ParseLine, SizesAndPatternValuesReachTheEndsOfTheirTypes) {
  EXPECT_EQ(parsed("d f32[9223372036854775807] i64[1]").data[0], 9223372036854775807);
  EXPECT_EQ(parsed("d f32[1] i64[-9223372036854775808]").pattern.values[0],
            lowest(ElementType::i64));
  EXPECT_EQ(parsed("d f32[1] u64[18446744073709551615]").pattern.values[0],
            highest(ElementType::u64));
  EXPECT_EQ(parsed("d f32[1] f32[18446744073709551615,-9223372036854775808]").pattern.values[0],
            highest(ElementType::u64));
  EXPECT_EQ(parsed("d f32[1] boolean[-1]").pattern.values[0], -1);
  EXPECT_EQ(error("d f32[9223372036854775808] i64[1]"),
            "column 7: a size is 0 to 9223372036854775807, not 9223372036854775808");
  EXPECT_EQ(error("d f32[1] i64[9223372036854775808]"),
            "column 14: 9223372036854775808 does not fit i64");
  EXPECT_EQ(error("d f32[1] u64[18446744073709551616]"),
            "column 14: 18446744073709551616 does not fit u64");
  EXPECT_EQ(error("d f32[1] u64[-1]"), "column 14: -1 does not fit u64");
  EXPECT_EQ(error("d f32[2,5,5] i8[2,300]"), "column 19: 300 does not fit i8");
  EXPECT_EQ(error("d f32[1] f32[" + std::string(70, '9') + "]"),
            "column 14: " + std::string(40, '9') + "... does not fit f32");
}

TEST(ParseLine, ElementsAreIntegersOrBitPatterns) {
  EXPECT_EQ(parsed("d i8[4] i64[4] elements=[-128,-1,0xff,127]").elements,
            (std::vector<std::uint64_t>{0x80, 0xff, 0xff, 0x7f}));
  EXPECT_EQ(parsed("d u64[1] i64[1] elements=[18446744073709551615]").elements,
            (std::vector<std::uint64_t>{~std::uint64_t{0}}));
  EXPECT_EQ(parsed("d f16[2] i64[2] elements=[0x3c00,15360]").elements,
            (std::vector<std::uint64_t>{0x3c00, 0x3c00}));
  EXPECT_EQ(print_line(parsed("d i4[3] i64[3] elements=[-8,0xf,7]")),
            "d i4[3] i64[3] elements=[-8,-1,7]");
  EXPECT_EQ(print_line(parsed("d f8e4m3[2] i64[2] elements=[7,0x80]")),
            "d f8e4m3[2] i64[2] elements=[0x07,0x80]");
  EXPECT_EQ(error("d i8[1] i64[1] elements=[128]"), "column 26: 128 does not fit i8");
  EXPECT_EQ(error("d f16[1] i64[1] elements=[0x10000]"), "column 27: 0x10000 does not fit f16");
  EXPECT_EQ(error("d f16[1] i64[1] elements=[-1]"), "column 27: -1 does not fit f16");
  EXPECT_EQ(error("d boolean[1] i64[1] elements=[2]"), "column 31: 2 does not fit boolean");
  EXPECT_EQ(error("d f32[2] i64[2] elements=[0]"), "column 26: 1 element for data of shape [2]");
}

// What is longer could be sent to no process.
TEST(ParseLine, RefusesMoreSizesThanCanBeAsked) {
  std::string sizes = "1";
  while (sizes.size() < 2 * kMostSizes - 1) sizes += ",1";
  EXPECT_EQ(parsed("d f32[" + sizes + "] i64[" + sizes + "]").data.rank(), kMostSizes);
  EXPECT_EQ(error("d f32[1,1," + sizes + "] i64[1]"),
            "column 131080: more than 65536 numbers are not asked");
  EXPECT_EQ(error("d f32[1] i64[1," + sizes + "]").substr(13),
            ": more than 65536 numbers are not asked");
}

TEST(ParseLine, ErrorsNameTheColumn) {
  EXPECT_EQ(error(""),
            "column 1: the dialect is missing, as in openvino-reshape-1 f32[2,3] i64[6]");
  EXPECT_EQ(error("f32[2] i64[2]"),
            "column 1: the dialect is missing, as in openvino-reshape-1 f32[2,3] i64[6]");
  EXPECT_EQ(error("d"), "column 2: expected the data, as in f32[2,3], not the end of the line");
  EXPECT_EQ(error("d f32"), "column 3: expected the data, as in f32[2,3], not \"f32\"");
  EXPECT_EQ(error("d f33[2]"), "column 3: unknown element type \"f33\"");
  EXPECT_EQ(error("d f32[2"), "column 8: expected , or ], not the end of the line");
  EXPECT_EQ(error("d f32[2,"), "column 9: expected a size or ]");
  EXPECT_EQ(error("d f32[2,]"), "column 9: expected a size, not \"]\"");
  EXPECT_EQ(error("d f32[-1] i64[1]"), "column 7: a size is 0 to 9223372036854775807, not -1");
  EXPECT_EQ(error("d f32[0x2] i64[1]"), "column 7: expected a size, not \"0x2\"");
  EXPECT_EQ(error("d f32[2]"),
            "column 9: expected the pattern, as in i64[0,-1], not the end of the line");
  EXPECT_EQ(error("d f32[2]i64[2]"),
            "column 9: expected a blank and the pattern, as in i64[0,-1], not \"i64\"");
  EXPECT_EQ(error("d f32[2] i64[2]x"), "column 16: expected a blank, not \"x\"");
  EXPECT_EQ(error("d f32[2] i64[2] special_zero"),
            "column 29: expected = after special_zero, not the end of the line");
  EXPECT_EQ(error("d f32[2] i64[2] special_zero=1"),
            "column 30: special_zero is true or false, not \"1\"");
  EXPECT_EQ(error("d f32[2] i64[2] payload=noise"),
            "column 25: payload is distinct, hard or zeros, not \"noise\"");
  EXPECT_EQ(error("d f32[2] i64[2] offset=-1"),
            "column 24: an offset is 0 to 9223372036854775807, not -1");
  EXPECT_EQ(error("d f32[2] i64[2] in_place=true in_place=true"),
            "column 31: in_place is given twice");
  std::string known = "special_zero";
  for (const std::string_view word : kRequestWords) known.append(" ").append(word);
  EXPECT_EQ(error("d f32[2] i64[2] zero=true"),
            "column 17: unknown word \"zero\"; known: " + known);
  EXPECT_EQ(error("d f32[2] i64[2] \x01\xff"),
            "column 17: unknown word \"\\x01\\xff\"; known: special_zero pattern_shape strides "
            "offset out_strides out_offset payload elements shape_only in_place");
}

TEST(ParseLine, WordsMustFitEachOther) {
  EXPECT_EQ(error("d f32[2,3] i64[6] strides=[1]"), "column 27: 1 stride for data of rank 2");
  EXPECT_EQ(error("d f32[2,3] i64[6] out_strides=[1,1]"),
            "column 31: 2 strides for an output of rank 1");
  EXPECT_EQ(error("d f32[2,3] i64[6] strides=[-3,1] offset=2"),
            "column 27: the strides reach elements before the start of the buffer");
  EXPECT_EQ(error("d f32[3,3] i64[9] strides=[4611686018427387904,1]"),
            "column 27: the strides reach beyond 2^63-1 elements");
  EXPECT_EQ(error("d f32[9] i64[9] strides=[-9223372036854775808]"),
            "column 25: the strides reach elements before the start of the buffer");
  EXPECT_EQ(error("d f32[0,9] i64[0] strides=[-1,-1]"), "parsed");  // touches nothing
  EXPECT_EQ(error("d f32[2] i64[2] pattern_shape=[2,2]"),
            "column 31: a pattern tensor of shape [2,2] does not hold 1 value");
  EXPECT_EQ(error("d f32[2] i64[2] pattern_shape=[]"), "parsed");
  EXPECT_EQ(error("d i4[2] i64[2] offset=1"),
            "column 23: an offset of 4-bit elements is even, so that it starts a whole byte");
  EXPECT_EQ(error("d u4[2] i64[2] out_offset=3"),
            "column 27: an offset of 4-bit elements is even, so that it starts a whole byte");
  EXPECT_EQ(error("d u8[1] i64[1] elements=[1] payload=hard"),
            "column 37: a payload is not given beside written-out elements");
  EXPECT_EQ(error("d u8[1] i64[1] strides=[1] in_place=true"),
            "column 37: in place is for dense tensors: strides are not given beside it");
}

TEST(PrintLine, IsCanonical) {
  EXPECT_EQ(print_line(parsed("  d i32[ 02 ] u8[ 002,1 ] out_offset=2 shape_only=true offset=4 "
                              "payload=zeros out_strides=[2,1] strides=[1] special_zero=false "
                              "pattern_shape=[2,1]")),
            "d i32[2] u8[2,1] special_zero=false pattern_shape=[2,1] strides=[1] offset=4 "
            "out_strides=[2,1] out_offset=2 payload=zeros shape_only=true");
  EXPECT_EQ(print_line(parsed("d f32[] i64[-0] in_place=true")), "d f32[] i64[0] in_place=true");
}

TEST(ParseElement, SaysWhatItExpected) {
  EXPECT_EQ(*parse_element(ElementType::f32, "0x3f800000"), 0x3f800000u);
  EXPECT_EQ(parse_element(ElementType::f32, "1.5").error().text(),
            "expected an element (a decimal integer or a bit pattern like 0x3f80), not \"1.5\"");
  EXPECT_EQ(parse_element(ElementType::u8, "256").error().text(), "256 does not fit u8");
}

}  // namespace
}  // namespace reshape::conformance
