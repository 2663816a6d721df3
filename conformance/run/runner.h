#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/model/judge.h"
#include "conformance/run/bounds.h"
#include "conformance/run/result.h"
#include "conformance/run/selection.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

struct Progress {
  int done = 0;
  int executed = 0;
  int planned = 0;
  int failed = 0;
};

struct Plan {
  const Suite* suite = nullptr;
  std::vector<const Case*> cases;  // the selection, before the shard is cut
  Shard shard;
  // Clauses that may stay unasked, like "layout.may-differ", and kFirstUseWaiver.
  std::vector<std::string> waived;
  int jobs = 1;
  std::function<void(const Progress&)> progress = {};  // called under a lock, after every case
  std::function<void(int done, int all)> law_progress = {};  // after every law
  // Whether it is known that the law does not hold. Empty: none is; called from any thread.
  std::function<bool(const std::string& law)> is_known_law = {};
  Bounds* bounds = nullptr;  // when to stop early; null: never
  // Whether this failure is known. Empty: none is.
  std::function<bool(const CaseResult& failure)> is_known = {};
};

// Asks every case of the plan and judges the answers. The first job uses `first`, which also
// provides the capabilities, by which all answers are judged; the others use `start`. A job whose
// adapter does not start leaves its work to the others. The error, never expected, says that a case
// has no verdict.
//
// Which clauses are left unasked is decided for the whole selection, not the shard, so that all
// shards of a run agree.
Result<RunResult> run(const Plan& plan, Adapter& first, const StartAdapter& start);

// The expectation that a case states.
Expectation expectation_of(const Case& one);

// Asks and judges one case. `outcome` may be null; else it receives what the adapter saw.
CaseResult ask(const Suite& suite, const Case& asked, Adapter& adapter, Outcome* outcome = nullptr);

}  // namespace reshape::conformance
