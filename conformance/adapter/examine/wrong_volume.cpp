#include "conformance/adapter/examine/wrong_volume.h"

#include <optional>

#include "conformance/adapter/examine/probes.h"

namespace reshape::conformance {
namespace {

// More is not allocated for an answer that is wrong.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;

bool small(ElementType type, const std::optional<std::int64_t>& count) {
  return count && *count <= kMostBytes && bytes_for(type, *count) <= kMostBytes;
}

}  // namespace

std::vector<WrongVolume> wrong_volumes(const Request& request, const Capabilities& capabilities,
                                       const Shape& inferred) {
  if (request.shape_only || request.in_place || capabilities.shape_only) return {};
  const std::optional<std::int64_t> count = element_count(request.data);
  // Strides of the output that fit no shape of this rank are no wrong volume.
  if (element_count(inferred) == count) return {};
  if (!small(request.data_type, count) || !small(request.data_type, element_count(inferred))) {
    return {};
  }
  Probe probe;
  probe.ask = Probe::Ask::wrong_volume;
  probe.payload = request.payload.value_or(Payload::distinct);
  probe.poison = kPoisons[0];
  std::vector<WrongVolume> list;
  // A Reshape keeps the volume, whatever the document says of the shape. The canaries around this
  // place see what is written too much without an end of the process.
  probe.placement = Probe::Placement::odd;
  list.push_back({probe, row_major(Shape{*count})});
  // Against the guard page, which sees what is read behind the data, too.
  probe.placement = Probe::Placement::back;
  if (row_major_strides(inferred)) list.push_back({probe, row_major(inferred)});
  return list;
}

Observation ended_in_wrong_volume(const std::string& how) {
  return {CaughtBy::process, Plane::memory, Duty::C16,
          "executing the shape that it inferred: " + how};
}

}  // namespace reshape::conformance
