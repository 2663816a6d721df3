#include "optimized/benchmark/peers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "optimized/benchmark/workloads.h"
#include "optimized/naive_walk.h"

namespace reshape::optimized {
namespace {

// Small ones of every kind that the workloads have.
constexpr Workload kKinds[] = {
    {"copy", 32, "1200:1:1"},
    {"transpose", 32, "70:1:90 90:70:1"},
    {"channels to the end", 32, "4:600:600 200:1:3 3:200:1"},
    {"channels to the front", 32, "4:600:600 3:1:200 200:3:1"},
    {"heads", 32, "2:1920:1920 6:16:320 20:96:16 16:1:1"},
    {"axes reversed", 32, "4:1:1260 3:4:420 7:12:60 5:84:12 12:420:1"},
    {"padded to dense", 32, "40:34:30 30:1:1"},
    {"dense to padded", 32, "40:30:34 30:1:1"},
    {"every second", 32, "500:2:1"},
    {"broadcast rows", 32, "40:0:30 30:1:1"},
    {"broadcast columns", 32, "40:1:30 30:0:1"},
};

// Behind both sides, so that what strays is seen and not a crash.
constexpr std::size_t kRoom = 1 << 17;

TEST(Peers, DoWhatTheReferenceDoesOrDecline) {
  for (const PeerLibrary& peer : peer_libraries()) {
    if (peer.prepare == nullptr) continue;
    int done = 0;
    for (const Workload& kind : kKinds) {
      for (const int bits : {8, 16, 32}) {
        for (const int threads : {1, 2, 1}) {
          SCOPED_TRACE(std::string(peer.name) + ", " + kind.name + ", " + std::to_string(bits) +
                       " bits, " + std::to_string(threads) + " threads");
          const LoopNest nest = tidied(nest_of(kind, bits));
          const auto width = static_cast<std::size_t>(bits / 8);
          std::vector<std::byte> read(static_cast<std::size_t>(elements_read(nest)) * width +
                                      kRoom);
          for (std::size_t i = 0; i < read.size(); ++i) {
            read[i] = static_cast<std::byte>(i * 37 % 251);
          }
          std::vector<std::byte> expected(
              static_cast<std::size_t>(elements_written(nest)) * width + kRoom, std::byte{0xA5});
          std::vector<std::byte> write = expected;
          naive_walk(nest, read.data(), expected.data());
          const PeerRun run = peer.prepare(nest, read.data(), write.data(), threads);
          if (!run) continue;
          // Twice, for it is called many times.
          (*run)();
          (*run)();
          EXPECT_TRUE(write == expected);
          ++done;
        }
      }
    }
    // The transposes and what is like them, at least.
    EXPECT_GE(done, 5 * 3 * 3) << peer.name;
  }
}

TEST(Peers, DeclineWhatTheyHaveNoWordFor) {
  const std::vector<std::byte> read(64);
  std::vector<std::byte> write(64);
  for (const PeerLibrary& peer : peer_libraries()) {
    if (peer.prepare == nullptr) continue;
    LoopNest nest = nest_of({"transpose", 64, "2:1:3 3:2:1"}, 64);
    EXPECT_FALSE(peer.prepare(nest, read.data(), write.data(), 1)) << peer.name;
    nest.bits = 4;
    EXPECT_FALSE(peer.prepare(nest, read.data(), write.data(), 1)) << peer.name;
  }
}

}  // namespace
}  // namespace reshape::optimized
