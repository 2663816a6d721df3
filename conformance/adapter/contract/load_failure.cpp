#include "conformance/adapter/contract/load_failure.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "conformance/abi/reshape_plugin.h"

namespace reshape::conformance {
namespace {

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

}  // namespace

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

}  // namespace reshape::conformance
