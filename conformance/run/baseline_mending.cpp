// mended(): the baseline with which a run would have no unexpected failures.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "conformance/run/baseline_entries.h"
#include "conformance/run/case_ids.h"

namespace reshape::conformance {
namespace {

constexpr const char* kNotExplained = "not explained yet";

// An entry for one of the cases that `entry` stands for.
KnownFailure part_of(const KnownFailure& entry, std::string id, std::string fingerprint) {
  return {.id = std::move(id),
          .reason = entry.reason,
          .link = entry.link,
          .fingerprint = std::move(fingerprint),
          .owner = entry.owner,
          .platform = entry.platform,
          .until = entry.until};
}

class Mending {
 public:
  Mending(const Baseline& baseline, const RunResult& result, int most_by_id)
      : baseline_(baseline), result_(result), most_by_id_(most_by_id), ids_(*result.suite) {
    mend_ = baseline;
    mend_.known.clear();
    for (const CaseResult& one : result.cases) {
      if (!one.left_out) came_[one.asked->id] = &one;
    }
  }

  Baseline all() {
    const Entries entries(baseline_, platform_);
    const CausesMet causes(entries, result_);
    settle_by_cause(entries);
    for (const KnownFailure& entry : baseline_.known) {
      if (!entry.is_of(platform_) || !entry.law.empty()) {
        keep(entry);
      } else if (!entry.cause.empty()) {
        if (!causes.is_gone(entry)) keep(entry);
      } else {
        mend_by_id(entry);
      }
    }
    add_what_is_left();
    return std::move(mend_);
  }

 private:
  void keep(const KnownFailure& entry) { mend_.known.push_back(entry); }

  // Settles the failures that entries by cause cover.
  void settle_by_cause(const Entries& entries) {
    for (const CaseResult& one : result_.cases) {
      if (!one.failed()) continue;
      const KnownFailure* entry = entries.for_result(one);
      if (entry != nullptr && !entry->cause.empty()) {
        settled_.insert(one.asked->id);
      } else if (one.asked->generated() && entry == nullptr) {
        drawn_.push_back(&one);
      }
    }
  }

  void mend_by_id(const KnownFailure& entry) {
    const std::vector<std::string_view> fit = ids_.that_fit(entry.id);
    if (fit.empty()) return;
    std::vector<const CaseResult*> planned, failing;
    std::set<std::string> fingerprints;
    for (const std::string_view id : fit) {
      const auto found = came_.find(id);
      if (found == came_.end() || settled_.contains(id)) continue;
      planned.push_back(found->second);
      if (!found->second->failed()) continue;
      failing.push_back(found->second);
      fingerprints.insert(fingerprint_of(*found->second));
    }
    const bool all_fail = failing.size() == planned.size() && std::ssize(fit) <= kMostMatches;
    const bool as_written = std::ranges::all_of(
        fingerprints, [&](const std::string& one) { return one == entry.fingerprint; });
    if (all_fail && as_written) {  // or nothing of it was to be asked
      keep(entry);
    } else if (all_fail && planned.size() == fit.size() && fingerprints.size() == 1) {
      keep(entry);
      mend_.known.back().fingerprint = *fingerprints.begin();
    } else {
      // Cases that fail in different ways, or only some of the matched ones, get an entry each.
      for (const CaseResult* one : failing) {
        keep(part_of(entry, one->asked->id, fingerprint_of(*one)));
      }
      // Cases that this run did not plan, or did not come to, keep their entries.
      for (const std::string_view id : fit) {
        if (!came_.contains(id)) keep(part_of(entry, std::string(id), entry.fingerprint));
      }
    }
    for (const CaseResult* one : planned) settled_.insert(one->asked->id);
  }

  // Adds new failures: by their cause where many share it, else one by one; generated ones by
  // cause.
  void add_what_is_left() {
    std::vector<const CaseResult*> left;
    std::map<std::string, int> times;
    for (const CaseResult& one : result_.cases) {
      if (!one.failed() || one.asked->generated() || settled_.contains(one.asked->id)) continue;
      left.push_back(&one);
      ++times[cause_of(one)];
    }
    for (const auto& [cause, count] : times) {
      if (count <= most_by_id_) continue;
      keep({.id = "*", .reason = kNotExplained, .cause = cause});
    }
    for (const CaseResult* one : left) {
      if (times[cause_of(*one)] > most_by_id_) continue;
      keep({.id = one->asked->id, .reason = kNotExplained, .fingerprint = fingerprint_of(*one)});
    }
    // An entry that is there by now may know them, and one of their own would then be met by nothing.
    const Entries entries(mend_, platform_);
    std::set<std::string> causes;
    for (const CaseResult* one : drawn_) {
      if (entries.for_result(*one) == nullptr) causes.insert(cause_of(*one));
    }
    for (const std::string& cause : causes) keep({.reason = kNotExplained, .cause = cause});
  }

  const Baseline& baseline_;
  const RunResult& result_;
  const int most_by_id_;
  const std::string platform_ = platform_of(result_.capabilities);
  Baseline mend_;
  CaseIds ids_;
  std::unordered_map<std::string_view, const CaseResult*> came_;
  std::vector<const CaseResult*> drawn_;  // generated requests that no entry knows
  std::set<std::string_view> settled_;    // cases that are done
};

}  // namespace

Baseline mended(const Baseline& baseline, const RunResult& result, int most_by_id) {
  return Mending(baseline, result, most_by_id).all();
}

}  // namespace reshape::conformance
