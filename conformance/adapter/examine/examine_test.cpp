// The examiner, in a host process and in this process: it accepts a right library, and sees each
// misbehaviour by its own watch.
#include "conformance/adapter/examine/examine.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "conformance/adapter/memory/sanitizers.h"
#include "conformance/adapter/memory/tensor_image.h"
#include "conformance/adapter/testing/asking.h"
#include "conformance/model/another_shape.h"
#include "conformance/model/payload.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {
using namespace testing_adapter;

constexpr auto kAsk = [](const Execution& one) { return one.probe.ask; };

// --- right --------------------------------------------------------------------------------------

class Right : public testing::TestWithParam<const char*> {};

TEST_P(Right, IsSeenAsRight) {
  for (bool in_process : {true, false}) {
    const auto adapter = start(in_process);
    for (const char* dialect : {"right", "right-again"}) {
      const Request asked = request(dialect, GetParam());
      const Outcome outcome = adapter->ask(asked);
      ASSERT_EQ(outcome.kind, Outcome::Kind::produced) << words(outcome);
      EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
      EXPECT_FALSE(outcome.executions.empty());
      for (const Execution& execution : outcome.executions) {
        const Probe& probe = execution.probe;
        const bool copy_needed = probe.asks_view() && asked.strides;
        EXPECT_EQ(execution.status, copy_needed                  ? Status::unsupported
                                    : probe.asks_another_shape() ? Status::rejected
                                                                 : Status::ok)
            << text(probe);
      }
    }
  }
}

constexpr std::int64_t kSpelledOut = 16 << 10;  // bytes of right elements

TEST_P(Right, ElementsAreThePayload) {
  const auto adapter = start(true);
  const Request asked = request("right", GetParam());
  const Outcome outcome = adapter->ask(asked);
  int compared = 0;
  for (const Execution& execution : outcome.executions) {
    if (execution.status != Status::ok) continue;
    const std::int64_t count = *element_count(asked.data);
    const std::int64_t bytes = bytes_for(asked.data_type, count);
    ASSERT_EQ(execution.as_placed, bytes > kSpelledOut && !asked.elements);
    if (execution.as_placed) {
      EXPECT_TRUE(execution.elements.empty());
      ++compared;
      continue;
    }
    ASSERT_EQ(static_cast<std::int64_t>(execution.elements.size()), bytes) << text(execution.probe);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t right =
          asked.elements
              ? (*asked.elements)[static_cast<std::size_t>(i)]
              : payload_bits(execution.probe.payload, asked.data_type, i, execution.probe.round);
      ASSERT_EQ(load_element(asked.data_type, execution.elements.data(), i), right)
          << i << " " << text(execution.probe);
      ++compared;
    }
  }
  EXPECT_TRUE(compared > 0 || is_empty(asked.data));
}

INSTANTIATE_TEST_SUITE_P(Requests, Right,
                         testing::Values("f32[2,3] i64[3,-1]", "f64[4] i64[2,2]", "u8[3,5] i64[15]",
                                         "i4[3,3] i64[9]", "i4[4] i64[2,2] offset=2 out_offset=2",
                                         "f32[] i64[]", "f32[1] i64[]", "f32[0,3] i64[3,0]",
                                         "f16[7] i64[7,1]", "f32[2,3] i64[6] strides=[5,1]",
                                         "f32[2,3] i64[6] strides=[-3,-1] offset=5",
                                         "f32[2,3] i64[3,2] out_strides=[4,2] out_offset=3",
                                         "i4[2,3] i64[3,2] out_strides=[3,1] out_offset=2",
                                         "u8[2,3] i64[3,2] out_strides=[-2,1] out_offset=4",
                                         "f32[2,3] i64[6] in_place=true",
                                         "f32[2,3] i64[6] payload=hard",
                                         "u8[2] i64[2] elements=[7,9]", "u8[70000] i64[-1,7]",
                                         "boolean[40] i64[8,5]", "f32[1000,100] i64[-1]"));

// Of many elements an answer says only that they are right; it spells out those that are not.
TEST(Examine, ManyWrongElementsAreSpelledOut) {
  const auto adapter = start(true);
  for (const char* rest : {"u8[70000] i64[-1,7]", "f32[100,100] i64[-1]", "i4[50001] i64[-1]",
                           "u8[70000] i64[7,10000] out_strides=[10003,1]"}) {
    const Outcome outcome = adapter->ask(request("wrong-last-byte", rest));
    ASSERT_EQ(outcome.kind, Outcome::Kind::produced) << rest;
    for (const Execution& execution : outcome.executions) {
      const bool is_refused = execution.probe.asks_another_shape();
      if (is_refused || execution.probe.ask == Probe::Ask::view) continue;
      EXPECT_FALSE(execution.as_placed) << rest << ' ' << text(execution.probe);
      EXPECT_GT(static_cast<std::int64_t>(execution.elements.size()), kSpelledOut) << rest;
    }
  }
  const Outcome outcome = adapter->ask(request("view-repeats-the-first", "u8[70000] i64[-1,7]"));
  int views = 0;
  for (const Execution& execution : outcome.executions) {
    if (execution.probe.ask != Probe::Ask::view) continue;
    ++views;
    EXPECT_FALSE(execution.as_placed) << text(execution.probe);
    EXPECT_EQ(execution.elements.size(), 70'000u);
    EXPECT_EQ(execution.message, "view set the strides [0,0]");
  }
  EXPECT_GT(views, 0);
}

TEST(Examine, BroadcastDataHoldsThePayloadOfTheFirst) {
  const auto adapter = start(true);
  const Outcome outcome = adapter->ask(request("right", "u8[2,2] i64[4] strides=[0,1]"));
  ASSERT_EQ(outcome.kind, Outcome::Kind::produced);
  const Execution& first = outcome.executions.front();
  ASSERT_EQ(first.elements.size(), 4u);
  EXPECT_EQ(first.elements[0], first.elements[2]);
  EXPECT_EQ(first.elements[1], first.elements[3]);
  EXPECT_EQ(std::to_integer<unsigned>(first.elements[1]),
            payload_bits(Payload::distinct, ElementType::u8, 1, 0));
}

TEST(Examine, AProcessOfItsOwnIsFoundAsTheLastRequestLeftIt) {
  const Result<std::unique_ptr<PluginLibrary>> library = PluginLibrary::load(kLibrary);
  ASSERT_TRUE(library.ok());
  Examiner examiner(**library, Examiner::Process::own);
  const Request asked = request("right");
  const auto seen = [&] { return words(examiner.examine(asked)); };
  const std::string nothing = seen();
  const mode_t usual = umask(0177);
  EXPECT_NE(seen().find("the umask was changed"), std::string::npos);
  EXPECT_EQ(seen(), nothing) << "it was not put back";
  umask(0177);
  examiner.disturbed();
  EXPECT_EQ(seen(), nothing) << "whoever disturbed it is not the library";
  umask(usual);
}

TEST(Examine, WhatChangesTheProcessIsToldOfTheExecutionThatDoes) {
  for (const char* how : {"in-execute.chdir", "in-execute.leak-file"}) {
    const Outcome outcome = start(false)->ask(request(how));
    EXPECT_TRUE(outcome.observations.empty()) << words(outcome);
    ASSERT_FALSE(outcome.executions.empty()) << words(outcome);
    const std::vector<Observation>& seen = outcome.executions.front().observations;
    ASSERT_EQ(seen.size(), 1u) << words(outcome);
    EXPECT_EQ(seen.front().duty, Duty::C14);
  }
  EXPECT_FALSE(start(false)->ask(request("chdir")).observations.empty()) << "inference does";
}

TEST(Examine, ARefusalIsAlsoExecutedAndNothingIsWritten) {
  const auto adapter = start(false);
  const Outcome outcome = adapter->ask(request("right", "f32[2,3] i64[4]"));
  EXPECT_EQ(outcome.kind, Outcome::Kind::rejected);
  EXPECT_EQ(outcome.message, "the element counts differ");
  ASSERT_EQ(outcome.executions.size(), 5u);
  for (const Execution& execution : outcome.executions) {
    EXPECT_EQ(execution.status, Status::rejected);
    EXPECT_EQ(execution.message, "the element counts differ");
  }
  EXPECT_EQ(std::ranges::count(outcome.executions, Probe::Ask::execute_rejected, kAsk), 3);
  EXPECT_NE(outcome.executions[0].probe.poison, outcome.executions[1].probe.poison);
  EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
}

TEST(Examine, OnlyTheShapeOfWhatIsTooLargeIsAsked) {
  const auto adapter = start(false);
  for (const char* rest :
       {"f32[2147483648,2] i64[4294967296]", "f32[9223372036854775807] i64[-1] shape_only=true",
        "f32[2,3] i64[6] shape_only=true"}) {
    const Outcome outcome = adapter->ask(request("right", rest));
    EXPECT_EQ(outcome.kind, Outcome::Kind::produced) << words(outcome);
    EXPECT_TRUE(outcome.executions.empty());
  }
}

TEST(Examine, AnOutputOfAnotherShapeIsOffered) {
  const auto adapter = start(false);
  for (const char* dialect : {"right", "takes-any-output"}) {
    const Outcome outcome = adapter->ask(request(dialect));
    const auto offered = std::ranges::find(outcome.executions, Probe::Ask::other_output, kAsk);
    ASSERT_NE(offered, outcome.executions.end());
    EXPECT_EQ(offered->status == Status::ok, std::string(dialect) == "takes-any-output");
    EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
  }
}

TEST(Examine, AViewOfWhatIsToBeRefusedIsAskedFor) {
  const auto adapter = start(false);
  for (const char* dialect : {"right", "views-anything"}) {
    const bool made = std::string(dialect) == "views-anything";
    for (const auto& [rest, times] : {std::pair{"f32[2,3] i64[6]", 1},
                                      {"f32[2,3] i64[4]", 2},
                                      {"f32[2,3] i64[-1,4] special_zero=true", 2}}) {
      const Outcome outcome = adapter->ask(request(dialect, rest));
      int asked = 0;
      for (const Execution& execution : outcome.executions) {
        if (execution.probe.ask != Probe::Ask::refused_view) continue;
        ++asked;
        EXPECT_EQ(execution.status, made ? Status::ok : Status::rejected) << rest;
        EXPECT_TRUE(execution.elements.empty()) << rest;
      }
      EXPECT_EQ(asked, times) << rest;
      EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
    }
  }
}

TEST(Examine, AnOutputOfAnotherShapeThatIsTakenIsOfferedAgain) {
  const auto adapter = start(false);
  EXPECT_EQ(adapter->ask(request("takes-any-output-once")).executions.back().message,
            kRefusedAgain);
  EXPECT_TRUE(adapter->ask(request("takes-any-output"))
                  .executions.back()
                  .message.starts_with("of outputs that differ in axes of size 1 alone it takes"));
}

// An implementation may see that data and output are the same memory and do nothing.
TEST(Examine, WhatIsToBeRefusedIsOfferedOnTopOfTheDataToo) {
  const auto adapter = start(false);
  for (const char* dialect : {"right", "in-place-is-done"}) {
    const bool done = std::string(dialect) == "in-place-is-done";
    for (const char* rest :
         {"f32[2,3] i64[6]", "f32[2,3] i64[4]", "f32[2,3] i64[4] in_place=true"}) {
      const Outcome outcome = adapter->ask(request(dialect, rest));
      int offered = 0;
      for (const Execution& execution : outcome.executions) {
        if (!execution.probe.over_data) continue;
        ++offered;
        EXPECT_EQ(execution.status, done ? Status::ok : Status::rejected) << rest;
      }
      EXPECT_EQ(offered, 1) << rest;
      EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
    }
  }
}

// --- overlap ------------------------------------------------------------------------------------

Outcome ask_overlapping(const char* promise, const char* dialect, const char* rest) {
  setenv("RESHAPE_BEHAVIOUR", promise, 1);
  const auto adapter = start(false);
  unsetenv("RESHAPE_BEHAVIOUR");
  return adapter->ask(request(dialect, rest));
}

class Overlap : public testing::TestWithParam<const char*> {
 protected:
  static Outcome ask(const char* promise, const char* dialect) {
    return ask_overlapping(promise, dialect, GetParam());
  }

  static int wrong(const Outcome& outcome) {
    const Request asked = request("right", GetParam());
    int found = 0;
    for (const Execution& execution : outcome.executions) {
      if (execution.probe.ask != Probe::Ask::overlap) continue;
      EXPECT_EQ(execution.status, Status::ok);
      found += execution.elements !=
               packed_payload(asked, execution.probe.payload, execution.probe.round);
    }
    return found;
  }

  static std::ptrdiff_t overlaps(const Outcome& outcome) {
    return std::ranges::count(outcome.executions, Probe::Ask::overlap, kAsk);
  }
};

TEST_P(Overlap, IsAskedWhereItIsPromisedAndSeenAsRight) {
  EXPECT_EQ(overlaps(ask("", "right")), 0);
  for (const char* promise : {"overlap", "overlap-aligned-64"}) {
    const Outcome outcome = ask(promise, "right");
    EXPECT_GE(overlaps(outcome), 2) << promise;
    EXPECT_EQ(wrong(outcome), 0) << promise;
    EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
  }
}

TEST_P(Overlap, TheWrongDirectionIsSeen) {
  const Outcome outcome = ask("overlap", "copies-forwards");
  EXPECT_GT(wrong(outcome), 0);
  EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
}

INSTANTIATE_TEST_SUITE_P(Requests, Overlap,
                         testing::Values("f32[40] i64[20,2]", "u8[300] i64[3,100]",
                                         "i4[301] i64[43,7]", "f64[16] i64[4,4] out_strides=[1,4]",
                                         "f32[40] i64[40] out_strides=[-1] out_offset=39"));

TEST(Examine, OfOverlappedDataWhatTheOutputLeavesIsWatched) {
  for (const char* rest : {"f32[40] i64[20,2]", "u8[299] i64[13,23]"}) {
    EXPECT_TRUE(saw(ask_overlapping("overlap", "ends-overlapped-data", rest), CaughtBy::output_gaps,
                    Duty::C21, "of the buffer that data and output share"));
  }
}

TEST(Examine, AnOutputEndsWhereTheDataBegins) {
  for (const char* rest :
       {"f32[2,3] i64[6]", "i4[3,3] i64[9]", "f32[2,3] i64[6] strides=[-3,-1] offset=5",
        "u8[5] i64[5] strides=[2] offset=4", "f64[6] i64[3,2] out_strides=[-2,1] out_offset=4"}) {
    const Outcome outcome = start(true)->ask(request("fails-shortly-before", rest));
    for (const Execution& execution : outcome.executions) {
      const Probe& probe = execution.probe;
      if (probe.ask != Probe::Ask::execute) continue;
      const bool before = probe.one_allocation && probe.shift != 0;
      EXPECT_EQ(execution.status, before ? Status::failed : Status::ok) << text(probe);
    }
    EXPECT_EQ(std::ranges::count(outcome.executions, Status::failed, &Execution::status), 1)
        << rest;
  }
}

TEST(Examine, AWrongVolumeIsExecutedAsLargeAsIsRightAndAsLargeAsItSaid) {
  const auto adapter = start(false);
  for (const char* dialect : {"too-much", "too-much-refused"}) {
    const Outcome outcome = adapter->ask(request(dialect));
    EXPECT_EQ(text(outcome), "produced [9]");
    ASSERT_EQ(outcome.executions.size(), 2u) << words(outcome);
    EXPECT_EQ(outcome.executions[0].probe.ask, Probe::Ask::wrong_volume);
    EXPECT_EQ(outcome.executions[0].status, Status::ok);
    EXPECT_EQ(outcome.executions[1].status == Status::ok, std::string(dialect) == "too-much");
    EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
  }
}

struct Misbehaviour {
  const char* dialect;
  CaughtBy watch;
  Duty duty;
  const char* saw;
  const char* rest = "f32[2,3] i64[3,-1] special_zero=true";
};
void PrintTo(const Misbehaviour& one, std::ostream* out) { *out << one.dialect; }

// The inferred shape is kept, whatever its execution does, and the next request is answered.
TEST(Examine, WhatAWrongVolumeDoesToTheMemoryIsSeen) {
  const auto adapter = start(false, 1);
  for (const Misbehaviour& way : {
           Misbehaviour{"too-much-written", CaughtBy::canaries, Duty::C7,
                        "wrote 12 bytes behind the output"},
           Misbehaviour{"too-much-written-far", CaughtBy::guard_page, Duty::C7,
                        "past the end of the output"},
           Misbehaviour{"too-much-read", CaughtBy::guard_page, Duty::C10,
                        "past the end of the data"},
           Misbehaviour{"too-much-aborts", CaughtBy::process, Duty::C16, "died of SIGABRT"},
           Misbehaviour{"too-much-throws", CaughtBy::process, Duty::C16, "out of range"},
           Misbehaviour{"too-much-hangs", CaughtBy::process, Duty::C16, "no answer within 1 s"},
       }) {
    // A sanitizer sees this write first, and ends the process itself.
    if (kSanitized && std::string(way.dialect) == "too-much-written-far") continue;
    const Outcome outcome = adapter->ask(request(way.dialect));
    EXPECT_EQ(text(outcome), "produced [9]");
    EXPECT_TRUE(saw(outcome, way.watch, way.duty, way.saw)) << way.dialect << words(outcome);
    EXPECT_EQ(hung(outcome), std::string(way.dialect) == "too-much-hangs");
    for (const Observation& seen : all_seen(outcome)) EXPECT_EQ(seen.plane, Plane::memory);
    const Outcome next = adapter->ask(request("right"));
    EXPECT_TRUE(all_seen(next).empty()) << words(next);
  }
}

// The inferred volume is smaller than the data's, so one of the two outputs is too small. It is
// written a half byte at a time, which reads the byte first.
TEST(Examine, AVolumeThatIsTooSmallIsSeenAsWell) {
  const Outcome outcome = start(false)->ask(request("wrong-shape"));
  EXPECT_EQ(text(outcome), "produced [1]");
  EXPECT_TRUE(saw(outcome, CaughtBy::guard_page, Duty::C10, "past the end of the output"))
      << words(outcome);
}

TEST(Examine, AWrongVolumeIsNotExecutedWhereItWouldHideTheShape) {
  EXPECT_TRUE(start(true)->ask(request("too-much-aborts")).executions.empty());
  const auto adapter = start(false);
  for (const char* rest : {"f32[2,3] i64[6] in_place=true", "f32[2,3] i64[6] shape_only=true",
                           "f64[200000] i64[-1]"}) {
    EXPECT_TRUE(adapter->ask(request("too-much-aborts", rest)).executions.empty());
  }
}

TEST(Examine, DeclaredAlignmentIsKept) {
  for (const char* alignment : {"aligned-64", "aligned-1"}) {
    setenv("RESHAPE_BEHAVIOUR", alignment, 1);
    const auto adapter = start(false);
    unsetenv("RESHAPE_BEHAVIOUR");
    const Outcome outcome = adapter->ask(request("right", "f32[2,3] i64[6] offset=3"));
    EXPECT_EQ(outcome.kind, Outcome::Kind::produced);
    EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
  }
}

// --- each watch sees its own --------------------------------------------------------------------

class Caught : public testing::TestWithParam<Misbehaviour> {};

TEST_P(Caught, ByItsWatchAndTheNextRequestIsClean) {
  const Misbehaviour& one = GetParam();
  const auto adapter = start(false);
  const Outcome outcome = adapter->ask(request(one.dialect, one.rest));
  EXPECT_TRUE(saw(outcome, one.watch, one.duty, one.saw)) << words(outcome);
  const Outcome next = adapter->ask(request("right", one.rest));
  EXPECT_TRUE(next.kind == Outcome::Kind::produced || next.kind == Outcome::Kind::rejected)
      << words(next);
  EXPECT_TRUE(all_seen(next).empty()) << words(next);
}

// A thread of the library still writes the end. The buffer that it writes to is that of the next
// request too, so none is asked.
TEST(Examine, WhatIsWrittenAfterTheReturnIsTold) {
  const auto adapter = start(false);
  const Outcome outcome =
      adapter->ask(request("returns-too-early", "f32[8388608] i64[8388608] payload=distinct"));
  EXPECT_TRUE(saw(outcome, CaughtBy::bytes, Duty::C5, "still written while it was looked at"))
      << words(outcome);
}

constexpr const char* kStrided = "f32[2,3] i64[3,2] out_strides=[4,2] out_offset=3";
constexpr const char* kRefused = "f32[2,3] i64[4]";

INSTANTIATE_TEST_SUITE_P(
    Memory, Caught,
    testing::Values(
        Misbehaviour{"write-output-end", CaughtBy::canaries, Duty::C7, "behind the output"},
        Misbehaviour{"write-output-end", CaughtBy::guard_page, Duty::C7,
                     "wrote 1 byte past the end of the output"},
        Misbehaviour{"write-output-start", CaughtBy::guard_page, Duty::C7,
                     "wrote 1 byte before the start of the output"},
        Misbehaviour{"read-input-end", CaughtBy::guard_page, Duty::C10,
                     "read 1 byte past the end of the data"},
        Misbehaviour{"read-input-start", CaughtBy::guard_page, Duty::C10,
                     "read 1 byte before the start of the data"},
        Misbehaviour{"infer-reads-pattern-end", CaughtBy::guard_page, Duty::C10,
                     "past the end of the pattern"},
        Misbehaviour{"write-input", CaughtBy::guard_page, Duty::C6,
                     "of the data, read-only during the call"},
        Misbehaviour{"write-input-unprotected", CaughtBy::input_unchanged, Duty::C6,
                     "changed from"},
        Misbehaviour{"write-gap", CaughtBy::output_gaps, Duty::C8, "a gap, changed from", kStrided},
        Misbehaviour{"write-before-offset", CaughtBy::output_gaps, Duty::C8, "a gap, changed from",
                     kStrided},
        Misbehaviour{"write-half", CaughtBy::output_gaps, Duty::C8, "half of it", "i4[3,3] i64[9]"},
        Misbehaviour{"write-on-rejection", CaughtBy::rejection_writes_nothing, Duty::C9,
                     "from a5 to 00", kRefused},
        Misbehaviour{"write-and-refuse", CaughtBy::rejection_writes_nothing, Duty::C9,
                     "from a5 to 00"},
        Misbehaviour{"change-sizes", CaughtBy::guard_page, Duty::C11,
                     "sizes of the data, read-only during the call"},
        Misbehaviour{"change-output-sizes", CaughtBy::guard_page, Duty::C11,
                     "sizes of the output, read-only during the call"},
        Misbehaviour{"change-output-strides", CaughtBy::arguments_unchanged, Duty::C11,
                     "strides of the output"},
        Misbehaviour{"change-output-pointer", CaughtBy::arguments_unchanged, Duty::C11,
                     "of the byte_offset in the tensor of the output"},
        Misbehaviour{"change-request", CaughtBy::arguments_unchanged, Duty::C11, "of the request"},
        Misbehaviour{"infer-changes-pattern", CaughtBy::guard_page, Duty::C11,
                     "of the pattern, read-only during the call", kRefused},
        Misbehaviour{"shape-on-rejection", CaughtBy::shape_canary, Duty::C9, "a rank of 1",
                     kRefused},
        Misbehaviour{"shape-on-rejection", CaughtBy::shape_canary, Duty::C9, "size 0 of the array",
                     kRefused},
        Misbehaviour{"size-behind-rank", CaughtBy::shape_canary, Duty::C7, "size 2 of the array"},
        Misbehaviour{"size-behind-capacity", CaughtBy::guard_page, Duty::C7,
                     "past the end of the array that receives the shape"},
        Misbehaviour{"size-before-array", CaughtBy::canaries, Duty::C7,
                     "before the array that receives the shape"},
        Misbehaviour{"changes-capacity", CaughtBy::shape_canary, Duty::C11, "capacity"},
        Misbehaviour{"reject-without-nul", CaughtBy::message, Duty::C19, "no NUL", kRefused},
        Misbehaviour{"reject-without-a-word", CaughtBy::message, Duty::C19,
                     "goes with rejected: nothing was written into it", kRefused},
        Misbehaviour{"minds-data", CaughtBy::same_answer, Duty::C17,
                     "where the data has a pointer and strides"},
        Misbehaviour{"minds-strides", CaughtBy::same_answer, Duty::C17,
                     "where the data has a pointer and strides", "f32[2,3] i64[6] strides=[5,1]"},
        Misbehaviour{"minds-pattern-offset", CaughtBy::same_answer, Duty::C17,
                     "where the pattern has a byte_offset"},
        Misbehaviour{"minds-null-pattern", CaughtBy::same_answer, Duty::C17,
                     "where the empty pattern is a null pointer", "f32[] i64[]"},
        Misbehaviour{"changing-answer", CaughtBy::same_answer, Duty::C17,
                     "when it was asked again"},
        Misbehaviour{"infers-the-fifth-otherwise", CaughtBy::same_answer, Duty::C17,
                     "in a row of equal ones answered [6]; the first [3,2]"},
        Misbehaviour{"refuses-the-tenth", CaughtBy::same_answer, Duty::C17,
                     "in a row of equal ones answered rejected (not the tenth); the first ok"},
        Misbehaviour{"forgets-the-flag", CaughtBy::same_answer, Duty::C17,
                     "rejected after this was inferred in between: forgets-the-flag f32[0,3] "
                     "i64[0,3] special_zero=false",
                     "f32[0,3] i64[0,3] special_zero=true"},
        Misbehaviour{
            "wrong-the-second-time", CaughtBy::same_answer, Duty::C17,
            "executed again at once over an output that was wiped it wrote other elements"},
        Misbehaviour{"same-buffers-are-done", CaughtBy::same_answer, Duty::C17,
                     "executed again at once over an output that was wiped it wrote nothing"},
        Misbehaviour{"ends-are-done", CaughtBy::same_answer, Duty::C17,
                     "executed again at once over its own output, in which the element in the "
                     "middle was changed, it wrote other elements"},
        // The first payload reads the same from behind, so that only the changed data shows it.
        Misbehaviour{"reversed", CaughtBy::bytes, Duty::C5,
                     "executed again at once with one element of the data changed in between it "
                     "wrote other elements than it holds now",
                     "boolean[4] i64[4]"},
        Misbehaviour{"view-elsewhere", CaughtBy::view, Duty::C12, "outside of the data"},
        Misbehaviour{"view-half-made", CaughtBy::arguments_unchanged, Duty::C11,
                     "of the strides of the output, and the answer was unsupported",
                     "u8[2,3] i64[6] strides=[4,1]"},
        Misbehaviour{"view-past-the-end", CaughtBy::view, Duty::C12, "outside of the data"},
        Misbehaviour{"view-between", CaughtBy::view, Duty::C12, "far from all elements of the data",
                     "u8[2,3] i64[6] strides=[4294967299,1]"},
        Misbehaviour{"view-without-strides", CaughtBy::view, Duty::C12, "not all set"},
        Misbehaviour{"view-changes-rank", CaughtBy::arguments_unchanged, Duty::C11,
                     "of the ndim in the tensor of the output"}));

INSTANTIATE_TEST_SUITE_P(
    Process, Caught,
    testing::Values(
        Misbehaviour{"rounding", CaughtBy::floating_point_control, Duty::C14,
                     "to nearest to upward"},
        Misbehaviour{"in-execute.rounding", CaughtBy::floating_point_control, Duty::C14,
                     "rounding"},
#if defined(__x86_64__)
        Misbehaviour{"flush-to-zero", CaughtBy::floating_point_control, Duty::C14, "vector unit"},
        Misbehaviour{"x87-precision", CaughtBy::floating_point_control, Duty::C14, "x87"},
#endif
        Misbehaviour{"locale", CaughtBy::locale, Duty::C14, "from C to C.UTF-8"},
        Misbehaviour{"usual-arithmetic", CaughtBy::floating_point_control, Duty::C14,
                     ", where the caller flushes denormals to zero"},
        Misbehaviour{"in-execute.usual-arithmetic", CaughtBy::floating_point_control, Duty::C14,
                     ", where the caller flushes denormals to zero"},
        Misbehaviour{"usual-arithmetic", CaughtBy::floating_point_control, Duty::C14,
                     ", where the caller flushes denormals to zero", kRefused},
        Misbehaviour{"usual-locale", CaughtBy::locale, Duty::C14,
                     "the locale changed: LC_NUMERIC from C.UTF-8 to C"},
        Misbehaviour{"usual-umask", CaughtBy::process_settings, Duty::C14, "the umask was changed"},
        Misbehaviour{"usual-signals", CaughtBy::signal_mask, Duty::C14, "SIGWINCH was unblocked"},
        Misbehaviour{"block-signal", CaughtBy::signal_mask, Duty::C14, "SIGTERM was blocked"},
        Misbehaviour{"replace-handler", CaughtBy::signal_handlers, Duty::C14, "SIGINT"},
        Misbehaviour{"leak-file", CaughtBy::open_files, Duty::C14, "/dev/null"},
        Misbehaviour{"in-execute.leak-file", CaughtBy::open_files, Duty::C14, "/dev/null"},
        Misbehaviour{"chdir", CaughtBy::working_directory, Duty::C14, "changed to /"},
        Misbehaviour{"leak-memory", CaughtBy::memory_growth, Duty::C15, "bytes a call"},
        Misbehaviour{"in-execute.leak-memory", CaughtBy::memory_growth, Duty::C15, "bytes a call"},
        Misbehaviour{"leak-memory", CaughtBy::memory_growth, Duty::C15, "bytes a call", kRefused},
        Misbehaviour{"leak-mapping", CaughtBy::memory_growth, Duty::C15, "4096 bytes a call"}));

// Behaviour that looks suspicious but is allowed.
class Harmless : public testing::TestWithParam<const char*> {};
TEST_P(Harmless, IsNotReported) {
  const auto adapter = start(false);
  for (int turn = 0; turn < 20; ++turn) {
    const Outcome outcome = adapter->ask(request(GetParam()));
    EXPECT_EQ(outcome.kind, Outcome::Kind::produced) << words(outcome);
    EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
  }
}
INSTANTIATE_TEST_SUITE_P(All, Harmless,
                         testing::Values("use-memory", "cache-once", "joined-thread", "flood",
                                         "in-execute.use-memory", "in-execute.cache-once"));

// A cache that is filled by 36,000 calls grows with each of them, and is no leak.
TEST(Examine, ACacheThatFillsIsNoLeak) {
  for (const char* dialect : {"cache-fills", "in-execute.cache-fills"}) {
    const auto adapter = start(false);
    for (const char* rest :
         {"f32[2,3] i64[3,-1]", "f32[2,3] i64[3,2]", "u8[4] i64[2,-1]", kRefused}) {
      const Outcome outcome = adapter->ask(request(dialect, rest));
      EXPECT_TRUE(all_seen(outcome).empty()) << rest << words(outcome);
    }
  }
}

TEST(Examine, ALongUseFillsACacheAndIsNoLeak) {
  const auto adapter = start(false);
  const Request asked = request("cache-fills", "f32[2,3] i64[3,2] shape_only=true");
  EXPECT_TRUE(all_seen(adapter->ask_together({asked}, 1000)[0]).empty());
  const Request leaks = request("leaks-slowly-for-ever", "f32[2,3] i64[3,2] shape_only=true");
  EXPECT_TRUE(
      saw(start(false)->ask_together({leaks}, 1000)[0], CaughtBy::memory_growth, Duty::C15));
}

TEST(Examine, WhatIsAskedFewerTimesThanWantedSaysSo) {
  const Request asked = request("cache-once", "f32[2,3] i64[3,2] shape_only=true");
  EXPECT_TRUE(start(false, 0.05)->ask_together({asked}, 1'000'000)[0].cut_short);
  EXPECT_FALSE(start(false)->ask_together({asked}, 2)[0].cut_short);
}

// What any first request of a process shows is not blamed on the request that happens to be first.
TEST(Examine, WhatIsDoneAtTheFirstUseIsToldApart) {
  for (const char* dialect : {"sets-itself-up", "in-execute.sets-itself-up"}) {
    for (const char* rest : {"f32[2,3] i64[3,-1]", "f32[2,3] i64[6]"}) {
      const auto adapter = start(false);
      const Outcome first = adapter->ask(request(dialect, rest));
      EXPECT_TRUE(all_seen(first).empty()) << words(first);
      ASSERT_EQ(first.at_first_use.size(), 3u);
      EXPECT_EQ(first.at_first_use[0].saw, "the handler of SIGUSR2 was replaced");
      EXPECT_NE(first.at_first_use[1].saw.find("RESHAPE_BEHAVES"), std::string::npos);
      EXPECT_EQ(first.at_first_use[2].saw, "3 more threads than before the request");
      EXPECT_TRUE(adapter->ask(request(dialect, rest)).at_first_use.empty());
      adapter->ask(request("abort"));  // and after a restart
      const Outcome again = adapter->ask(request(dialect, rest));
      EXPECT_TRUE(all_seen(again).empty()) << words(again);
      EXPECT_EQ(again.at_first_use.size(), 3u);
    }
  }
}

// The handler of a runtime that lets threads fault is told once, and goes on to be called although
// that of the host stands in its place.
TEST(Examine, AHandlerThatExpectsFaultsIsStillCalled) {
  const auto adapter = start(false);
  const Outcome first = adapter->ask(request("faults-on-purpose"));
  ASSERT_EQ(first.at_first_use.size(), 1u) << words(first);
  EXPECT_EQ(first.at_first_use[0].saw, "the handler of SIGSEGV was replaced");
  for (int turn = 0; turn < 3; ++turn) {
    const Outcome again = adapter->ask(request("faults-on-purpose"));
    EXPECT_EQ(again.kind, Outcome::Kind::produced) << words(again);
    EXPECT_TRUE(all_seen(again).empty()) << words(again);
  }
  EXPECT_EQ(adapter->ask_together({request("faults-on-purpose")}, 20)[0].kind,
            Outcome::Kind::produced);
  // What it does not expect is told as ever.
  const Outcome crash = adapter->ask(request("in-execute.null-write"));
  EXPECT_NE(crash.message.find("wrote through a null pointer"), std::string::npos) << words(crash);
  EXPECT_TRUE(crash.crashed_at);
}

// After an exception the process lives on: the exception is the request's fault, the initialization
// is not.
TEST(Examine, WhatIsDoneAtTheFirstUseIsToldApartWhereItThrows) {
  const auto adapter = start(false);
  const Outcome first = adapter->ask(request("sets-itself-up-and-throws"));
  EXPECT_EQ(first.kind, Outcome::Kind::crashed);
  EXPECT_NE(first.message.find("out of cheese"), std::string::npos) << words(first);
  EXPECT_TRUE(all_seen(first).empty()) << words(first);
  EXPECT_EQ(first.at_first_use.size(), 3u);
}

TEST(Examine, WhatARequestDoesEachTimeIsItsOwn) {
  const auto adapter = start(false);
  for (int turn = 0; turn < 2; ++turn) {
    const Outcome outcome = adapter->ask(request("replace-handler"));
    EXPECT_TRUE(saw(outcome, CaughtBy::signal_handlers, Duty::C14, "SIGINT")) << words(outcome);
    EXPECT_TRUE(outcome.at_first_use.empty());
  }
}

// A change that only happens after other requests is not seen in a fresh process.
TEST(Examine, WhatComesOnlyAfterOthersStaysWithItsRequest) {
  const auto adapter = start(false);
  int times = 0;
  for (int turn = 0; turn < 20; ++turn) {
    const Outcome outcome = adapter->ask(request("chdir-at-the-100th-call"));
    EXPECT_TRUE(outcome.at_first_use.empty());
    times += saw(outcome, CaughtBy::working_directory, Duty::C14);
  }
  EXPECT_EQ(times, 1);
}

TEST(Examine, DeclaredThreadsMayLive) {
  setenv("RESHAPE_BEHAVIOUR", "threads-declared", 1);
  const auto adapter = start(false);
  unsetenv("RESHAPE_BEHAVIOUR");
  const Outcome outcome = adapter->ask(request("leave-thread"));
  EXPECT_TRUE(all_seen(outcome).empty()) << words(outcome);
  EXPECT_TRUE(outcome.at_first_use.empty());
}

// If others work in the same process, they may be the cause of process-wide changes.
TEST(Examine, OnlyALibraryThatIsAloneInItsProcessIsBlamedForIt) {
  for (const bool alone : {true, false}) {
    const auto adapter = start_adapter({kLibrary, true, 10, alone});
    ASSERT_TRUE(adapter.ok()) << adapter.error().text();
    const Outcome outcome = (*adapter)->ask(request("leak-file"));
    EXPECT_EQ(all_seen(outcome).empty(), !alone) << words(outcome);
  }
}

// --- answers that are none ----------------------------------------------------------------------

TEST(Examine, UnreadableInferenceIsMalformed) {
  const auto adapter = start(false);
  const auto says = [&](const char* dialect) { return text(adapter->ask(request(dialect))); };
  EXPECT_EQ(says("negative-size"), "malformed during inference: answered the sizes [-5]");
  EXPECT_EQ(says("rank-too-large"),
            "malformed during inference: answered a rank of 100000, the capacity is 72");
  EXPECT_EQ(says("no-rank"), "malformed during inference: answered ok without writing a rank");
  EXPECT_EQ(says("status-17"),
            "malformed during inference: answered the status 17, which the contract does not have");
  EXPECT_EQ(says("failed"), "malformed during inference: answered failed: no memory");
  EXPECT_EQ(says("unsupported"), "unsupported (not this one)");
}

TEST(Examine, AnExecutionThatDoesNotRefuseIsTold) {
  const Outcome outcome = start(false)->ask(request("executes-anything", kRefused));
  ASSERT_EQ(outcome.executions.size(), 5u);
  EXPECT_EQ(outcome.executions[0].status, Status::ok);
}

}  // namespace
}  // namespace reshape::conformance
