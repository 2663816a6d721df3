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

// Starts one more adapter to the same implementation; each job has its own.
using StartAdapter = std::function<Result<std::unique_ptr<Adapter>>()>;

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
  // Clauses that may stay unasked, "layout.may-differ", and kFirstUseWaiver.
  std::vector<std::string> waived;
  int jobs = 1;
  std::function<void(const Progress&)> progress = {};  // called under a lock, after every case
  std::function<void(int done, int all)> law_progress = {};  // after every law
  std::function<bool(const std::string& law)> is_known_law =
      {};                    // that it does not hold; any thread
  Bounds* bounds = nullptr;  // when nothing more is asked; null: never
  // Whether this failure is known. Empty: none is.
  std::function<bool(const CaseResult& failure)> is_known = {};
};

// Asks every case of the plan and judges the answers. `first` serves the first job and says what the
// implementation promised; `start` serves the others. A job whose adapter does not start leaves its
// work to the rest. The error, never expected, says that a case came back without a verdict.
//
// Which clauses were left unasked is decided over the whole selection, not over the shard, so that
// every shard of a run tells the same.
Result<RunResult> run(const Plan& plan, Adapter& first, const StartAdapter& start);

// What a case says is right.
Expectation expectation_of(const Case& one);

// One case, asked and judged. `outcome` may be null; else it receives what the adapter saw.
CaseResult ask(const Suite& suite, const Case& asked, Adapter& adapter, Outcome* outcome = nullptr);

}  // namespace reshape::conformance
