#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "conformance/run/baseline.h"

namespace reshape::conformance {

// The keys of an entry in a file, in the order in which they are written.
template <typename Entry, typename Take>
void each_key(Entry& entry, Take take) {
  take("id", entry.id);
  take("cause", entry.cause);
  take("law", entry.law);
  take("reason", entry.reason);
  take("link", entry.link);
  take("fingerprint", entry.fingerprint);
  take("owner", entry.owner);
  take("platform", entry.platform);
  take("until", entry.until);
}

// The document that a cause is of, as a pattern where it is of several: "onnx-reshape-*" of
// "onnx-reshape-*: volume.kept | shape | produced [#]".
std::string document_of(const std::string& cause);

// Of the first fault; empty where there is none.
std::string fingerprint_of(const CaseResult& result);

// The entry that a baseline has for a result on one platform: the first one that covers its id, found without
// going through all of them; then the first whose cause its failure has, or, of a generated request, whose case
// fails of that cause. The baseline has to outlive it.
class Entries {
 public:
  Entries(const Baseline& baseline, const std::string& platform);
  const KnownFailure* for_result(const CaseResult& result) const;

 private:
  struct OfDocument {
    std::string document;  // may be a pattern
    std::size_t entry;
  };

  void add_cause(const std::string& cause, std::size_t entry);
  const KnownFailure* for_id(const std::string& id) const;

  const std::vector<KnownFailure>& known_;
  std::unordered_map<std::string, std::size_t> exact_;
  // By what stands behind the document.
  std::unordered_map<std::string, std::vector<OfDocument>> causes_;
  std::vector<std::size_t> patterns_;
};

// Which entries by cause a run could have met, and did.
class CausesMet {
 public:
  CausesMet(const Entries& entries, const RunResult& result);

  // Whether the run asked all that could fail of this cause, and nothing did. Never so where only a part was
  // asked: of the suite, or of the requests that such an entry is for.
  bool is_gone(const KnownFailure& by_cause) const;

 private:
  std::set<std::string> asked_, drawn_;  // dialects
  std::set<const KnownFailure*> met_;
};

}  // namespace reshape::conformance
