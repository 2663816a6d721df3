#pragma once

#include <cstdint>
#include <functional>
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

// A call, and the right way to answer it.
struct Call {
  const reshape_request& request;
  reshape_message& why;

  const DLTensor& data() const { return *request.data; }
  reshape_status answer(reshape_status status, const char* sentence) const;
};
struct Inference : Call {
  reshape_shape& shape;

  reshape_status right() const { return right(request); }
  reshape_status right(const reshape_request& instead) const;
};
struct Execution : Call {
  DLTensor& output;  // of a view too, which is answered rightly by right_view()

  reshape_status right() const { return right(request, output); }
  reshape_status right(const reshape_request& instead) const { return right(instead, output); }
  reshape_status right(const reshape_request& instead, DLTensor& into) const;
  reshape_status right_view() const;
};
using Infer = std::function<reshape_status(const Inference&)>;
using Execute = std::function<reshape_status(const Execution&)>;

// The steps that a mutant does differently. An empty step is done correctly.
struct Steps {
  Infer infer = {};
  Execute execute = {};
  Execute view = {};                   // if set, views are promised
  std::function<void()> on_load = {};  // called when its table is made, once in a process
};

// Steps of a mutant that is wrong in one step.
inline Steps inferring(Infer step) { return {.infer = std::move(step)}; }
inline Steps executing(Execute step) { return {.execute = std::move(step)}; }
inline Steps viewing(Execute step) { return {.view = std::move(step)}; }
inline Steps answering(Infer infer, Execute execute) {
  return {.infer = std::move(infer), .execute = std::move(execute)};
}
// The same in both, for a step that takes either call.
template <typename Step>
Steps answering(Step step) {
  return {.infer = step, .execute = step};
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

// What is wrong where a condition is true, with its words: "the last element is lost", or " is
// refused", to follow the condition's words. No words where each row has its own sentence.
template <typename Subject>
struct EffectOn {
  std::string words;
  std::function<Steps(Condition<Subject>)> steps;

  std::string says(const std::string& where) const {
    if (words.starts_with(' ')) return where + words;
    return where.empty() ? words : words + ", for " + where;
  }
};
template <typename Subject>
EffectOn<Subject> worded(std::string words, EffectOn<Subject> effect) {
  effect.words = std::move(words);
  return effect;
}

// A mistake without a condition.
struct Mistake {
  std::string says;
  Steps steps;
};

// An implementation with one mistake, which one sentence describes: a row of a family's table. The
// sentence is its own, or composed of an effect and a condition.
struct Mutant {
  template <typename Subject>
  using When = std::type_identity_t<Said<Subject>>;

  Mutant() = default;
  Mutant(std::string called, std::string shown_by, std::string sentence, Steps otherwise,
         Notes more = {});
  Mutant(std::string called, std::string shown_by, const Mistake& mistake, Notes more = {})
      : Mutant(std::move(called), std::move(shown_by), mistake.says, mistake.steps, more) {}
  template <typename Subject>
  Mutant(std::string called, std::string shown_by, std::string sentence,
         const EffectOn<Subject>& effect, const When<Subject>& when = Said<Subject>(),
         Notes more = {})
      : Mutant(std::move(called), std::move(shown_by), std::move(sentence), effect.steps(when),
               more) {}
  template <typename Subject>
  Mutant(std::string called, std::string shown_by, const EffectOn<Subject>& effect,
         const When<Subject>& when = Said<Subject>(), Notes more = {})
      : Mutant(std::move(called), std::move(shown_by), effect.says(when.words), effect.steps(when),
               more) {}

  std::string name;
  std::string cases;  // that show it, as --filter reads them, of openvino-reshape-1 where no
                      // document is named; empty: all of it
  std::string says;   // the mistake as a sentence
  Steps steps;        // what it does differently
  Notes notes;
  ClauseOrDuty breaks;
  Kind kind = Kind::rules;

  Caught caught() const { return notes.by; }
  std::string_view public_bug() const { return notes.issue; }  // empty: none is known
  bool hostile() const { return notes.hostile; }
};
// The published examples: few, and enough where each case costs a host process.
inline constexpr char kExamples[] = "example-?";

// The rows of a family by what they break: table["volume.kept"] = {...}.
using Mutants = std::vector<Mutant>;
class Table {
 public:
  // `caught` holds for rows and groups of rows that say nothing else.
  explicit Table(Kind kind, Caught caught = {}) : kind_(kind), caught_(caught) {}

  Mutants& operator[](ClauseOrDuty breaks) { return rows(breaks, {}); }
  Mutants& rows(ClauseOrDuty breaks, const Notes& notes);
  Mutants mutants() const;

 private:
  struct Group {
    ClauseOrDuty breaks;
    Notes notes;
    Mutants rows;
  };
  Kind kind_;
  Caught caught_;
  std::vector<Group> groups_;
};

// A function for each table of mutants/; mutant.cpp lists them.
namespace families {
Mutants bytes_layout();
Mutants bytes_lengths();
Mutants bytes_places();
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
