// Short rows from anywhere, written one after the other: small copies whose loops are so short that
// walking them takes longer than copying. Where each row is read stands in a list that is made
// once.
#include "optimized/kernels/limits.h"
#include "optimized/kernels/work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/kernels/listed.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "optimized/kernels/row-inl.h"
#include "optimized/kernels/tables-inl.h"
#include "optimized/kernels/walk-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

class RowList : public Tables {
 public:
  static constexpr Cache cache = Cache::kFirst;
  static constexpr bool in_lines = false, to_many_places = false;

  explicit RowList(const Work& work) {
    WalkLoops(work.loops, 0, 0, [&](std::int64_t at, std::int64_t) HWY_ATTR {
      read_[count_++] = static_cast<std::int32_t>(at);
    });
  }

  template <class Copy>
  HWY_INLINE void each(const Byte* from, Byte* to, std::int64_t run, Copy copy) const {
    const std::int64_t count = count_;
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < count; ++i, to += run) copy(from + read_[i], to);
  }

 private:
  std::int64_t count_ = 0;
  std::int32_t read_[kMostListed];
};

void Listed(const Work& work, const std::byte* read, std::byte* write) {
  WithTables<RowList>(work, [&](const RowList& rows) HWY_ATTR {
    Through(rows, work.run, reinterpret_cast<const Byte*>(read), reinterpret_cast<Byte*>(write));
  });
}
const Tables* MakeListed(const Work& work, TablesRoom& room) {
  return MakeTablesIn<RowList>(work, room);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reshape::optimized {
HWY_EXPORT(Listed);
HWY_EXPORT(MakeListed);
const Run* listed_runs() { return HWY_DISPATCH_TABLE(Listed); }
const MakeTables* listed_tables() { return HWY_DISPATCH_TABLE(MakeListed); }
}  // namespace reshape::optimized
#endif
