// Permutes the elements within short blocks, which are contiguous on both sides: each block is read
// and written whole, by lookups that are planned once per call.
#include "optimized/kernels/limits.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/shuffle.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/lookups-inl.h"
#include "optimized/kernels/tables-inl.h"
#include "optimized/kernels/walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Blocks that are shuffled together, to fill the vectors.
struct Group {
  std::int64_t blocks, bytes;
  std::int64_t run, runs;
  // Where each run of the output comes from, in bytes from the group's beginning.
  std::int16_t from[kMostShuffled];
};

void Places(const Work& work, Group& group) {
  constexpr std::int64_t kEnough = 192;
  const std::size_t inside = work.along_write;
  const Step& next = work.loops[inside];
  group.run = work.run;
  group.blocks = HWY_MIN(HWY_MAX(1, kEnough / next.write), next.count);
  group.bytes = group.blocks * next.write;
  group.runs = group.bytes / group.run;
  for (std::int64_t i = 0; i < group.runs; ++i) {
    std::int64_t rest = i, from = 0;
    for (const Step& loop : work.loops.first(inside)) {
      from += rest % loop.count * loop.read;
      // A loop that is read backwards begins, in memory, with its last step.
      if (loop.read < 0) from -= loop.read * (loop.count - 1);
      rest /= loop.count;
    }
    group.from[i] = static_cast<std::int16_t>(from + rest * next.read);
  }
}

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86

// Holds a group in registers, and looks each vector of the output up in pairs of them.
class GroupLookups {
 public:
  // False where the group is shorter than a vector, or its runs are no multiple of a lane.
  bool plan(const Group& group) {
    if (group.bytes < kVector || group.run % kNarrowest != 0) return false;
    bytes_ = group.bytes;
    lookups_.plan(
        bytes_, [&group](std::int64_t at) { return group.from[at / group.run] + at % group.run; });
    return true;
  }

  HWY_INLINE void turn(std::int64_t groups, const Byte* from, Byte* to) const {
    const auto in = [this, from](std::int64_t i, std::int64_t n)
                        HWY_ATTR { return from + n * bytes_ + lookups_.begin(i); };
    const auto out = [this, to](std::int64_t o, std::int64_t n)
                         HWY_ATTR { return to + n * bytes_ + lookups_.begin(o); };
    lookups_.turn(groups, in, out);
  }

 private:
  using Lane = std::conditional_t<kNarrowest == 1, std::uint8_t, std::uint16_t>;
  Lookups<Lane, kMostShuffled / kVector> lookups_;
  std::int64_t bytes_ = 0;
};

#else

// Without these lookups: narrower vectors would need about as many as there are elements.
class GroupLookups {
 public:
  bool plan(const Group&) { return false; }
  void turn(std::int64_t, const Byte*, Byte*) const {}
};

#endif

template <class T>
HWY_INLINE void ByRuns(const Group& group, std::int64_t runs, const Byte* from, Byte* to) {
  for (std::int64_t i = 0; i < runs; ++i) {
    CopyExactly<sizeof(T)>(from + group.from[i], to + i * static_cast<std::int64_t>(sizeof(T)));
  }
}

HWY_INLINE void OneByOne(const Group& group, std::int64_t runs, const Byte* from, Byte* to) {
  switch (group.run) {
    case 1: return ByRuns<std::uint8_t>(group, runs, from, to);
    case 2: return ByRuns<std::uint16_t>(group, runs, from, to);
    case 4: return ByRuns<std::uint32_t>(group, runs, from, to);
    case 8: return ByRuns<std::uint64_t>(group, runs, from, to);
    default:
      for (std::int64_t i = 0; i < runs; ++i) {
        CopyShort(from + group.from[i], to + i * group.run, group.run);
      }
  }
}

// Shuffles `blocks` contiguous blocks.
HWY_INLINE void ShuffleBlocks(const Group& group, const GroupLookups* lookups, std::int64_t blocks,
                              bool stream, const Byte* from, Byte* to) {
  const auto turn = [&](std::int64_t groups, const Byte* at, Byte* out) HWY_ATTR {
    if (lookups != nullptr) return lookups->turn(groups, at, out);
    for (std::int64_t i = 0; i < groups; ++i) {
      OneByOne(group, group.runs, at + i * group.bytes, out + i * group.bytes);
    }
  };

  std::int64_t groups = blocks / group.blocks;
  const std::int64_t rest = blocks % group.blocks;
  if (stream) {
    // Groups do not end at line boundaries: several are collected in a stage, and sent together.
    constexpr std::int64_t kStage = 4096;
    alignas(64) Byte stage[kStage];
    const std::int64_t most = kStage / group.bytes;
    while (groups > 0) {
      const std::int64_t few = HWY_MIN(most, groups);
      turn(few, from, stage);
      StreamRun(stage, to, few * group.bytes, 0);
      from += few * group.bytes;
      to += few * group.bytes;
      groups -= few;
    }
  }
  turn(groups, from, to);
  if (rest == 0) return;
  // The last group begins early enough to end with the blocks, and writes some of them again.
  const std::int64_t behind = (rest - group.blocks) * (group.bytes / group.blocks);
  turn(1, from + groups * group.bytes + behind, to + groups * group.bytes + behind);
}

struct ShuffleTables : Tables {
  Group group;
  GroupLookups lookups;
  bool looks_up =
      false;  // else what is to be shuffled is too short, or not made of what can be looked up

  explicit ShuffleTables(const Work& work) {
    Places(work, group);
    looks_up = lookups.plan(group);
  }
};

void ShuffleBy(const ShuffleTables& tables, const Work& work, const std::byte* read,
               std::byte* write) {
  const Byte* from = reinterpret_cast<const Byte*>(read);
  for (const Step& loop : work.loops.first(work.along_write)) {
    if (loop.read < 0) from += loop.read * (loop.count - 1);
  }
  const Group& group = tables.group;
  const GroupLookups* planned = tables.looks_up ? &tables.lookups : nullptr;
  const std::int64_t blocks = work.loops[work.along_write].count;
  Byte* to = reinterpret_cast<Byte*>(write);
  WalkLoops(work.loops.subspan(work.along_write + 1), 0, 0,
            [&](std::int64_t at, std::int64_t out) HWY_ATTR {
              ShuffleBlocks(group, planned, blocks, work.stream, from + at, to + out);
            });
}

void Shuffle(const Work& work, const std::byte* read, std::byte* write) {
  WithTables<ShuffleTables>(
      work, [&](const ShuffleTables& tables) HWY_ATTR { ShuffleBy(tables, work, read, write); });
}
const Tables* MakeShuffle(const Work& work, TablesRoom& room) {
  return MakeTablesIn<ShuffleTables>(work, room);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Shuffle);
HWY_EXPORT(MakeShuffle);
const Run* shuffle_runs() { return HWY_DISPATCH_TABLE(Shuffle); }
const MakeTables* shuffle_tables() { return HWY_DISPATCH_TABLE(MakeShuffle); }
}  // namespace reshape::optimized
#endif
