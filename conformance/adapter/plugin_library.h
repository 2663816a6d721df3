#pragma once

#include <memory>
#include <string>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/model/capabilities.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A loaded shared library whose table was checked. Kept loaded as long as this lives; the only place
// that knows how libraries are loaded.
class PluginLibrary {
 public:
  // The error is one sentence that names the file: no such file, not a shared library, no entry
  // symbol, a table of another version, a description that contradicts itself.
  static Result<std::unique_ptr<PluginLibrary>> load(const std::string& path);

  ~PluginLibrary();
  PluginLibrary(const PluginLibrary&) = delete;
  PluginLibrary& operator=(const PluginLibrary&) = delete;

  const reshape_plugin& table() const { return *table_; }
  const Capabilities& capabilities() const { return capabilities_; }

 private:
  PluginLibrary(void* handle, const reshape_plugin* table, Capabilities capabilities);

  void* handle_;
  const reshape_plugin* table_;
  Capabilities capabilities_;
};

// The checks of a table and its description, apart from loading. `file` names the library in the
// error. Duty C1.
Result<Capabilities> check_table(const reshape_plugin* table, const std::string& file);

}  // namespace reshape::conformance
