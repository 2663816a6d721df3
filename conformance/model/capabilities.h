#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/tensor/element_type.h"

namespace reshape::conformance {

// What an implementation says it can do: reshape_description of the C contract or a child's hello
// (CHILD_PROTOCOL.md), checked and parsed.
struct Capabilities {
  std::string name;
  std::string version;
  std::vector<std::string> dialects;
  ElementTypes element_types;
  ElementTypes pattern_types;
  std::int64_t max_rank = 0;   // 0: no limit
  std::int64_t alignment = 0;  // bytes; 0: the element's own size
  bool strided_input = false;
  bool strided_output = false;
  bool negative_strides = false;
  bool in_place = false;
  bool views = false;
  bool starts_threads = false;
  bool shape_only = false;
  // Since version 1.1 of the C contract.
  std::int64_t max_elements = 0;  // of data and of output; 0: no limit
  std::int64_t max_size = 0;      // of the data, the pattern and the output; 0: no limit
  bool no_overlapping_strides = false;
  bool pattern_is_list = false;  // patterns of another rank than 1 cannot be given
  bool some_views = false;       // a view of dense data may be unsupported
  bool overlap = false;          // data and output may overlap in every layout that is declared
  bool checks_output = false;    // duty C20 applies: its table is of version 1.1 or later
  // True behind the C contract, where the tensors' memory is watched. False for a child process: it
  // is sent values without strides and offsets, and its memory cannot be watched.
  bool in_memory = true;
  bool infers_alone = true;    // it infers the shape without the data's elements
  std::int64_t max_bytes = 0;  // of the data, given or not; 0: no limit

  bool has_dialect(const std::string& dialect) const {
    return std::ranges::find(dialects, dialect) != dialects.end();
  }
};

// Calls take(name, flag) for each yes-or-no promise, by its name in reports and messages.
template <typename Can, typename Take>
void each_flag(Can& can, Take take) {
  take("strided_input", can.strided_input);
  take("strided_output", can.strided_output);
  take("negative_strides", can.negative_strides);
  take("in_place", can.in_place);
  take("views", can.views);
  take("starts_threads", can.starts_threads);
  take("shape_only", can.shape_only);
  take("no_overlapping_strides", can.no_overlapping_strides);
  take("pattern_is_list", can.pattern_is_list);
  take("some_views", can.some_views);
  take("overlap", can.overlap);
  take("checks_output", can.checks_output);
}

}  // namespace reshape::conformance
