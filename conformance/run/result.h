#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/model/capabilities.h"
#include "conformance/model/clause.h"
#include "conformance/model/verdict.h"
#include "conformance/model/wrong_elements.h"
#include "conformance/model/wrong_shape.h"

namespace reshape::conformance {

// The version of CONTRACT.md whose duties this program checks.
inline constexpr const char* kContractVersion = "1.1";

// What the baseline of known failures says of a case.
enum class Known : std::uint8_t {
  none,     // no entry
  failure,  // fails as recorded
  differs,  // fails, but not as recorded
  passes,   // has an entry but passes
  skipped,  // has an entry but was not executed
  expired,  // fails as recorded, but after the entry's last day
};
const char* name(Known known);

// How a failure can be reproduced.
struct Replays {
  enum class How : std::uint8_t {
    not_looked_at,
    alone,      // asked alone in a fresh process, perhaps in another way
    after,      // in this way only after `lines` in the same process
    not_again,  // neither alone nor after all that was asked before it
    not_alone,  // not alone, and there was no time to find out after what
    in_doubt,   // not looked at, but some other failure of the run does not occur alone
    at_times,   // asked alone, in some fresh processes and not in all
  };
  How how = How::not_looked_at;
  std::vector<std::string> lines =
      {};                 // as few as were found, in their order; not all are requests of the run
  std::string says = {};  // details in words: in how many processes, and after which others
  bool after_refusal = false;  // only refused requests before it cause it, and nearly all of them
  bool others_too = false;     // others before it do, without what differs in the one of `lines`
  std::string alone = {};      // alone it fails in another way: the watch, and what it saw
};
const char* name(Replays::How how);

// The result of one planned case; each has exactly one.
struct CaseResult {
  const Case* asked = nullptr;    // in the suite, which outlives the result
  bool executed = false;          // false: skipped, and verdict.reason says why
  bool left_out = false;          // skipped because the run was cut short (see cut_short)
  std::string answered;           // text(Outcome); empty when skipped
  std::optional<Shape> produced;  // the shape that was inferred, where one was
  Verdict verdict;
  std::optional<WrongElements> wrong;     // of the first execution with wrong elements
  std::optional<WrongShape> wrong_shape;  // of a shape that is not right
  std::vector<Observation> at_first_use;  // if this case was its process's first
  std::string because;  // of a failure: the last step of the document's derivation
  double seconds = 0;
  AskedBefore before;  // for some failures: what their process had been asked
  Replays replays;     // for those: how they can be reproduced
  Known known = Known::none;
  std::string known_reason;  // of the entry, with its link and owner
  std::string known_until;   // where expired: "2026-11-01 (owner ana)"

  bool failed() const { return verdict.kind == Verdict::Kind::fail; }
};

// Whether the request of `one` is the simpler example: a case of the suite, which `explain` knows,
// before a generated one; dense before strided; then the shorter, with fewer elements.
bool plainer(const CaseResult& one, const CaseResult& other);

// Whether some of the failures occur only after other requests.
bool some_fail_after_others(std::span<const CaseResult> cases);
// Whether some failures could not be reproduced, neither alone nor after all requests before them,
// and none occurs only after other requests.
bool fail_by_chance(std::span<const CaseResult> cases);

// A clause of which every case was skipped, so that nothing was learnt about it.
struct UnaskedClause {
  std::string dialect;
  std::string clause;
  Level level = Level::must;
  int cases = 0;
  std::string reason;  // of the first skipped case
  bool waived = false;
  // Only binding clauses need a case, so not those of level may or silent.
  bool red() const { return !waived && level != Level::may && level != Level::silent; }
};

// The name by which --waive accepts the faults below.
inline constexpr const char* kFirstUseWaiver = "process-start";

// What the implementation does once in each process, at its first use or at its end. Belongs to no
// case.
struct ProcessFault {
  Observation seen;
  bool waived = false;  // "process-start", or "process-start/" and the watch
};

// The options of a run, for the reports.
struct RunOptions {
  std::string library;
  std::vector<std::string> dialects;
  std::vector<std::string> filters;
  std::vector<std::string> clauses;
  std::vector<std::string> types;
  std::vector<std::string> waived;
  std::string tier;      // "quick", or empty
  std::string shard;     // "2/4", or empty
  std::string baseline;  // file, or empty
  std::string specs;     // folder, or empty for the built-in suite
  bool in_process = false;
  int jobs = 1;
  double deadline_seconds = 10;
  bool fail_fast = false;  // see Bounds
  int most_hangs = 12;
  double time_limit = 0;  // seconds; 0: none
};

// All cases of a run that is split into shards; equal in every shard's result.
struct Whole {
  int cases = 0;
  std::uint64_t digest = 0;  // of ids, requests, answers and clauses, in whatever order
  int laws = 0;              // asked beside them
  bool operator==(const Whole&) const = default;
};

// The result of asking one implementation the cases of a plan.
struct RunResult {
  std::string program_version;
  std::string suite_version;
  std::string contract_version = kContractVersion;
  Capabilities capabilities;
  RunOptions options;
  std::string library_digest;    // before it was asked (see library_digest()); empty: it is no file
  bool library_changed = false;  // its file was another one afterwards: who answered is not known
  const Suite* suite = nullptr;  // outlives the result
  std::vector<CaseResult> cases;  // in the order of the suite, however many jobs there were
  std::vector<UnaskedClause> unasked;
  std::vector<ProcessFault> at_first_use;
  std::string cut_short;                     // why the run stopped early; empty: it did not
  std::vector<std::string> baseline_faults;  // what is wrong with the baseline itself
  std::shared_ptr<const std::deque<Case>> own_cases;  // those that the suite does not hold
  std::optional<Whole> whole;                         // only of a shard
  // Only of a shard: faults of the baseline if no other shard meets the cause either.
  std::vector<std::string> unmet_causes;
  // Notes: entries by cause that no failure met, where a whole run might meet them. Not in the JSON.
  std::vector<std::string> perhaps_gone;
  double seconds = 0;

  bool some_executed() const;
  // Whether everything was asked that could be, and of one library.
  bool complete() const { return cut_short.empty() && !library_changed; }
  // Whether nothing failed unexpectedly, the baseline has no faults, no clause is left unasked, and
  // every fault at first use is waived.
  bool cases_conform() const;
};

// Counts over some of the results.
struct Tally {
  int planned = 0;
  int executed = 0;
  int pass = 0;
  int fail = 0;
  int known = 0;  // of the failures: those of the baseline
  int unsupported = 0;
  int mistrusted = 0;

  void add(const CaseResult& result);
};

// The same counts by different keys, in alphabetical order.
struct Tallies {
  Tally all;
  std::map<std::string, Tally> by_dialect;
  std::map<std::pair<std::string, std::string>, Tally> by_clause;  // dialect, clause
  std::map<std::string, Tally> by_type;                            // of the data
  struct PlaneTally {
    int pass = 0, fail = 0, not_asked = 0;
  };
  std::map<std::string, PlaneTally> by_plane;
  std::map<std::string, int> skipped;  // reason -> cases
};
Tallies tallies(const RunResult& result);

// What an implementation chooses where a document is silent, and the cases that show it.
struct Choice {
  std::string dialect;
  std::string clause;
  std::string chose;  // "rejected", or "produced" where the shapes differ by case
  std::vector<std::string> cases;
};
std::vector<Choice> choices(const RunResult& result);

}  // namespace reshape::conformance
