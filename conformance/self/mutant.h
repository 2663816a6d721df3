#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "conformance/abi/duty.h"
#include "conformance/abi/reshape_plugin.h"
#include "conformance/self/condition.h"

namespace reshape::conformance::self {

// The steps that a mutant does differently. An empty step is done correctly.
struct Steps {
  using Infer = reshape_status(const reshape_request*, reshape_shape*, reshape_message*);
  using Execute = reshape_status(const reshape_request*, DLTensor*, reshape_message*);

  std::function<Infer> infer = {};
  std::function<Execute> execute = {};
  std::function<Execute> view = {};    // if set, views are promised
  std::function<void()> on_load = {};  // called when its table is made, once in a process
};

// Steps of a mutant that is wrong in one step.
inline Steps inferring(std::function<Steps::Infer> step) { return {.infer = std::move(step)}; }
inline Steps executing(std::function<Steps::Execute> step) { return {.execute = std::move(step)}; }
inline Steps viewing(std::function<Steps::Execute> step) { return {.view = std::move(step)}; }
inline Steps answering(std::function<Steps::Infer> infer, std::function<Steps::Execute> execute) {
  return {.infer = std::move(infer), .execute = std::move(execute)};
}

// The area in which a mutant is wrong.
enum class Kind : std::uint8_t { rules, bytes, memory, answers, process, sequence };
std::string_view name(Kind kind);

// How a report must name it: the plane, and the watch or comparison. Empty where only a law over
// several requests can show it.
struct Caught {
  std::string_view plane = {};
  std::string_view watch = {};
};

// Optional parts of a row: like("numpy/numpy#7455") | kHostile.
struct Notes {
  Caught by = {};               // if it is caught in another way than most of its family
  std::string_view issue = {};  // of a public library that had this mistake
  bool hostile = false;         // crashes, hangs or floods: each case costs a host process
};
inline Notes caught(std::string_view plane, std::string_view watch) {
  return {.by = {plane, watch}};
}
inline Notes like(std::string_view issue) { return {.issue = issue}; }
inline constexpr Notes kHostile{.hostile = true};
Notes operator|(const Notes& one, const Notes& other);

// An implementation with one mistake, which one sentence describes: a row of a family's table.
struct Mutant {
  std::string name;
  ClauseOrDuty breaks;
  std::string
      cases;  // that show it, as --filter reads them, of openvino-reshape-1 where no document
              // is named; empty: all of it
  std::string says;  // the mistake as a sentence
  Steps steps;       // what it does differently
  Notes notes = {};
  Kind kind = Kind::rules;  // said once for the family

  Caught caught() const { return notes.by; }
  std::string_view public_bug() const { return notes.issue; }  // empty: none is known
  bool hostile() const { return notes.hostile; }
};
// The published examples: few, and enough where each case costs a host process.
inline constexpr char kExamples[] = "example-?";

// The rows with their family's kind, and its `caught` unless they have their own.
using Mutants = std::vector<Mutant>;
Mutants family(Kind kind, Caught caught, Mutants rows);

// What is wrong where a condition is true, with its words: "the last element is lost", or " is
// refused", to follow the condition's words.
template <typename Subject>
struct EffectOn {
  std::string words;
  std::function<Steps(Condition<Subject>)> steps;

  std::string says(const std::string& where) const {
    if (words.starts_with(' ')) return where + words;
    return where.empty() ? words : words + ", for " + where;
  }
};

// A mistake without a condition.
struct Mistake {
  std::string says;
  Steps steps;
};

// A row of a table whose rows all break the same clause or duty. Its sentence is its own, or
// composed of an effect and a condition.
struct Row {
  Row(std::string called, std::string shown_by, std::string sentence, Steps otherwise,
      Notes more = {});
  Row(std::string called, std::string shown_by, const Mistake& mistake, Notes more = {})
      : Row(std::move(called), std::move(shown_by), mistake.says, mistake.steps, more) {}
  template <typename Subject>
  Row(std::string called, std::string shown_by, const EffectOn<Subject>& effect,
      const std::type_identity_t<Said<Subject>>& when = {"", [](const Subject&) { return true; }},
      Notes more = {})
      : Row(std::move(called), std::move(shown_by), effect.says(when.words), effect.steps(when),
            more) {}

  std::string name, cases, says;
  Steps steps;
  Notes notes;
};
Mutants breaking(ClauseOrDuty breaks, std::vector<Row> rows, const Notes& notes = {});
Mutants joined(std::initializer_list<Mutants> tables);

// The rows of a family by what they break: table["volume.kept"] = {...}.
class Table {
 public:
  std::vector<Row>& operator[](ClauseOrDuty breaks) {
    return groups_.emplace_back(breaks, std::vector<Row>()).second;
  }
  // With the kind of the family, and its way of being caught where they name no other.
  Mutants of(Kind kind, Caught caught) const;

 private:
  std::vector<std::pair<ClauseOrDuty, std::vector<Row>>> groups_;
};

// A function for each table of mutants/; mutant.cpp lists them.
namespace families {
Mutants bytes_layout();
Mutants bytes_lengths();
Mutants bytes_places();
Mutants bytes_tiles();
Mutants bytes_values();
Mutants contract();
Mutants memory();
Mutants process();
Mutants rules_shape();
Mutants rules_values();
Mutants rules_volume();
Mutants rules_zero();
Mutants sequence();
}  // namespace families

// Every mutant of every family, ordered by name.
std::span<const Mutant> all_mutants();
// One of them, or the random one of the name "random/SEED/NUMBER"; null when there is none.
const Mutant* mutant_named(std::string_view name);

// The C contract's table of the mutant of this name, of "right" (the implementation that all of
// them start from) or of "right-but-chatty"; null when there is none. Made once in a process, so a
// mutant keeps its state until the process ends.
const reshape_plugin* table_of(std::string_view name);
// How often table_of was called for this name in this process, that is, how often it was loaded.
int times_loaded(std::string_view name);

}  // namespace reshape::conformance::self
