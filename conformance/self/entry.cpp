// The ledger of mutants as a shared library: RESHAPE_MUTANT names the mutant, or is "right".
#include <cstdlib>
#include <string_view>

#include "conformance/self/mutant.h"

extern "C" const reshape_plugin* reshape_plugin_entry(void) {
  const char* name = std::getenv("RESHAPE_MUTANT");
  // A misspelt name gives an invalid table, so that it cannot be mistaken for a passing
  // implementation.
  static const reshape_plugin nobody = [] {
    reshape_plugin table{};
    table.description.name = "unknown mutant";
    return table;
  }();
  const reshape_plugin* table = reshape::conformance::self::table_of(name == nullptr ? "" : name);
  return table == nullptr ? &nobody : table;
}
