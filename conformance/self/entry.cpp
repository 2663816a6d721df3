// The C contract's entry of every wrong implementation: RESHAPE_WRONG names the one to be.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "conformance/self/spoil.h"
#include "conformance/self/wrong.h"

namespace reshape::conformance::self {
namespace {

// More than any pipe holds.
void chatter() {
  for (int line = 0; line < 4096; ++line) std::puts("[info] reshaping, as always, with pleasure");
  std::fflush(stdout);
}

reshape_plugin chosen() {
  reshape_plugin table = right();
  const char* variable = std::getenv("RESHAPE_WRONG");
  const std::string_view name = variable == nullptr ? "" : variable;
  if (name == "right") return table;
  if (name == "right-but-chatty") {
    before_each_call(table, [] { chatter(); });
    return table;
  }
  const Wrong* wrong = wrong_named(name);
  if (wrong == nullptr) {
    // Not startable, so that a misspelt name is never taken for an implementation that passes.
    table.abi_version = 0;
    table.description.name = "unknown wrong variant";
    return table;
  }
  table.description.name = wrong->name().data();  // of a literal, so it ends in a NUL
  table.description.version = "wrong";
  wrong->spoil(table);
  return table;
}

}  // namespace
}  // namespace reshape::conformance::self

extern "C" const reshape_plugin* reshape_plugin_entry(void) {
  static const reshape_plugin table = reshape::conformance::self::chosen();
  return &table;
}
