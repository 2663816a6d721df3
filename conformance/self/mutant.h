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

// What a mutant does otherwise than a right implementation. A step that is empty is done rightly.
struct Steps {
  using Infer = reshape_status(const reshape_request*, reshape_shape*, reshape_message*);
  using Execute = reshape_status(const reshape_request*, DLTensor*, reshape_message*);

  std::function<Infer> infer = {};
  std::function<Execute> execute = {};
  std::function<Execute> view = {};    // where it is given, views are promised
  std::function<void()> on_load = {};  // called when its table is made, once in a process
};

// A mutant of one step, or of two.
inline Steps inferring(std::function<Steps::Infer> step) { return {.infer = std::move(step)}; }
inline Steps executing(std::function<Steps::Execute> step) { return {.execute = std::move(step)}; }
inline Steps viewing(std::function<Steps::Execute> step) { return {.view = std::move(step)}; }
inline Steps answering(std::function<Steps::Infer> infer, std::function<Steps::Execute> execute) {
  return {.infer = std::move(infer), .execute = std::move(execute)};
}

// Where a mutant is wrong.
enum class Kind : std::uint8_t { rules, bytes, memory, answers, process, sequence };
std::string_view name(Kind kind);

// How a report has to name it: the plane, and the watch or comparison. Empty where no watch can see it
// in one request, only a law over several.
struct Caught {
  std::string_view plane = {};
  std::string_view watch = {};
};

// What not every row has to say: like("numpy/numpy#7455") | kHostile.
struct Notes {
  Caught by = {};               // where it is caught otherwise than most of its family
  std::string_view issue = {};  // of a public library that was like this
  bool hostile = false;         // crashes, hangs or floods: each case costs a host process
};
inline Notes caught(std::string_view plane, std::string_view watch) {
  return {.by = {plane, watch}};
}
inline Notes like(std::string_view issue) { return {.issue = issue}; }
inline constexpr Notes kHostile{.hostile = true};
Notes operator|(const Notes& one, const Notes& other);

// An implementation that is wrong in one sentence, and right otherwise: a row of a family's table.
struct Mutant {
  std::string name;
  ClauseOrDuty breaks;
  std::string
      cases;  // that show it, as --filter reads them, of openvino-reshape-1 where no document
              // is named; empty: all of it
  std::string says;  // the wrong sentence
  Steps steps;       // what it does otherwise
  Notes notes = {};
  Kind kind = Kind::rules;  // said once for the family

  Caught caught() const { return notes.by; }
  std::string_view public_bug() const { return notes.issue; }  // empty: none is known
  bool hostile() const { return notes.hostile; }
};
// The published examples: few, and enough where each case costs a host process.
inline constexpr char kExamples[] = "example-?";

// The rows with the kind of their family, and its way of being caught where they name no other.
using Mutants = std::vector<Mutant>;
Mutants family(Kind kind, Caught caught, Mutants rows);

// What is wrong where a condition holds, and how a sentence says it: "the last element is lost", or, behind
// the words of the condition, " is refused".
template <typename Subject>
struct EffectOn {
  std::string words;
  std::function<Steps(Condition<Subject>)> steps;

  std::string says(const std::string& where) const {
    if (words.starts_with(' ')) return where + words;
    return where.empty() ? words : words + ", for " + where;
  }
};

// What is wrong everywhere.
struct Mistake {
  std::string says;
  Steps steps;
};

// A row of a table whose rows all break the same clause or duty. Its sentence is its own, or made of an
// effect and where it is seen.
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

// The C contract's table of the mutant of this name, of "right" (the implementation that all of them
// start from) or of "right-but-chatty"; null when there is none. Made once in a process: a mutant
// keeps whatever it keeps until the process ends.
const reshape_plugin* table_of(std::string_view name);
// How often table_of was asked for this name in this process, which is what loading comes to.
int times_loaded(std::string_view name);

}  // namespace reshape::conformance::self
