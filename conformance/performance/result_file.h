#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/tensor/result.h"

namespace reshape::conformance::performance {

// A stored result for one workload: one value for each repetition, less is better. Copies are
// measured in units of the best plain copy of as many bytes, inference and views in units of the
// product loop (yardsticks.h), since changes of the clock or of other load affect both alike. In
// nanoseconds only where no yardstick was timed.
struct Figure {
  std::vector<double> values;
  std::string unit;  // "copies", "product loops" or "ns"
  std::string ask;   // question(); empty in results of programs that did not write it yet
  double ns = 0;     // of a call; median
  // The time relative to peers: one value for each repetition. Peers that failed or were wrong once
  // are left out.
  std::map<std::string, std::vector<double>> over_peers = {};
};

struct ResultFile {
  std::string machine;  // identity() of the machine that it was measured on
  std::string library;
  std::string digest;                     // its SHA-256; empty where it was no file
  std::string setting;                    // setting_text() of the session
  int passes = 0;                         // of each repetition; 0: it does not say
  std::map<std::string, Figure> figures;  // by workload
};

// Reads the JSON of `bench`. `where` names it in errors. Repetitions that failed are not in it.
Result<ResultFile> read_result(std::string_view json, const std::string& where);

}  // namespace reshape::conformance::performance
