#include "conformance/self/mutant.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "conformance/self/random_mutant.h"
#include "conformance/self/spoil.h"

namespace reshape::conformance::self {
namespace {

constexpr auto kFamilies = {
    families::contract,     families::bytes_layout, families::bytes_lengths, families::bytes_places,
    families::bytes_values, families::memory,       families::process,       families::rules_shape,
    families::rules_values, families::rules_volume, families::rules_zero,    families::sequence,
};

// More than any pipe holds.
void chatter() {
  for (int line = 0; line < 4096; ++line) std::puts("[info] reshaping, as always, with pleasure");
  std::fflush(stdout);
}

std::map<std::string, int, std::less<>>& loads() {
  static std::map<std::string, int, std::less<>> all;
  return all;
}

// The functions of the C contract have no context parameter, so each mutant of this process has a
// slot, and its table's functions are instantiated with the slot's number.
constexpr std::size_t kSlots = 32;

std::array<Steps, kSlots>& slots() {
  static std::array<Steps, kSlots> all;
  return all;
}

template <std::size_t Slot>
void fill(reshape_plugin& table) {
  const Steps& steps = slots()[Slot];
  if (steps.infer) {
    table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                           reshape_message* why) {
      return slots()[Slot].infer({{*request, *why}, *shape});
    };
  }
  if (steps.execute) {
    table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
      return slots()[Slot].execute({{*request, *why}, *output});
    };
  }
  if (steps.view) {
    table.description.capabilities |= RESHAPE_VIEWS;
    table.view = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
      return slots()[Slot].view({{*request, *why}, *output});
    };
  }
}

template <std::size_t... Slots>
constexpr auto fillers(std::index_sequence<Slots...>) {
  return std::array{&fill<Slots>...};
}

bool spoil(reshape_plugin& table, const Steps& steps) {
  static std::size_t used = 0;
  constexpr auto kFill = fillers(std::make_index_sequence<kSlots>());
  if (used == kSlots) return false;
  slots()[used] = steps;
  kFill[used++](table);
  if (steps.on_load) steps.on_load();
  return true;
}

bool make(std::string_view name, reshape_plugin& table) {
  if (name == "right") return true;
  if (name == "right-but-chatty") return spoil(table, before_each_call(chatter));
  const Mutant* mutant = mutant_named(name);
  if (mutant == nullptr) return false;
  table.description.name = mutant->name.c_str();
  table.description.version = "mutant";
  // Most mistakes are made after a right execution, which has already overwritten overlapping data:
  // only mutants about overlaps and other outputs promise RESHAPE_OVERLAP.
  const Duty duty = mutant->breaks.duty;
  if (duty != Duty::C20 && duty != Duty::C21) table.description.capabilities &= ~RESHAPE_OVERLAP;
  return spoil(table, mutant->steps);
}

}  // namespace

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::rules: return "rules";
    case Kind::bytes: return "bytes";
    case Kind::memory: return "memory";
    case Kind::answers: return "answers";
    case Kind::process: return "process";
    case Kind::sequence: return "sequence";
  }
  return "";
}

Notes operator|(const Notes& one, const Notes& other) {
  return {.by = one.by.watch.empty() ? other.by : one.by,
          .issue = one.issue.empty() ? other.issue : one.issue,
          .hostile = one.hostile || other.hostile};
}

Mutant::Mutant(std::string called, std::string shown_by, std::string sentence, Steps otherwise,
               Notes more)
    : name(std::move(called)),
      cases(std::move(shown_by)),
      says(std::move(sentence)),
      steps(std::move(otherwise)),
      notes(more) {}

Mutants& Table::rows(ClauseOrDuty breaks, const Notes& notes) {
  groups_.push_back({breaks, notes, {}});
  return groups_.back().rows;
}

Mutants Table::mutants() const {
  Mutants all;
  for (const Group& group : groups_) {
    for (Mutant row : group.rows) {
      row.breaks = group.breaks;
      row.kind = kind_;
      row.notes = row.notes | group.notes | Notes{.by = caught_};
      all.push_back(std::move(row));
    }
  }
  return all;
}

std::span<const Mutant> all_mutants() {
  static const Mutants all = [] {
    Mutants mutants;
    for (Mutants (*const table)() : kFamilies) {
      Mutants rows = table();
      std::move(rows.begin(), rows.end(), std::back_inserter(mutants));
    }
    std::sort(mutants.begin(), mutants.end(),
              [](const Mutant& one, const Mutant& other) { return one.name < other.name; });
    return mutants;
  }();
  return all;
}

const Mutant* mutant_named(std::string_view name) {
  for (const Mutant& mutant : all_mutants()) {
    if (mutant.name == name) return &mutant;
  }
  return random_mutant_named(name);
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
