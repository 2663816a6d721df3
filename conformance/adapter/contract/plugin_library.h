#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "conformance/abi/reshape_plugin.h"
#include "conformance/model/capabilities.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Where the code of a library lies in this process.
struct LoadedCode {
  std::uintptr_t base = 0;   // the difference to the addresses in the file
  std::uintptr_t begin = 0;  // of its executable segments
  std::uintptr_t end = 0;
  bool holds(std::uintptr_t address) const { return begin <= address && address < end; }
};

// A loaded shared library whose table was checked, unloaded when this is destroyed. The only place
// that knows how libraries are loaded.
class PluginLibrary {
 public:
  // The error is one sentence that names the file: no such file, not a shared library, no entry
  // symbol, a table of another version, a description that contradicts itself.
  // "mutant:NAME" and the like name what is built in (see offer_built_in); it is never unloaded.
  static Result<std::unique_ptr<PluginLibrary>> load(const std::string& path);

  ~PluginLibrary();
  PluginLibrary(const PluginLibrary&) = delete;
  PluginLibrary& operator=(const PluginLibrary&) = delete;

  const reshape_plugin& table() const { return *table_; }
  const Capabilities& capabilities() const { return capabilities_; }
  LoadedCode code() const;  // empty for what is built in

 private:
  PluginLibrary(void* handle, const reshape_plugin* table, Capabilities capabilities);

  void* handle_;
  const reshape_plugin* table_;
  Capabilities capabilities_;
};

// From now on "PREFIX:NAME" names an implementation inside this program instead of a file;
// `table_of` returns its table, or null where there is none. To be called in every process that
// loads libraries, host processes included, before anything is loaded.
void offer_built_in(const std::string& prefix, const reshape_plugin* (*table_of)(std::string_view));

// Whether this path names something that is built in.
bool names_built_in(std::string_view path);

// Checks a table and its description (duty C1). `file` names the library in the error.
Result<Capabilities> check_table(const reshape_plugin* table, const std::string& file);

}  // namespace reshape::conformance
