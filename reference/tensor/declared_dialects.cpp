#include "reference/tensor/declared_dialects.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "reference/tensor/dialect_questions.h"

namespace reshape {

// Generated from specs/: a declaration a line.
extern const char* const kBuiltInDeclarations;

namespace {

// Sorted by name. A later declaration makes a new registry and keeps the older one, because
// somebody may hold a pointer into it.
struct Registry {
  std::vector<Dialect> dialects;
  const Registry* before = nullptr;

  void add(Dialect dialect) {
    const auto at = std::ranges::lower_bound(dialects, dialect.name, {}, &Dialect::name);
    if (at != dialects.end() && at->name == dialect.name) {
      *at = std::move(dialect);
    } else {
      dialects.insert(at, std::move(dialect));
    }
  }

  void add_lines(std::string_view lines) {
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      if (Result<Dialect> dialect = parse_declaration(lines.substr(0, end))) {
        add(std::move(dialect).value());
      }
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }
};

// Never freed: a library may ask while the process ends.
const Registry*& registry() {
  static const Registry* current = [] {
    auto* first = new Registry;
    first->add_lines(kBuiltInDeclarations);
    if (const char* more = std::getenv(kDeclarationsVariable)) first->add_lines(more);
    return first;
  }();
  return current;
}

}  // namespace

std::span<const Dialect> declared_dialects() { return registry()->dialects; }

bool is_declared(const Dialect* dialect) {
  const std::vector<Dialect>& all = registry()->dialects;
  const std::less<> before;
  return !before(dialect, all.data()) && before(dialect, all.data() + all.size());
}

const Dialect* declared_dialect(std::string_view name) {
  const std::span<const Dialect> all = declared_dialects();
  const auto at = std::ranges::lower_bound(all, name, {}, &Dialect::name);
  return at != all.end() && at->name == name ? &*at : nullptr;
}

void declare_dialects(std::span<const Dialect> dialects) {
  auto* fresh = new Registry(*registry());
  fresh->before = registry();
  const char* known_lines = std::getenv(kDeclarationsVariable);
  std::string lines = known_lines != nullptr ? known_lines : "";
  for (const Dialect& dialect : dialects) {
    const Dialect* known = declared_dialect(dialect.name);
    if (known != nullptr && *known == dialect) continue;
    fresh->add(dialect);
    if (!lines.empty()) lines += '\n';
    lines += declaration(dialect);
  }
  registry() = fresh;
  if (!lines.empty()) setenv(kDeclarationsVariable, lines.c_str(), 1);
}

}  // namespace reshape
