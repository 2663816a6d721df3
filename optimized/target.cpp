#include "optimized/target.h"

#include <cstdint>

#include "hwy/highway.h"

namespace reshape::optimized {
namespace {

struct Known {
  std::string_view name;
  std::int64_t bit;
};

// Best first. The portable 128-bit emulation is what we call scalar: it needs no instruction
// set beyond the compiler's own baseline.
constexpr Known kKnown[] = {
#if HWY_ARCH_X86
    {"avx512_vbmi", HWY_AVX3_DL}, {"avx512", HWY_AVX3}, {"avx2", HWY_AVX2}, {"sse4", HWY_SSE4},
#elif HWY_ARCH_ARM
    {"neon", HWY_NEON},
#endif
    {"scalar", HWY_EMU128},
};

// Highway's tables of functions keep the scalar entry last and the others by their bit.
int slot_of(std::int64_t bit) {
  std::int64_t place = HWY_CHOSEN_TARGET_SHIFT(bit);
  if (bit == HWY_EMU128) place = HWY_CHOSEN_TARGET_MASK_SCALAR;
  return static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero64(static_cast<std::uint64_t>(place)));
}

std::vector<Target> among(std::int64_t bits) {
  std::vector<Target> targets;
  for (const Known& known : kKnown) {
    if ((known.bit & bits) != 0) targets.push_back({known.name, slot_of(known.bit)});
  }
  return targets;
}

std::string names(const std::vector<Target>& targets) {
  std::string list;
  for (const Target& target : targets) {
    if (!list.empty()) list += ", ";
    list += target.name;
  }
  return list;
}

}  // namespace

// Both lists are never freed: threads may copy while the process ends.
const std::vector<Target>& compiled_targets() {
  static const auto& targets = *new std::vector<Target>(among(HWY_TARGETS));
  return targets;
}

const std::vector<Target>& runnable_targets() {
  static const auto& targets =
      *new std::vector<Target>(among(HWY_TARGETS & (hwy::SupportedTargets() | HWY_EMU128)));
  return targets;
}

Result<Target> target_named(std::string_view name) {
  for (const Target& target : runnable_targets()) {
    if (target.name == name) return target;
  }
  for (const Target& target : compiled_targets()) {
    if (target.name == name) {
      return Error{"this processor cannot run the target '" + std::string(name) + "'; it runs " +
                   names(runnable_targets())};
    }
  }
  return Error{"no target is called '" + std::string(name) + "'; known are " +
               names(compiled_targets())};
}

}  // namespace reshape::optimized
