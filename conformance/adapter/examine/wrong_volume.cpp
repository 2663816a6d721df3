#include "conformance/adapter/examine/wrong_volume.h"

#include <optional>

#include "conformance/adapter/examine/probes.h"

namespace reshape::conformance {
namespace {

// The most bytes that are allocated for a wrong answer.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;

bool small(ElementType type, const std::optional<std::int64_t>& count) {
  return count && *count <= kMostBytes && bytes_for(type, *count) <= kMostBytes;
}

}  // namespace

std::vector<WrongVolume> wrong_volumes(const Request& request, const Capabilities& capabilities,
                                       const Shape& inferred) {
  if (request.shape_only || request.in_place || capabilities.shape_only) return {};
  const std::optional<std::int64_t> count = element_count(request.data);
  // Not a wrong volume: the request's output strides may fit another rank only.
  if (element_count(inferred) == count) return {};
  if (!small(request.data_type, count) || !small(request.data_type, element_count(inferred))) {
    return {};
  }
  Probe probe = plain_probe(Probe::Ask::wrong_volume, request);
  std::vector<WrongVolume> list;
  // An output of the data's volume, which every Reshape keeps. Between canaries, which detect
  // writes out of bounds without ending the process.
  probe.placement = Probe::Placement::odd;
  list.push_back({probe, row_major(Shape{*count})});
  // Directly before the guard page, which also detects reads behind the data.
  probe.placement = Probe::Placement::back;
  if (row_major_strides(inferred)) list.push_back({probe, row_major(inferred)});
  return list;
}

Observation ended_in_wrong_volume(const std::string& how) {
  return {CaughtBy::process, Plane::memory, Duty::C16,
          "executing the shape that it inferred: " + how};
}

}  // namespace reshape::conformance
