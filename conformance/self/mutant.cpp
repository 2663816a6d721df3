#include "conformance/self/mutant.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

// A function's static, because entries of other files arrive before this file's own statics.
std::vector<Mutant>& entries() {
  static std::vector<Mutant> all;
  return all;
}

// More than any pipe holds.
void chatter() {
  for (int line = 0; line < 4096; ++line) std::puts("[info] reshaping, as always, with pleasure");
  std::fflush(stdout);
}

std::map<std::string, int, std::less<>>& loads() {
  static std::map<std::string, int, std::less<>> all;
  return all;
}

bool make(std::string_view name, reshape_plugin& table) {
  if (name == "right") return true;
  if (name == "right-but-chatty") {
    before_each_call(table, [] { chatter(); });
    return true;
  }
  const Mutant* mutant = mutant_named(name);
  if (mutant == nullptr) return false;
  table.description.name = mutant->name().data();  // of a literal, so it ends in a NUL
  table.description.version = "mutant";
  mutant->spoil(table);
  return true;
}

}  // namespace

std::string_view Mutant::kind() const {
  std::string_view stem = file_.substr(file_.rfind('/') + 1);
  return stem.substr(0, stem.find_first_of("_."));
}

Entered::Entered(Mutant mutant) {
  std::vector<Mutant>& all = entries();
  const auto behind = std::find_if(
      all.begin(), all.end(), [&](const Mutant& other) { return mutant.name() < other.name(); });
  all.insert(behind, mutant);
}

std::span<const Mutant> all_mutants() { return entries(); }

const Mutant* mutant_named(std::string_view name) {
  for (const Mutant& mutant : all_mutants()) {
    if (mutant.name() == name) return &mutant;
  }
  return nullptr;
}

const reshape_plugin* table_of(std::string_view name) {
  static std::map<std::string, reshape_plugin, std::less<>> tables;
  ++loads()[std::string(name)];
  const auto known = tables.find(name);
  if (known != tables.end()) return &known->second;
  reshape_plugin table = right();
  if (!make(name, table)) return nullptr;
  return &tables.emplace(name, table).first->second;
}

int times_loaded(std::string_view name) {
  const auto known = loads().find(name);
  return known == loads().end() ? 0 : known->second;
}

}  // namespace reshape::conformance::self
