#pragma once

#include <cstddef>
#include <cstdint>

#include "conformance/model/outcome.h"

namespace reshape::conformance {

// Calls `field(value, low, high)` for every member of a probe, as numbers between processes, with
// the lowest and the highest that it may have.
template <typename OneProbe, typename Field>
constexpr void each_field(OneProbe& probe, Field field) {
  field(probe.ask, 0, static_cast<int>(Probe::kLastAsk));
  field(probe.payload, 0, static_cast<int>(Payload::zeros));
  field(probe.round, 0, 64);
  field(probe.shift, INT64_MIN, INT64_MAX);
  field(probe.shift_bytes, 0, 255);
  field(probe.poison, 0, 255);
  field(probe.placement, 0, static_cast<int>(Probe::Placement::odd));
  for (auto* flag :
       {&probe.explicit_strides, &probe.byte_offset, &probe.output_offset, &probe.errno_left,
        &probe.null_if_empty, &probe.one_allocation, &probe.over_data}) {
    field(*flag, 0, 1);
  }
}

inline constexpr std::size_t kProbeFields = [] {
  std::size_t count = 0;
  Probe probe;
  each_field(probe, [&count](auto&, std::int64_t, std::int64_t) { ++count; });
  return count;
}();

}  // namespace reshape::conformance
