#include <string>

#include "optimized/plan.h"

namespace reshape::optimized {

namespace {

std::string signed_text(std::int64_t step) {
  std::string words = step < 0 ? "" : "+";
  words += std::to_string(step);
  return words;
}

std::string text_of(const ByteRange& range) {
  std::string words = std::to_string(range.begin);
  words += " to ";
  words += std::to_string(range.end);
  return words;
}

std::string text_of(const Axes& axes) {
  std::string words;
  for (const Axis& axis : axes) {
    if (!words.empty()) words += ", ";
    words += std::to_string(axis.count);
    words += " x ";
    words += signed_text(axis.step);
  }
  return words;
}

std::string dump(const AliasPlan& plan) {
  return "view " + text(plan.layout.shape) + " with strides " + text_of_sizes(plan.layout.strides) +
         " from element " + std::to_string(plan.layout.offset) + ", nothing moves\n";
}

}  // namespace

std::string dump(const CopyPlan& plan) {
  const LoopNest& nest = plan.nest;
  if (!nest.loops.empty() && nest.loops.front().count == 0) return "copy of nothing\n";
  std::string words = "copy of " + std::to_string(nest.bits) + "-bit elements, reads bytes " +
                      text_of(plan.read_bytes) + ", writes bytes " + text_of(plan.write_bytes) +
                      "\n";
  for (const Seam& seam : plan.seams) {
    words += "  seam of " + std::to_string(seam.length) + ": reads " + text_of(seam.read) +
             "; writes " + text_of(seam.write) + "\n";
  }
  words += "  from element " + std::to_string(nest.read_offset) + " to element " +
           std::to_string(nest.write_offset) + "\n";
  for (const Loop& loop : nest.loops) {
    words += "  loop " + std::to_string(loop.count) + ": reads " + signed_text(loop.source_stride) +
             ", writes " + signed_text(loop.destination_stride) + "\n";
  }
  return words;
}

std::string dump(const ReshapePlan& plan) {
  return std::visit([](const auto& either) { return dump(either); }, plan);
}

}  // namespace reshape::optimized
