// Builds a kernel's tables in a TablesRoom, or for one run only. Included once per target.
#if defined(RESHAPE_TABLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RESHAPE_TABLES_INL_H
#undef RESHAPE_TABLES_INL_H
#else
#define RESHAPE_TABLES_INL_H
#endif

#include <new>
#include <type_traits>

#include "hwy/highway.h"
#include "optimized/kernels/work.h"

HWY_BEFORE_NAMESPACE();
namespace reshape::optimized {
namespace HWY_NAMESPACE {

// Builds the tables in `room`.
template <class Made>
HWY_INLINE const Tables* MakeTablesIn(const Work& work, TablesRoom& room) {
  static_assert(sizeof(Made) <= sizeof(room) && std::is_trivially_destructible_v<Made>);
  return new (&room) Made(work);
}

// Calls use(tables) with work.tables, or with new ones where these are null.
template <class Made, class Use>
HWY_INLINE void WithTables(const Work& work, const Use& use) {
  if (work.tables != nullptr) return use(static_cast<const Made&>(*work.tables));
  const Made made(work);
  use(made);
}

}  // namespace HWY_NAMESPACE
}  // namespace reshape::optimized
HWY_AFTER_NAMESPACE();

#endif
