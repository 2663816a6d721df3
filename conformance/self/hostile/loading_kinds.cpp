// Libraries that misbehave before the first request: while loading, or in their description.
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "conformance/self/hostile/hostile.h"

namespace hostile {
namespace {

Kind at_load(std::string_view name, std::string_view says, void (*task)()) {
  Kind kind{name, says};
  kind.when_loaded = task;
  return kind;
}

Kind at_unload(std::string_view name, std::string_view says, void (*task)()) {
  Kind kind{name, says};
  kind.when_unloaded = task;
  return kind;
}

Kind described(std::string_view name, std::string_view says, void (*task)(reshape_plugin&)) {
  Kind kind{name, says};
  kind.describes = task;
  return kind;
}

Kind entered(std::string_view name, std::string_view says, const reshape_plugin* (*task)()) {
  Kind kind{name, says};
  kind.entry = task;
  return kind;
}

// A text without a NUL, directly before an unreadable page.
const char* endless_text() {
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* pages = mmap(nullptr, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memset(pages, 'x', size);
  mprotect(static_cast<char*>(pages) + size, size, PROT_NONE);
  return static_cast<char*>(pages) + size - 16;
}

const char* freed_text(const char* text) {
  char* copy = strdup(text);
  // Hides the pointer from the compiler, which would warn of the intended mistake.
  const char* kept = copy;
  asm volatile("" : "+r"(kept));
  free(copy);
  return kept;
}

}  // namespace

Kinds loading_kinds() {
  return {
      at_load("load-crashes", "writes to nowhere while it is loaded", write_nowhere),
      at_load("load-aborts", "aborts while it is loaded", [] { std::abort(); }),
      at_load("load-exits", "ends the process with 0 while it is loaded", [] { _exit(0); }),
      at_load("load-kills", "kills its process while it is loaded", [] { raise(SIGKILL); }),
      at_load("load-prints", "prints while it is loaded, and is right",
              [] { [[maybe_unused]] const auto sent = write(1, "hello\n\x1b[2J", 10); }),
      at_load("load-starts-a-daemon", "starts a daemon while it is loaded, and is right",
              start_daemon),
      at_load("load-forks", "forks without an end while it is loaded", fork_without_end),
      at_unload("unload-crashes", "writes to nowhere while it is unloaded", write_nowhere),
      at_unload("unload-exits", "ends its process with 7 while it is unloaded", [] { _exit(7); }),
      at_unload("unload-hangs", "never returns from being unloaded",
                [] {
                  for (;;) pause();
                }),
      entered("entry-null", "has no table", []() -> const reshape_plugin* { return nullptr; }),
      entered("entry-throws", "throws in place of a table",
              []() -> const reshape_plugin* { throw std::runtime_error("no table today"); }),
      entered("entry-crashes", "has a table at an address that is not there",
              []() -> const reshape_plugin* { return reinterpret_cast<reshape_plugin*>(64); }),
      described("table-version", "has a table of version 7",
                [](reshape_plugin& table) { table.abi_version = 7; }),
      described("table-size", "has a table that is too small",
                [](reshape_plugin& table) { table.struct_size = 8; }),
      described("table-no-inference", "has no infer_shape",
                [](reshape_plugin& table) { table.infer_shape = nullptr; }),
      described("table-no-execution", "has no execute and promises it",
                [](reshape_plugin& table) { table.execute = nullptr; }),
      described("table-capabilities", "sets every capability bit",
                [](reshape_plugin& table) { table.description.capabilities = ~0u; }),
      described("describes-no-name", "has no name",
                [](reshape_plugin& table) { table.description.name = nullptr; }),
      described("describes-no-dialect", "declares blanks only",
                [](reshape_plugin& table) { table.description.dialects = " \t\n "; }),
      described("describes-another-dialect", "declares a dialect that no document describes",
                [](reshape_plugin& table) { table.description.dialects = "fortran-reshape-77"; }),
      described("describes-freed-text", "frees the texts that it describes itself with",
                [](reshape_plugin& table) {
                  table.description.dialects =
                      freed_text("openvino-reshape-1 and forty more names");
                  table.description.name = freed_text("a name that is freed before it is read");
                }),
      described("describes-endless-text", "has a name without an end",
                [](reshape_plugin& table) { table.description.name = endless_text(); }),
      described("describes-a-megabyte", "has a name of a megabyte",
                [](reshape_plugin& table) {
                  static const std::string name(1 << 20, 'm');
                  table.description.name = name.c_str();
                }),
      described("describes-control-bytes", "has a name that clears terminals and turns text round",
                [](reshape_plugin& table) {
                  table.description.name = "mine\x1b[2J\x1b]0;owned\x07\xe2\x80\xae\xc2\x9b";
                }),
      described("describes-a-command", "has a name that a CI service takes for a command",
                [](reshape_plugin& table) { table.description.name = "::stop-commands::x"; }),
      described("describes-unknown-type", "names an element type that is none",
                [](reshape_plugin& table) { table.description.element_types = "f32 f33"; }),
      described("describes-negative-rank", "has a largest rank of -1",
                [](reshape_plugin& table) { table.description.max_rank = -1; }),
      described("describes-odd-alignment", "wants an alignment of 3",
                [](reshape_plugin& table) { table.description.alignment = 3; }),
      described("describes-too-much", "promises 4-bit elements, and refuses them",
                [](reshape_plugin& table) { table.description.element_types = "f32 f64 i4"; }),
  };
}

}  // namespace hostile
