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

// The document in a cause, possibly a pattern for several: "onnx-reshape-*" of
// "onnx-reshape-*: volume.kept | shape | produced [#]".
std::string document_of(const std::string& cause);

// Of the first fault; empty where there is none.
std::string fingerprint_of(const CaseResult& result);

// An index of a baseline's entries for one platform. The entry for a result is the first one that
// covers its id; else the first with the cause of its failure or, for a generated request, with a
// case that fails with that cause. The baseline must outlive it.
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
  const KnownFailure* for_cause(const std::string& cause, const CaseResult& result) const;

  const std::vector<KnownFailure>& known_;
  std::unordered_map<std::string, std::size_t> exact_;
  // By the part of the cause behind the document.
  std::unordered_map<std::string, std::vector<OfDocument>> causes_;
  std::vector<std::size_t> patterns_;
};

// Which entries by cause a run could have matched, and did match.
class CausesMet {
 public:
  CausesMet(const Entries& entries, const RunResult& result);

  // Whether nothing failed with this cause although the run asked everything that could. False
  // where it asked only a part of the suite, or of the requests that the entry is for.
  bool is_gone(const KnownFailure& by_cause) const;
  // Whether nothing that was asked failed with this cause, though requests of its document were.
  bool is_perhaps_gone(const KnownFailure& by_cause) const;
  // The same of a shard, of which the other shards may know better.
  bool is_unmet(const KnownFailure& by_cause) const;

 private:
  bool is_told_of(const std::set<std::string>& dialects, const KnownFailure& by_cause) const;

  // Dialects. split_: that shards ask together; some_: of which anything was executed.
  std::set<std::string> asked_, drawn_, split_, some_;
  std::set<const KnownFailure*> met_;
};

}  // namespace reshape::conformance
