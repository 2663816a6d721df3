#pragma once

#include <string>
#include <utility>
#include <vector>

namespace reshape::conformance::performance {

// The properties of a machine that measurements depend on.
struct Machine {
  std::string processor;  // "AMD EPYC 9R14"
  int processors = 1;     // that may run this program
  std::string governor;   // "performance", or "unknown" where the system does not say
  std::string caches;     // "L1d 32K, L2 1024K, L3 32768K"
  std::string kernel;     // of the system
  double load = 0;        // runnable processes, averaged over the last minute
  double stolen = 0;      // share of the processors' time that the hypervisor took
};

Machine this_machine();

// What must be equal for stored results to be comparable: the processor and its caches.
std::string identity(const Machine& machine);

// The variables of this process by which libraries are told about threads and instruction sets
// (RESHAPE_..., OMP_...), in order, with blanks between them.
std::string setting_text();

// Names and values, as reports list them.
std::vector<std::pair<std::string, std::string>> facts(const Machine& machine);

}  // namespace reshape::conformance::performance
