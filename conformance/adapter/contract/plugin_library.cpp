#include "conformance/adapter/contract/plugin_library.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "conformance/adapter/child/command_words.h"
#include "conformance/adapter/contract/load_failure.h"
#include "conformance/adapter/contract/thrown.h"

namespace reshape::conformance {
namespace {

struct BuiltIn {
  std::string prefix;
  const reshape_plugin* (*table_of)(std::string_view name) = nullptr;
};

BuiltIn& built_in() {
  static BuiltIn offered;
  return offered;
}

// Adds "./" to a bare file name, which dlopen would search in the system's folders.
std::string with_folder(const std::string& path) {
  return path.find('/') == std::string::npos ? "./" + path : path;
}

// The loader's own words, without the path at their beginning.
std::string loader_says(const std::string& path) {
  const char* said = dlerror();
  std::string words = said != nullptr ? said : "no reason given";
  if (words.rfind(path + ": ", 0) == 0) words.erase(0, path.size() + 2);
  return words;
}

}  // namespace

void offer_built_in(const std::string& prefix,
                    const reshape_plugin* (*table_of)(std::string_view)) {
  built_in() = {prefix + ":", table_of};
}

bool names_built_in(std::string_view path) {
  return built_in().table_of != nullptr && path.starts_with(built_in().prefix);
}

PluginLibrary::PluginLibrary(void* handle, const reshape_plugin* table, Capabilities capabilities)
    : handle_(handle), table_(table), capabilities_(std::move(capabilities)) {}

// Not unloaded if its threads may still be running its code.
PluginLibrary::~PluginLibrary() {
  if (handle_ != nullptr && !capabilities_.starts_threads) dlclose(handle_);
}

LoadedCode PluginLibrary::code() const {
  const link_map* loaded = nullptr;
  if (handle_ == nullptr || dlinfo(handle_, RTLD_DI_LINKMAP, &loaded) != 0) return {};
  LoadedCode code{loaded->l_addr, 0, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* one, std::size_t, void* found) {
        auto& in = *static_cast<LoadedCode*>(found);
        if (one->dlpi_addr != in.base) return 0;
        for (int i = 0; i < one->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = one->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
          const std::uintptr_t begin = in.base + segment.p_vaddr;
          if (in.begin == 0 || begin < in.begin) in.begin = begin;
          in.end = std::max<std::uintptr_t>(in.end, begin + segment.p_memsz);
        }
        return 1;
      },
      &code);
  return code;
}

Result<std::unique_ptr<PluginLibrary>> PluginLibrary::load(const std::string& path) {
  if (names_built_in(path)) {
    const std::string name = path.substr(built_in().prefix.size());
    const reshape_plugin* table = built_in().table_of(name);
    if (table == nullptr) return Error{"there is none of this name", path};
    Result<Capabilities> capabilities = check_table(table, path);
    if (!capabilities) return capabilities.error();
    return std::unique_ptr<PluginLibrary>(
        new PluginLibrary(nullptr, table, std::move(capabilities).value()));
  }
  if (names_child(path)) {
    return Error{"a child process is reached by run, replay and doctor, and by nothing else", path};
  }
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0) return Error{std::strerror(errno), path};
  if (!S_ISREG(about.st_mode)) return Error{"not a file", path};

  const std::string file = with_folder(path);
  if (is_cut_off(file, static_cast<std::size_t>(about.st_size))) {
    return Error{"cannot be loaded: the file is cut off: its headers tell of more than it holds",
                 path};
  }
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return Error{"cannot be loaded: " + why_not_loaded(file, loader_says(file)), path};
  const auto entry =
      reinterpret_cast<const reshape_plugin* (*)()>(dlsym(handle, RESHAPE_PLUGIN_ENTRY_NAME));
  if (entry == nullptr) {
    dlclose(handle);
    return Error{why_no_entry(file), path};
  }
  const reshape_plugin* table = nullptr;
  if (const auto thrown = thrown_by([&] { table = entry(); })) {
    return Error{RESHAPE_PLUGIN_ENTRY_NAME " " + *thrown, path};  // stays loaded: what() is in it
  }
  Result<Capabilities> capabilities = check_table(table, path);
  if (!capabilities) {
    dlclose(handle);
    return capabilities.error();
  }
  return std::unique_ptr<PluginLibrary>(
      new PluginLibrary(handle, table, std::move(capabilities).value()));
}

}  // namespace reshape::conformance
