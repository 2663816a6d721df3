#include "conformance/adapter/contract/plugin_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "conformance/adapter/child/command_words.h"
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

using Header = ElfW(Ehdr);

std::string begin_of(const std::string& path, std::size_t bytes) {
  std::string begin(bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(bytes));
  begin.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return begin;
}

// A structure of the file, or nothing where the file ends before it.
template <typename T>
std::optional<T> part_at(std::string_view file, std::size_t at) {
  if (at > file.size() || file.size() - at < sizeof(T)) return std::nullopt;
  T part;
  std::memcpy(&part, file.data() + at, sizeof part);
  return part;
}

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386: return "x86";
    case EM_ARM: return "ARM";
    case EM_PPC64: return "PowerPC";
    case EM_S390: return "S/390";
    case EM_X86_64: return "x86-64";
    case EM_AARCH64: return "AArch64";
    case EM_RISCV: return "RISC-V";
    case EM_LOONGARCH: return "LoongArch";
    default: return "the processor of ELF number " + std::to_string(machine);
  }
}

std::string built_for(const Header& header) {
  const char* bits = header.e_ident[EI_CLASS] == ELFCLASS32 ? "32-bit " : "";
  return bits + machine_name(header.e_machine);
}

bool is_text(std::string_view begin) {
  return !begin.empty() && std::ranges::none_of(begin, [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte == 0x7f ||
           (byte < ' ' && std::string_view("\t\n\r\f").find(letter) == std::string_view::npos);
  });
}

std::string_view text_at(std::string_view file, std::size_t at) {
  if (at >= file.size()) return {};
  const std::string_view rest = file.substr(at);
  return rest.substr(0, rest.find('\0'));
}

// Why this symbol is not found as the entry, or nothing where it has nothing to do with it.
std::string why_not_found(const ElfW(Sym) & symbol, std::string_view name) {
  constexpr std::string_view kEntry = RESHAPE_PLUGIN_ENTRY_NAME;
  const std::string missing = "has no symbol " RESHAPE_PLUGIN_ENTRY_NAME;
  if (symbol.st_shndx == SHN_UNDEF) return "";
  if (name == kEntry) {
    return missing +
           " that others see: its symbol is local or hidden; declare it RESHAPE_EXPORT, "
           "and neither static nor left out by a version script";
  }
  if (name.starts_with("_Z") && name.find(kEntry) != std::string_view::npos) {
    return missing + ", but the C++ name " + std::string(name.substr(0, 200)) +
           ": declare it extern \"C\"";
  }
  return "";
}

// Whether the file ends before the parts that its headers say are to be mapped. Such a file kills
// the loader itself.
bool is_cut_off(const std::string& path, std::size_t bytes) {
  constexpr std::size_t kHeaders = 16 << 10;
  const std::string begin = begin_of(path, kHeaders);
  const auto header = part_at<Header>(begin, 0);
  if (!header || !begin.starts_with(ELFMAG)) return false;
  for (std::size_t index = 0; index < header->e_phnum; ++index) {
    const auto part = part_at<ElfW(Phdr)>(begin, header->e_phoff + index * header->e_phentsize);
    if (!part) return header->e_phoff + header->e_phnum * header->e_phentsize > bytes;
    if (part->p_type == PT_LOAD && part->p_filesz > 0 &&
        (part->p_offset > bytes || part->p_filesz > bytes - part->p_offset)) {
      return true;
    }
  }
  return false;
}

// Why the loader refuses the file at `path`, and what to do about it, from what the file holds; the
// loader's own words `said` where the file does not tell.
std::string why_not_loaded(const std::string& path, const std::string& said) {
  constexpr const char* kChild = "a program is reached by -i 'child:COMMAND'";
  if (access(path.c_str(), R_OK) != 0) return std::strerror(errno);
  const std::string begin = begin_of(path, 512);
  if (begin.empty()) return "the file is empty";
  if (begin.starts_with("!<arch>\n") || begin.starts_with("!<thin>\n")) {
    return "it is a static archive: link its objects into a shared library, with -shared";
  }
  if (begin.starts_with("#!")) return std::string("it is a script, no shared library: ") + kChild;
  if (!begin.starts_with(ELFMAG)) {
    if (!is_text(begin)) return said;
    return std::string(
               "it is a text file, no shared library: compile a source into one, with "
               "-shared -fPIC; ") +
           kChild;
  }
  const auto its = part_at<Header>(begin, 0);
  const auto ours = part_at<Header>(begin_of("/proc/self/exe", sizeof(Header)), 0);
  if (!its || !ours || its->e_ident[EI_DATA] != ours->e_ident[EI_DATA]) return said;
  if (its->e_machine != ours->e_machine || its->e_ident[EI_CLASS] != ours->e_ident[EI_CLASS]) {
    return "it is built for " + built_for(*its) + ", this program for " + built_for(*ours);
  }
  if (its->e_type == ET_REL) {
    return "it is an object file: link it into a shared library, with -shared";
  }
  return said;
}

// That the library at `path` has no entry symbol. If its symbol table holds one that cannot be
// found by name, says why and what to do about it.
std::string why_no_entry(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  using Section = ElfW(Shdr);
  using Symbol = ElfW(Sym);
  const auto header = part_at<Header>(file, 0);
  const std::size_t sections = header ? header->e_shnum : 0;
  const auto section = [&](std::size_t index) {
    return part_at<Section>(file, header->e_shoff + index * sizeof(Section));
  };
  for (std::size_t index = 0; index < sections; ++index) {
    const auto table = section(index);
    if (!table || (table->sh_type != SHT_SYMTAB && table->sh_type != SHT_DYNSYM)) continue;
    const auto names = section(table->sh_link);
    if (!names || table->sh_offset > file.size()) continue;
    const std::size_t size = std::min<std::size_t>(table->sh_size, file.size() - table->sh_offset);
    for (std::size_t at = 0; at + sizeof(Symbol) <= size; at += sizeof(Symbol)) {
      const auto symbol = part_at<Symbol>(file, table->sh_offset + at);
      if (!symbol) break;
      const std::string why =
          why_not_found(*symbol, text_at(file, names->sh_offset + symbol->st_name));
      if (!why.empty()) return why;
    }
  }
  return "has no symbol " RESHAPE_PLUGIN_ENTRY_NAME;
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
