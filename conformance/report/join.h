#pragma once

#include <string>
#include <vector>

#include "conformance/report/report.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// What a shard asked, and the file that says so.
struct Part {
  std::string file;
  Report result;
};

// What the shards of a run over these cases have in common.
Whole whole_of(const std::vector<const Case*>& cases);

// The shards of one run as the run that they are parts of: its cases in the order of the suite, its verdict
// that of all. Laws, which every shard may ask, count once, and a broken one stays broken. A diagnosis, which
// is of a part's failures, is left out.
// The error, which names the file: a run without --shard, one of another run (program, suite, library,
// options, or cases), a part that is there twice, that is missing, or that holds other cases than its own.
Result<Report> joined(std::vector<Part> parts);

}  // namespace reshape::conformance
