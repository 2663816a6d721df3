#include "conformance/adapter/memory/guarded_buffer.h"

#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>

#include <cstring>

#include "conformance/adapter/testing/processes.h"

namespace reshape::conformance {
namespace {

using Placement = Probe::Placement;

sigjmp_buf g_back;
void jump_back(int) { siglongjmp(g_back, 1); }

// Whether touching the byte faults.
template <typename Touch>
bool faults(Touch touch) {
  struct sigaction mine = {};
  struct sigaction before = {};
  mine.sa_handler = jump_back;
  sigaction(SIGSEGV, &mine, &before);
  volatile bool fault = true;
  if (sigsetjmp(g_back, 1) == 0) {
    touch();
    fault = false;
  }
  sigaction(SIGSEGV, &before, nullptr);
  return fault;
}
[[gnu::noinline, gnu::no_sanitize("address")]] void read_byte(const std::byte* at) {
  static_cast<void>(*static_cast<const volatile std::byte*>(at));
}
[[gnu::noinline, gnu::no_sanitize("address")]] void write_byte(std::byte* at) {
  volatile std::byte* byte = at;
  *byte = *byte ^ std::byte{0xff};
}

std::uintptr_t number(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

TEST(GuardedBuffer, BytesAreWritableAndItsGuardsAreNot) {
  for (std::int64_t size : {0, 1, 24, 4095, 4096, 4097, 70'000, 400'000}) {
    GuardedBuffer buffer("data");
    ASSERT_TRUE(buffer.place(size, 0, 1, Placement::back));
    const auto bytes = buffer.bytes();
    ASSERT_EQ(static_cast<std::int64_t>(bytes.size()), size);
    EXPECT_TRUE(faults([&] { read_byte(bytes.data() + bytes.size()); })) << size;
    EXPECT_FALSE(size > 0 && faults([&] { write_byte(bytes.data() + bytes.size() - 1); }));

    ASSERT_TRUE(buffer.place(size, 0, 1, Placement::front));
    EXPECT_TRUE(faults([&] { read_byte(buffer.bytes().data() - 1); })) << size;
    EXPECT_FALSE(size > 0 && faults([&] { write_byte(buffer.bytes().data()); }));
  }
}

TEST(GuardedBuffer, TheAnchorIsAligned) {
  GuardedBuffer buffer("data");
  for (std::int64_t alignment : {1, 2, 4, 8, 64, 4096}) {
    for (std::int64_t anchor : {0, 1, 3, 12, 5000}) {
      for (std::int64_t size : {0, 7, 24, 4096, 9000}) {
        for (Placement placement : {Placement::front, Placement::back, Placement::odd}) {
          ASSERT_TRUE(buffer.place(size, anchor, alignment, placement));
          const std::uintptr_t at =
              number(buffer.bytes().data()) + static_cast<std::uintptr_t>(anchor);
          EXPECT_EQ(at % static_cast<std::uintptr_t>(alignment), 0u);
          EXPECT_FALSE(buffer.spill());
          std::fill(buffer.bytes().begin(), buffer.bytes().end(), std::byte{0x77});
          EXPECT_FALSE(buffer.spill());
        }
      }
    }
  }
}

TEST(GuardedBuffer, OddIsAnOddMultipleAndBackIsAsNearToTheEndAsItGets) {
  GuardedBuffer buffer("data");
  ASSERT_TRUE(buffer.place(24, 0, 4, Placement::odd));
  EXPECT_EQ(number(buffer.bytes().data()) % 8, 4u);
  ASSERT_TRUE(buffer.place(26, 0, 4, Placement::back));
  EXPECT_EQ(number(buffer.bytes().data() + 26) % 4096, 4094u);  // the next multiple is too late
}

TEST(GuardedBuffer, EveryByteAroundItIsWatched) {
  GuardedBuffer buffer("data");
  for (Placement placement : {Placement::front, Placement::back, Placement::odd}) {
    ASSERT_TRUE(buffer.place(100, 0, 8, placement));
    const auto begin = number(buffer.bytes().data()) & ~std::uintptr_t{4095};
    for (std::uintptr_t at = begin; at < begin + 4096; ++at) {
      auto* byte = reinterpret_cast<std::byte*>(at);
      const std::int64_t from_start = byte - buffer.bytes().data();
      write_byte(byte);
      const auto spill = buffer.spill();
      if (from_start >= 0 && from_start < 100) {
        EXPECT_FALSE(spill) << from_start;
      } else {
        ASSERT_TRUE(spill) << from_start;
        EXPECT_EQ(spill->behind, from_start >= 100);
        EXPECT_EQ(spill->distance, from_start < 0 ? -from_start : from_start - 99);
        EXPECT_EQ(spill->changed, 1);
      }
      write_byte(byte);
    }
    EXPECT_FALSE(buffer.spill());
  }
}

TEST(GuardedBuffer, NoConstantRestoresTheCanaries) {
  GuardedBuffer buffer("data");
  for (int value = 0; value < 256; ++value) {
    ASSERT_TRUE(buffer.place(16, 0, 1, Placement::front));
    std::memset(buffer.bytes().data() + 16, value, 8);
    EXPECT_TRUE(buffer.spill()) << value;
  }
}

TEST(GuardedBuffer, PlacingAgainMendsTheCanaries) {
  GuardedBuffer buffer("data");
  ASSERT_TRUE(buffer.place(16, 0, 1, Placement::front));
  write_byte(buffer.bytes().data() + 16);
  EXPECT_EQ(text(*buffer.spill(), "data"),
            "wrote 1 byte behind the data, the nearest at a distance of 1 byte");
  ASSERT_TRUE(buffer.place(16, 0, 1, Placement::front));
  EXPECT_FALSE(buffer.spill());
}

TEST(GuardedBuffer, ALargeOneCannotBeTouchedWhileAnotherIsInUse) {
  constexpr std::int64_t kSize = 1 << 20;
  GuardedBuffer buffer("data");
  ASSERT_TRUE(buffer.place(kSize, 0, 1, Placement::front));
  std::byte* const first = buffer.bytes().data();
  ASSERT_TRUE(buffer.place(kSize + page_size(), 0, 1, Placement::front));
  EXPECT_TRUE(faults([&] { read_byte(first); }));
  EXPECT_FALSE(faults([&] { write_byte(buffer.bytes().data()); }));
  ASSERT_TRUE(buffer.place(kSize, 0, 1, Placement::front));
  EXPECT_EQ(buffer.bytes().data(), first) << "it was mapped anew";
  EXPECT_FALSE(faults([&] { write_byte(first); }));
}

TEST(GuardedBuffer, ProtectedBytesCanBeReadAndNotWritten) {
  GuardedBuffer buffer("data");
  ASSERT_TRUE(buffer.place(16, 0, 1, Placement::front));
  buffer.protect();
  EXPECT_FALSE(faults([&] { read_byte(buffer.bytes().data()); }));
  EXPECT_TRUE(faults([&] { write_byte(buffer.bytes().data()); }));
  EXPECT_FALSE(buffer.spill());
  buffer.unprotect();
  EXPECT_FALSE(faults([&] { write_byte(buffer.bytes().data()); }));
}

TEST(GuardedBuffer, WhatIsMappedTwiceIsWrittenWhileItIsProtected) {
  GuardedBuffer buffer("data", GuardedBuffer::Mapped::twofold);
  const Placement places[] = {Placement::front, Placement::back, Placement::odd};
  for (const std::int64_t size : {16, 3 * 4096, 1 << 20, 16}) {
    for (const Placement placement : places) {
      ASSERT_TRUE(buffer.place(size, 0, 8, placement));
      buffer.unprotect();
      std::memset(buffer.writable(), 0x11, buffer.bytes().size());
      buffer.protect();
      EXPECT_EQ(buffer.bytes().back(), std::byte{0x11});
      EXPECT_TRUE(faults([&] { write_byte(buffer.bytes().data()); })) << size;
      EXPECT_FALSE(buffer.spill());
      if (size < 1 << 20) {
        EXPECT_FALSE(faults([&] { write_byte(buffer.writable()); })) << size;
        ASSERT_TRUE(buffer.place(size, 0, 8, placement));
        EXPECT_TRUE(faults([&] { write_byte(buffer.bytes().data()); }))
            << "place() made it writable";
      }
      buffer.unprotect();
      EXPECT_FALSE(faults([&] { write_byte(buffer.bytes().data()); })) << size;
    }
  }
}

TEST(GuardedBuffer, BothMappingsLieBetweenGuardPages) {
  GuardedBuffer buffer("data", GuardedBuffer::Mapped::twofold);
  ASSERT_TRUE(buffer.place(page_size(), 0, 1, Placement::front));
  for (std::byte* const begin : {buffer.bytes().data(), buffer.writable()}) {
    EXPECT_TRUE(faults([&] { read_byte(begin - 1); }));
    EXPECT_TRUE(faults([&] { read_byte(begin + page_size()); }));
  }
}

// Otherwise a child's writes into pages that are mapped twice would show in its parent.
TEST(GuardedBuffer, AChildOfAForkMakesItsOwnMappings) {
  GuardedBuffer buffer("data", GuardedBuffer::Mapped::twofold);
  ASSERT_TRUE(buffer.place(16, 0, 1, Placement::front));
  std::memset(buffer.writable(), 0x11, 16);
  EXPECT_EQ(testing_adapter::in_a_child([&] {
              if (buffer.place(16, 0, 1, Placement::front))
                std::memset(buffer.writable(), 0x22, 16);
              return buffer.bytes().front() == std::byte{0x22} ? 0 : 1;
            }),
            0);
  EXPECT_EQ(buffer.bytes().front(), std::byte{0x11});
}

TEST(GuardedBuffer, ASpillIsFoundWhereverThePlaceWasBefore) {
  GuardedBuffer buffer("output");
  const std::int64_t sizes[] = {0, 16, 700, 4096, 5000, 40};
  const Placement places[] = {Placement::front, Placement::back, Placement::odd};
  for (const std::int64_t size : sizes) {
    for (const Placement placement : places) {
      ASSERT_TRUE(buffer.place(size, 0, 4, placement));
      std::memset(buffer.bytes().data(), 0x77, buffer.bytes().size());
      EXPECT_FALSE(buffer.spill()) << size;
      std::byte* const end = buffer.bytes().data() + size;
      if (number(end) % static_cast<std::uintptr_t>(page_size()) == 0) continue;  // the guard
      *end ^= std::byte{1};
      EXPECT_TRUE(buffer.spill()) << size;
      ASSERT_TRUE(buffer.place(size, 0, 4, placement));
      EXPECT_FALSE(buffer.spill()) << "the canaries were not put back";
    }
  }
}

TEST(GuardedBuffer, AFaultIsNamedByTheBufferItIsNearTo) {
  GuardedBuffer data("data");
  GuardedBuffer output("output");
  ASSERT_TRUE(data.place(16, 0, 1, Placement::back));
  ASSERT_TRUE(output.place(16, 0, 1, Placement::front));
  const FaultPlace behind = place_of_fault(number(data.bytes().data()) + 16 + 2);
  EXPECT_EQ(behind.kind, FaultPlace::Kind::behind);
  EXPECT_STREQ(behind.name, "data");
  EXPECT_EQ(behind.distance, 3u);
  const FaultPlace before = place_of_fault(number(output.bytes().data()) - 5);
  EXPECT_EQ(before.kind, FaultPlace::Kind::before);
  EXPECT_STREQ(before.name, "output");
  EXPECT_EQ(before.distance, 5u);
  data.protect();
  const FaultPlace inside = place_of_fault(number(data.bytes().data()) + 7);
  EXPECT_EQ(inside.kind, FaultPlace::Kind::inside_read_only);
  EXPECT_EQ(inside.distance, 7u);
  EXPECT_EQ(place_of_fault(4711).kind, FaultPlace::Kind::unknown);
}

// As a pointer that a library kept from an earlier call.
TEST(GuardedBuffer, WhereABufferLayIsNamed) {
  std::uintptr_t at = 0;
  {
    GuardedBuffer buffer("message");
    ASSERT_TRUE(buffer.place(16, 0, 1, Placement::front));
    at = number(buffer.bytes().data()) + 3;
    EXPECT_EQ(place_of_fault(at).kind, FaultPlace::Kind::unused);
  }
  EXPECT_EQ(place_of_fault(at).kind, FaultPlace::Kind::left);
  EXPECT_STREQ(place_of_fault(at).name, "message");
  // Large pages are kept, and protected while the buffer lies elsewhere.
  GuardedBuffer large("data");
  ASSERT_TRUE(large.place(std::int64_t{1} << 20, 0, 1, Placement::front));
  at = number(large.bytes().data()) + 3;
  ASSERT_TRUE(large.place(16, 0, 1, Placement::front));
  EXPECT_EQ(place_of_fault(at).kind, FaultPlace::Kind::left);
  EXPECT_STREQ(place_of_fault(at).name, "data");
  ASSERT_TRUE(large.place(std::int64_t{1} << 20, 0, 1, Placement::front));
  EXPECT_NE(place_of_fault(number(large.bytes().data())).kind, FaultPlace::Kind::left);
}

TEST(GuardedBuffer, TheGuardPageOfAGoneBufferIsNotNamed) {
  std::uintptr_t at = 0;
  {
    GuardedBuffer buffer("data");
    ASSERT_TRUE(buffer.place(16, 0, 1, Placement::back));
    at = number(buffer.bytes().data()) + 16;
  }
  EXPECT_EQ(place_of_fault(at).kind, FaultPlace::Kind::unknown);
}

TEST(GuardedBuffer, WhatDoesNotFitIsToldAndNotTouched) {
  GuardedBuffer buffer("data");
  EXPECT_FALSE(buffer.place(std::int64_t{1} << 60, 0, 1, Placement::front));
  EXPECT_TRUE(buffer.place(16, 0, 1, Placement::front));
}

}  // namespace
}  // namespace reshape::conformance
