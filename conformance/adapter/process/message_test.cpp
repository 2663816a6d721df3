#include "conformance/adapter/process/message.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "conformance/adapter/examine/growth_suspicions.h"
#include "conformance/adapter/process/channel.h"

namespace reshape::conformance {
namespace {

Outcome full() {
  Outcome outcome;
  outcome.kind = Outcome::Kind::produced;
  outcome.shape = {2, 0, 9223372036854775807};
  outcome.message = "words, \xc3\xa4 too";
  outcome.during = "inference";
  outcome.cut_short = true;
  outcome.observations = {{CaughtBy::locale, Plane::memory, Duty::C14, "changed"}};
  Execution one;
  one.probe = {Probe::Ask::overlap,   Payload::hard, 3,    -7,  1, 0x5a,
               Probe::Placement::odd, true,          true, true};
  one.status = Status::unsupported;
  one.message = "no";
  one.elements = {std::byte{1}, std::byte{0}, std::byte{255}};
  one.observations = {{CaughtBy::canaries, Plane::bytes, Duty::C7, "saw"},
                      {CaughtBy::view, Plane::shape, Duty::C12, ""}};
  outcome.executions = {one, {}, one};
  outcome.executions[2].elements = {std::byte{7}};
  return outcome;
}

bool same(const Observation& a, const Observation& b) {
  return a.watch == b.watch && a.plane == b.plane && a.duty == b.duty && a.saw == b.saw;
}
bool same(const std::vector<Observation>& a, const std::vector<Observation>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Observation& x, const Observation& y) { return same(x, y); });
}

void expect_same(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.during, b.during);
  EXPECT_EQ(a.cut_short, b.cut_short);
  EXPECT_TRUE(same(a.observations, b.observations));
  ASSERT_EQ(a.executions.size(), b.executions.size());
  for (std::size_t i = 0; i < a.executions.size(); ++i) {
    EXPECT_EQ(a.executions[i].probe, b.executions[i].probe);
    EXPECT_EQ(a.executions[i].status, b.executions[i].status);
    EXPECT_EQ(a.executions[i].message, b.executions[i].message);
    EXPECT_EQ(a.executions[i].elements, b.executions[i].elements);
    EXPECT_TRUE(same(a.executions[i].observations, b.executions[i].observations));
  }
}

TEST(Message, AnAnswerArrivesAsItWasSent) {
  for (Answer answer : {Answer::interim, Answer::last}) {
    const auto read = decode_answer(encode_answer(full(), answer));
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->answer, answer);
    expect_same(read->outcome, full());
  }
  const auto plain = decode_answer(encode_answer({}, Answer::last));
  ASSERT_TRUE(plain);
  expect_same(plain->outcome, {});
}

TEST(Message, AGreetingArrivesAsItWasSent) {
  Capabilities can;
  can.name = "mine";
  can.version = "2";
  can.dialects = {"a", "b"};
  can.element_types = ElementTypes::all();
  can.pattern_types = {ElementType::i64};
  can.max_rank = 7;
  can.alignment = 64;
  can.strided_input = can.negative_strides = can.views = can.shape_only = true;
  const auto read = decode_greeting(encode_greeting(can));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "mine");
  EXPECT_EQ(read->version, "2");
  EXPECT_EQ(read->dialects, can.dialects);
  EXPECT_EQ(read->element_types, can.element_types);
  EXPECT_EQ(read->pattern_types, can.pattern_types);
  EXPECT_EQ(read->max_rank, 7);
  EXPECT_EQ(read->alignment, 64);
  EXPECT_TRUE(read->strided_input && read->negative_strides && read->views && read->shape_only);
  EXPECT_FALSE(read->strided_output || read->in_place || read->starts_threads);

  const auto error = decode_greeting(encode_greeting(Error{"no symbol", "libmine.so"}));
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().text(), "libmine.so: no symbol");
}

// A leak at any site is asked for again in a process of its own.
TEST(Message, EverySiteArrives) {
  for (int ask = 0; ask <= static_cast<int>(Probe::kLastAsk); ++ask) {
    const Sites site = site_of(static_cast<Probe::Ask>(ask));
    HostCommand command;
    command.lines = {"f32[2] i64[2]"};
    command.lasting = site;
    const auto read = decode_command(encode_command(command));
    ASSERT_TRUE(read) << ask << ": " << read.error().text();
    EXPECT_EQ(read->lasting, site);
  }
}

TEST(Message, AQuestionArrivesAsItWasSent) {
  const std::string line = "openvino-reshape-1 f32[2] i64[2] special_zero=true";
  const HostCommand asked = {{line, "", line}, 3, true, 7, true, true, 5, Hardship::first_calls};
  const auto read = decode_command(encode_command(asked));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->lines, asked.lines);
  EXPECT_TRUE(read->times == 3 && read->milliseconds == 7 && read->reload && read->lasting == 5);
  EXPECT_TRUE(read->in_turn && read->sweep);
  EXPECT_EQ(read->hardship, Hardship::first_calls);
  EXPECT_FALSE(decode_command(encode_command({.lines = {line}}))->hardship);
}

TEST(Message, WhateverTheBytesAreReadingEnds) {
  const std::string whole = encode_answer(full(), Answer::last);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(decode_answer(std::string_view(whole).substr(0, size))) << size;
  }
  EXPECT_FALSE(decode_answer(whole + "x"));
  std::mt19937 random(20240601);
  int read = 0;
  for (int turn = 0; turn < 20'000; ++turn) {
    std::string bytes = whole;
    for (int change = 0; change < 3; ++change) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (const auto answer = decode_answer(bytes)) ++read;
    static_cast<void>(decode_greeting(bytes));
    static_cast<void>(decode_command(bytes));
  }
  EXPECT_GT(read, 0);  // a changed text is still a text
}

TEST(Message, DeepNestingDoesNotExhaustTheStack) {
  std::string bytes(2'000'004, '\x81');
  const std::uint32_t size = 2'000'000;
  std::memcpy(bytes.data(), &size, sizeof size);
  EXPECT_FALSE(decode_answer(bytes));
}

TEST(Message, NumbersOutOfRangeAreRefused) {
  Outcome outcome = full();
  outcome.executions[0].probe.round = 65;
  EXPECT_EQ(decode_answer(encode_answer(outcome, Answer::last)).error().text(),
            "a message in which 'executions' is wrong");
  outcome = full();
  outcome.kind = static_cast<Outcome::Kind>(7);
  EXPECT_EQ(decode_answer(encode_answer(outcome, Answer::last)).error().text(),
            "a message in which 'kind' is wrong");
}

// --- frames -------------------------------------------------------------------------------------

TEST(Frames, AreTakenOutOfAnyPieces) {
  const std::string stream = frame_head(7, 5) + "hello" + frame_head(8, 0) + frame_head(9, 1) + "x";
  for (std::size_t piece : {1u, 2u, 5u, 100u}) {
    FrameReader reader;
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      reader.take(std::string_view(stream).substr(at, piece));
      while (auto frame = reader.next()) frames.push_back(*frame);
    }
    ASSERT_EQ(frames.size(), 3u);
    EXPECT_EQ(frames[0].bytes, "hello");
    EXPECT_EQ(frames[0].number, 7u);
    EXPECT_EQ(frames[1].bytes, "");
    EXPECT_EQ(frames[2].bytes, "x");
    EXPECT_FALSE(reader.garbled());
  }
}

TEST(Frames, WhatIsNoFrameIsGarbled) {
  const std::pair<std::string, int> streams[] = {
      {"g", 0},  // it shows with the first byte
      {frame_head(1, 2) + "okgarbage", 1},
      {frame_head(1, kLargestFrame + 1), 0},
  };
  for (const auto& [stream, frames] : streams) {
    FrameReader reader;
    reader.take(stream);
    for (int frame = 0; frame < frames; ++frame) EXPECT_TRUE(reader.next());
    EXPECT_FALSE(reader.next()) << stream;
    EXPECT_TRUE(reader.garbled()) << stream;
  }
}

// It shows with the head, before any of what it announces is kept.
TEST(Frames, WhatIsNotExpectedIsGarbled) {
  for (const std::string& head : {frame_head(2, 3), frame_head(1, 101)}) {
    FrameReader reader;
    reader.expect(1, 100);
    reader.take(frame_head(1, 2) + "ok" + head);
    ASSERT_TRUE(reader.next());
    EXPECT_TRUE(reader.whole());
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.garbled());
  }
}

}  // namespace
}  // namespace reshape::conformance
