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
  // As it stands in the file, with the comments above it; empty where it is new.
  std::string written = {};
  std::string fingerprint_written = {};
  // See cause_of. In place of an id: of generated requests, which another seed does not draw again. Beside
  // one: of every request whose id that matches, however many, where it fails of this.
  std::string cause = {};
  std::string law = {};    // in place of an id: the name of a law that does not hold
  std::string owner = {};  // who sees to it, or empty
  std::string platform =
      {};  // glob on platform_of(); elsewhere the entry says nothing. Empty: everywhere
  std::string until = {};  // the last day on which it is accepted, "2026-11-01", or empty

  bool is_of(const std::string& on_platform) const;
  bool is_over(const std::string& on_day) const;
  std::string why() const;       // reason and link, in a line
  std::string of_owner() const;  // " (owner ana)", or empty
  std::string of_what() const;   // by which the entry is found
};

// More would hide new failures behind an old one.
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
//       cause: "openvino-reshape-1, bf16: content.kept | elements"
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

// The error names file and line: not YAML, an unknown key, an entry without reason, or without an id, a cause
// or a law, a law beside one of the others, a fingerprint beside a cause, a day that no calendar has, or a
// second one of the same platform.
Result<Baseline> load_baseline(const std::string& file);

// What a request fails of, whatever its numbers: the dialect, where bytes are wrong the type,
// the clause or duty, the watch, and on the shape plane the sort of answer. Empty: it does not fail.
std::string cause_of(const CaseResult& result);

// Of it what an answer on the shape plane comes to: "produced [#]", whatever was produced.
std::string sort_of_answer(const std::string& answered);

// What an entry's platform is held against: "x86_64 mine 1.0", the processor of this machine, and what the
// implementation says of itself.
std::string platform_of(const Capabilities& capabilities);

// The day it is, in UTC: "2026-11-01".
std::string today();

// Says of a result whether the baseline, which has to outlive this, has an entry for its case, or for its
// cause, on `platform` and on `day`. Any thread.
std::function<bool(const CaseResult& result)> known_by(const Baseline& baseline,
                                                       const std::string& platform,
                                                       const std::string& day = today());

// Marks the cases of `result` that the baseline knows and lists in result.baseline_faults what is
// wrong with the baseline: an entry that matches no case of the suite, or too many.
void apply(const Baseline& baseline, RunResult& result, const std::string& day = today());

// The baseline that would leave nothing to say about `result`: entries of cases that do not fail any
// more are dropped, fingerprints are renewed, new failures are added: one by one, and by their cause where
// more than `most_by_id` have the same. Entries of cases that this run
// did not plan stay as they are, laws too (see mend_laws), and so do causes unless a whole run of
// everything drew requests of their dialect; reasons, links, owners, platforms, days and comments stay, and
// so do entries of other platforms.
Baseline mended(const Baseline& baseline, const RunResult& result, int most_by_id = kMostMatches);

// The text of a baseline: what was read and did not change stands as it stood, comments included.
std::string text_of(const Baseline& baseline);
// Keeps in `baseline`, which was read from it, how `text` is written.
void keep_form(const std::string& text, Baseline& baseline);

// Replaces the file in one step: a reader sees the old text or the new one, never half of it.
Result<std::string> save(const Baseline& baseline);

}  // namespace reshape::conformance
