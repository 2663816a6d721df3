#pragma once

#include <string>
#include <utility>
#include <vector>

namespace reshape::conformance::performance {

// What of a machine its figures depend on.
struct Machine {
  std::string processor;  // "AMD EPYC 9R14"
  int processors = 1;     // that may run this program
  std::string governor;   // "performance", or "unknown" where the system does not say
  std::string caches;     // "L1d 32K, L2 1024K, L3 32768K"
  std::string kernel;     // of the system
  double load = 0;        // processes that want to run, over the last minute
  double stolen = 0;      // part of the processors' time that the host of this machine took
};

Machine this_machine();

// What has to be equal for stored results to be comparable: the processor and its caches.
std::string identity(const Machine& machine);

// The variables of this process by which libraries are told about threads and instruction sets
// (RESHAPE_..., OMP_...), in order, with blanks between them.
std::string setting_text();

// Names and values, as reports list them.
std::vector<std::pair<std::string, std::string>> facts(const Machine& machine);

}  // namespace reshape::conformance::performance
