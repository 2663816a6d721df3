#pragma once

#include <string>
#include <vector>

#include "conformance/report/report.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// The report of a shard, and its file.
struct Part {
  std::string file;
  Report result;
};

// What the shards of a run over these cases have in common.
Whole whole_of(const std::vector<const Case*>& cases);

// Joins the shards of one run: the cases in the order of the suite, with one verdict for all. Laws,
// which every shard may check, count once; a law that any shard broke is broken. Diagnoses, which
// are about a part's failures, are left out. Errors, which name the file: a run without --shard, a
// part of another run (another program, suite, library, options or cases), one of which it is not
// known which library was asked, a duplicate or missing
// part, or one with cases that are not its own.
Result<Report> joined(std::vector<Part> parts);

}  // namespace reshape::conformance
