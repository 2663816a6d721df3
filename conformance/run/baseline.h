#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/run/result.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A failure that is known: which cases, why, and how exactly they fail.
struct KnownFailure {
  std::string id = {};  // of a case; with * or ? it stands for at most kMostMatches cases
  std::string reason = {};
  std::string link = {};         // of the issue that tracks it, or empty
  std::string fingerprint = {};  // of the first fault; empty when not recorded yet
  int line = 0;
  // The entry's text in the file, with the comments above it; empty for a new one.
  std::string written = {};
  std::string fingerprint_written = {};
  // See cause_of. Without an id: applies to generated requests, which another seed does not draw
  // again. With an id: applies to every request, generated or not, whose id matches and that fails
  // with this cause.
  std::string cause = {};
  std::string law = {};    // in place of an id: the name of a law that does not hold
  std::string owner = {};  // who is responsible for it, or empty
  std::string platform =
      {};  // glob on platform_of(); elsewhere the entry says nothing. Empty: everywhere
  std::string until = {};  // the last day on which it is accepted, "2026-11-01", or empty

  bool is_of(const std::string& on_platform) const;
  bool is_over(const std::string& on_day) const;
  std::string why() const;       // reason and link, in a line
  std::string of_owner() const;  // " (owner ana)", or empty
  std::string of_what() const;   // the id, cause or law that identifies the entry
};

// The most cases that an id with wildcards may match: more would hide new failures.
inline constexpr int kMostMatches = 20;

// What a file of known failures holds:
//
//   known:
//     - id: openvino-reshape-1/zero-copies-then-mismatch
//       reason: the volume check is off with special_zero
//       link: https://...
//       fingerprint: volume.kept | shape | expected rejects volume.kept | produced [2,5]
//       owner: ana                # these three are optional
//       platform: "aarch64 *"     # the processor, then the library's name and version
//       until: 2026-11-01         # the day after it, the failure is unexpected
//     - cause: "openvino-reshape-1: minus-one.divides | shape | produced [#]"
//       reason: the remainder is forgotten
//     - cause: "onnx-reshape-*: volume.kept | shape | produced [#]"    # of several documents
//       reason: the product of sizes wraps
//     - id: "*"                   # all that fail so, and not generated requests alone
//       cause: "openvino-reshape-1, bf16: content.kept | bytes"
//       reason: signalling NaNs become quiet
//     - law: asked-by-a-fork
//       reason: the threads of the pool are gone in a child
struct Baseline {
  std::string file;
  std::vector<KnownFailure> known;
  std::string head = {};  // of the file, before the first entry
  std::string tail = {};  // comments behind the last
  int indent = 2;         // of its entries
};

// Errors name file and line: not YAML, an unknown key, an entry without a reason or without an id,
// cause or law, a law together with an id or cause, a fingerprint together with a cause, an invalid
// day, or a second entry for the same thing and platform.
Result<Baseline> load_baseline(const std::string& file);

// The cause of a failure, independent of the request's numbers: the dialect, the type if bytes are
// wrong, the clause or duty, the watch, and on the shape plane the kind of answer. Empty: it does
// not fail.
std::string cause_of(const CaseResult& result);

// "document: content.kept | bytes | never written" where the first wrong element still holds what
// was there before: an entry may name that in place of the cause, since no type matters to it.
// Else empty.
std::string cause_of_what_is_unwritten(const CaseResult& result);

// The kind of answer in a cause: "produced [#]", whatever shape was produced.
std::string sort_of_answer(const std::string& answered);

// What an entry's platform is matched with, "x86_64 mine 1.0": the processor of this machine, and
// the implementation's name and version.
std::string platform_of(const Capabilities& capabilities);

// The day it is, in UTC: "2026-11-01".
std::string today();

// A thread-safe predicate: whether the baseline has an entry for a result's case or cause, on
// `platform` and on `day`. The baseline must outlive it.
std::function<bool(const CaseResult& result)> known_by(const Baseline& baseline,
                                                       const std::string& platform,
                                                       const std::string& day = today());

// Marks the cases of `result` that the baseline knows, but for those that were left out, and lists
// in result.baseline_faults what is wrong with the baseline: an entry that matches no case of the
// suite, or too many, or whose cause is gone.
void apply(const Baseline& baseline, RunResult& result, const std::string& day = today());

// The baseline with which `result` would have no unexpected failures. Entries of cases that no
// longer fail are dropped, fingerprints are renewed, and new failures are added: one by one, or by
// their cause where more than `most_by_id` share it. These entries stay: those of cases that this
// run did not plan or left out, of laws (see mend_laws), of other platforms, and causes unless a
// whole run drew requests of their dialect. Reasons, links, owners, platforms, days and comments
// stay as well.
Baseline mended(const Baseline& baseline, const RunResult& result, int most_by_id = kMostMatches);

// The text of a baseline. Unchanged entries keep their text, comments included.
std::string text_of(const Baseline& baseline);
// Records in `baseline` how `text`, from which it was read, is written.
void keep_form(const std::string& text, Baseline& baseline);

// Replaces the file in one step: a reader sees the old text or the new one, never half of it.
Result<std::string> save(const Baseline& baseline);

}  // namespace reshape::conformance
