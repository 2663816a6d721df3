#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "conformance/model/request.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/aim.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "fuzz/input/askable.h"
#include "fuzz/input/decode.h"
#include "fuzz/input/mutate.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::fuzz {
namespace {

using conformance::parse_line;
using conformance::print_line;
using conformance::Request;
using Raw = std::vector<std::uint8_t>;

// Every decoded request must have a line that parses to the same request.
void expect_askable(const Request& request) {
  const std::string line = print_line(request);
  const Result<Request> read = parse_line(line);
  ASSERT_TRUE(read.ok()) << line << '\n' << read.error().text();
  EXPECT_EQ(*read, request) << line;
  Request again = request;
  make_askable(again);
  EXPECT_EQ(again, request) << line << '\n' << print_line(again);
  if (!request.shape_only) {
    EXPECT_LE(conformance::data_bytes(request).value_or(kMostBytes + 1), kMostBytes) << line;
  }
}

void expect_same_bytes_back(const Request& request) {
  const std::optional<Raw> bytes = encode(request);
  ASSERT_TRUE(bytes) << print_line(request);
  EXPECT_EQ(bytes->front(), kPacked);
  EXPECT_EQ(decode(*bytes), request) << print_line(request);
}

RC_GTEST_PROP(Decode, TakesAnyBytes, (const Raw& bytes)) {
  const Request request = decode(bytes);
  expect_askable(request);
  expect_same_bytes_back(request);
  RC_ASSERT(decode(bytes) == request);
}

RC_GTEST_PROP(Decode, TakesAnyPackedFields, (Raw bytes)) {
  bytes.insert(bytes.begin(), kPacked);
  const Request request = decode(bytes);
  expect_askable(request);
  expect_same_bytes_back(request);
}

RC_GTEST_PROP(Decode, LeavesNothingOfTheRequestBefore, (Raw bytes, const Raw& before)) {
  if (bytes.empty()) bytes.push_back(kPacked);
  bytes.front() = kPacked;
  Request reused = decode(before);
  decode(bytes, reused);
  RC_ASSERT(reused == decode(bytes));
}

// Draws the number of bits first, so that the smallest and largest numbers of each length occur.
RC_GTEST_PROP(FieldWriter, WritesNumbersThatReadBack, (std::uint64_t bits, bool negative)) {
  const auto width = *rc::gen::inRange(0, 65);
  const std::uint64_t magnitude = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  const PatternValue number = negative ? -1 - static_cast<PatternValue>(magnitude >> 1)
                                       : static_cast<PatternValue>(magnitude);
  Raw room(16);
  FieldWriter writer(room);
  writer.number(number);
  RC_ASSERT(!writer.truncated());
  RC_ASSERT(FieldReader(room).number() == number);
}

TEST(FieldWriter, WritesEveryBorderInOneByte) {
  for (const PatternValue border : borders()) {
    Raw room(16);
    FieldWriter writer(room);
    writer.number(border);
    EXPECT_EQ(writer.size(), 1u);
    EXPECT_EQ(FieldReader(room).number(), border);
  }
}

// The first two bytes behind the version are the dialect's number, short_hash of its name.
Raw openvino_bytes() { return {'Q', 0xee, 0x20, 3, 0, 1, 6, 2, 3, 4, 2, 0, 0xc0}; }

// The encoding must never change: stored corpora depend on it.
TEST(Decode, KeepsItsMeaning) {
  EXPECT_EQ(print_line(decode(openvino_bytes())),
            "openvino-reshape-1 f32[3,4] i64[0,-1] special_zero=true");
  const Raw layouts = {'Q', 0x15, 0x71, 13, 5, 8, 11, 2, 2, 3, 2, 3, 2, 1, 1, 2, 6, 3};
  EXPECT_EQ(print_line(decode(layouts)),
            "onednn-graph-reshape-1 i16[2,3] u64[3,2] special_zero=false strides=[1,2] offset=1 "
            "out_strides=[6,3] payload=distinct");
  EXPECT_EQ(print_line(decode(Raw{})), print_line(decode(Raw{'D'})));
}

TEST(Encode, HasBytesForNearlyEveryCaseOfTheSuite) {
  int all = 0;
  int encoded = 0;
  for (const conformance::Document& document : conformance::built_in_suite().documents) {
    for (const conformance::Case& one : document.cases) {
      ++all;
      const std::optional<Raw> bytes = encode(one.request);
      if (!bytes) continue;
      ++encoded;
      ASSERT_EQ(decode(*bytes), one.request) << one.id;
    }
  }
  // The tensors of the other cases are larger than kMostBytes.
  EXPECT_GT(encoded, all * 9 / 10) << encoded << " of " << all;
}

TEST(Encode, HasNoBytesForAnUnknownDialect) {
  Request request = decode(Raw{kPacked});
  request.dialect = "no-such-dialect";
  EXPECT_FALSE(encode(request));
}

// Generated requests can have more axes than the encoding allows.
TEST(Askable, HasNoMoreAxesThanHaveBytes) {
  Request request = decode(openvino_bytes());
  request.data = Shape(std::vector<std::int64_t>(kMostAxes + 2, 1));
  request.strides = Strides(kMostAxes + 2, 1);
  make_askable(request);
  EXPECT_EQ(request.data.rank(), kMostAxes);
  expect_same_bytes_back(request);
}

// All classes of answers of all dialects, which mutation has to reach.
std::set<std::string> every_class() {
  std::set<std::string> all;
  for (const Dialect& dialect : declared_dialects()) {
    for (const conformance::Aim& aim : conformance::aims_of(dialect)) {
      all.insert(dialect.name + ' ' + text(aim));
    }
  }
  return all;
}

// Mutants stay askable, and a fuzzer that only mutates meets every class of answer.
TEST(Mutate, StaysAskableAndMeetsEveryClass) {
  constexpr int kMostRounds = 4'000'000;
  QuickChoices choices(5);
  std::set<std::string> not_met = every_class();
  Request request = decode(openvino_bytes());
  Request other = request;
  for (int round = 0; round < kMostRounds && !not_met.empty(); ++round) {
    mutate(request, choices);
    if (round % 64 == 0) {
      expect_askable(request);
      expect_same_bytes_back(request);
    }
    const Dialect& dialect = *declared_dialect(request.dialect);
    not_met.erase(request.dialect + ' ' +
                  text(conformance::aim_of(conformance::ruling_of(dialect, request))));
    if (round % 50 == 0) {
      cross_over(request, other, choices);
      expect_askable(request);
      std::swap(request, other);
    }
  }
  EXPECT_EQ(not_met, std::set<std::string>{});
}

}  // namespace
}  // namespace reshape::fuzz
