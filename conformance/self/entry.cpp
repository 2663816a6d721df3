// The ledger as a shared library: RESHAPE_MUTANT names the mutant to be, or "right".
#include <cstdlib>
#include <string_view>

#include "conformance/self/mutant.h"

extern "C" const reshape_plugin* reshape_plugin_entry(void) {
  const char* name = std::getenv("RESHAPE_MUTANT");
  // A misspelt name cannot be started, so that it is never taken for an implementation that passes.
  static const reshape_plugin nobody = [] {
    reshape_plugin table{};
    table.description.name = "unknown mutant";
    return table;
  }();
  const reshape_plugin* table = reshape::conformance::self::table_of(name == nullptr ? "" : name);
  return table == nullptr ? &nobody : table;
}
