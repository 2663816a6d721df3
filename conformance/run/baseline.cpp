// The one file that reads YAML in this folder; yaml-cpp's exceptions end here.
#include "conformance/run/baseline.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "conformance/files/read_file.h"
#include "conformance/run/case_ids.h"
#include "conformance/run/selection.h"
#include "conformance/run/write_file.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kLargestBaseline = std::size_t{64} << 20;  // bytes

std::string place(const std::string& file, const YAML::Mark& mark) {
  return mark.is_null() ? file : file + ":" + std::to_string(mark.line + 1);
}

Error wrong(const std::string& file, const YAML::Node& node, std::string message) {
  return Error{std::move(message), place(file, node.Mark())};
}

// "2026-11-01", and a day that the calendar has: days are compared as texts.
bool is_day(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int end = 0;
  const bool read =
      text.size() == 10 && text.find_first_not_of("0123456789-") == std::string::npos &&
      std::sscanf(text.c_str(), "%4d-%2u-%2u%n", &year, &month, &day, &end) == 3 && end == 10;
  return read && std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(month),
                                             std::chrono::day(day))
                     .ok();
}

Result<KnownFailure> read_entry(const std::string& file, const YAML::Node& node) {
  if (!node.IsMap())
    return wrong(
        file, node,
        "an entry is a map with id, cause or law, reason, link, fingerprint, owner, platform, "
        "until");
  KnownFailure entry;
  entry.line = node.Mark().line + 1;
  for (const auto& field : node) {
    const std::string key = field.first.as<std::string>();
    if (!field.second.IsScalar() && !field.second.IsNull()) {
      return wrong(file, field.second, "'" + key + "' is one line of text");
    }
    const std::string value = field.second.IsNull() ? "" : field.second.as<std::string>();
    if (key == "id") {
      entry.id = value;
    } else if (key == "cause") {
      entry.cause = value;
    } else if (key == "law") {
      entry.law = value;
    } else if (key == "reason") {
      entry.reason = value;
    } else if (key == "link") {
      entry.link = value;
    } else if (key == "fingerprint") {
      entry.fingerprint = value;
    } else if (key == "owner") {
      entry.owner = value;
    } else if (key == "platform") {
      entry.platform = value;
    } else if (key == "until") {
      if (!is_day(value)) {
        return wrong(file, field.first, "'until' is a day such as 2026-11-01, not '" + value + "'");
      }
      entry.until = value;
    } else {
      return wrong(file, field.first, "unknown key '" + key + "'");
    }
  }
  const bool of_cases = !entry.id.empty() || !entry.cause.empty();
  if (!of_cases && entry.law.empty()) return wrong(file, node, "an entry needs an id");
  if (of_cases && !entry.law.empty()) {
    return wrong(file, node, "an entry has a law, or an id, a cause or both of them");
  }
  if (!entry.cause.empty() && !entry.fingerprint.empty()) {
    return wrong(file, node, "an entry has a cause or a fingerprint");
  }
  if (entry.reason.empty()) {
    return wrong(file, node, "entry '" + entry.of_what() + "' needs a reason");
  }
  return entry;
}

Result<Baseline> read(const std::string& file, const YAML::Node& root) {
  Baseline baseline;
  baseline.file = file;
  if (!root.IsMap()) return wrong(file, root, "a baseline is a map with the key 'known'");
  for (const auto& field : root) {
    const std::string key = field.first.as<std::string>();
    if (key != "known") return wrong(file, field.first, "unknown key '" + key + "'");
  }
  const YAML::Node list = root["known"];
  if (!list) return wrong(file, root, "the key 'known' is missing");
  if (!list.IsSequence() && !list.IsNull())
    return wrong(file, list, "'known' is a list of entries");
  std::set<std::string> ids;
  for (const YAML::Node& node : list) {
    Result<KnownFailure> entry = read_entry(file, node);
    if (!entry) return entry.error();
    if (!ids.insert(entry->of_what() + '\n' + entry->platform).second) {
      return wrong(file, node, "entry '" + entry->of_what() + "' is there twice");
    }
    baseline.known.push_back(std::move(*entry));
  }
  return baseline;
}

bool covers(const KnownFailure& entry, const std::string& id) {
  return entry.id == id || (is_pattern(entry.id) && matches(entry.id, id));
}

// The first entry that covers an id on this platform, found without going through all of them; then the first
// whose cause a failure has.
class Entries {
 public:
  Entries(const Baseline& baseline, const std::string& platform) : known_(baseline.known) {
    for (std::size_t at = 0; at < known_.size(); ++at) {
      if (!known_[at].is_of(platform) || !known_[at].law.empty()) continue;
      if (!known_[at].cause.empty()) {
        causes_[known_[at].cause].push_back(at);
        continue;
      }
      if (is_pattern(known_[at].id)) patterns_.push_back(at);
      exact_.try_emplace(known_[at].id, at);
    }
  }

  const KnownFailure* for_result(const CaseResult& result) const {
    const bool generated = result.asked->generated();
    const KnownFailure* by_id = generated ? nullptr : for_id(result.asked->id);
    if (by_id != nullptr || causes_.empty()) return by_id;
    const auto found = causes_.find(cause_of(result));
    if (found == causes_.end()) return nullptr;
    for (const std::size_t at : found->second) {
      const KnownFailure& entry = known_[at];
      if (entry.id.empty() ? generated : covers(entry, result.asked->id)) return &entry;
    }
    return nullptr;
  }

 private:
  const KnownFailure* for_id(const std::string& id) const {
    const auto found = exact_.find(id);
    std::size_t first = found == exact_.end() ? known_.size() : found->second;
    for (const std::size_t at : patterns_) {
      if (at < first && covers(known_[at], id)) first = at;
    }
    return first < known_.size() ? &known_[first] : nullptr;
  }

  const std::vector<KnownFailure>& known_;
  std::unordered_map<std::string, std::size_t> exact_;
  std::unordered_map<std::string, std::vector<std::size_t>> causes_;
  std::vector<std::size_t> patterns_;
};

std::string fingerprint_of(const CaseResult& result) {
  return result.verdict.faults.empty() ? "" : result.verdict.faults.front().fingerprint();
}

Known known_as(const KnownFailure& entry, const CaseResult& result, const std::string& day) {
  if (!result.executed) return Known::skipped;
  if (!result.failed()) return Known::passes;
  const bool as_recorded =
      !entry.cause.empty() || fingerprint_of(result) == without_message_numbers(entry.fingerprint);
  if (!as_recorded) return Known::differs;
  return entry.is_over(day) ? Known::expired : Known::failure;
}

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

}  // namespace

bool KnownFailure::is_of(const std::string& on_platform) const {
  return platform.empty() || matches(platform, on_platform);
}

bool KnownFailure::is_over(const std::string& on_day) const {
  return !until.empty() && on_day > until;
}

std::string KnownFailure::why() const { return link.empty() ? reason : reason + ", " + link; }

std::string KnownFailure::of_what() const {
  return id + (id.empty() || cause.empty() ? "" : ", ") + cause + law;
}

std::string KnownFailure::of_owner() const { return owner.empty() ? "" : " (owner " + owner + ")"; }

Result<Baseline> load_baseline(const std::string& file) {
  const Result<std::string> text = read_file(file, kLargestBaseline);
  if (!text) return text.error();
  try {
    Result<Baseline> baseline = read(file, YAML::Load(*text));
    if (baseline) keep_form(*text, *baseline);
    return baseline;
  } catch (const YAML::Exception& problem) {
    return Error{problem.msg, place(file, problem.mark)};
  }
}

std::string cause_of(const CaseResult& result) {
  if (result.verdict.faults.empty()) return "";
  const Fault& fault = result.verdict.faults.front();
  std::string cause = result.asked->request.dialect;
  if (fault.plane == Plane::bytes)
    cause += ", " + std::string(name(result.asked->request.data_type));
  cause += ": " + fault.broken() + " | " + name(fault.watch);
  if (fault.plane != Plane::shape) return cause;
  return cause + " | " + without_numbers(fault.answered.substr(0, fault.answered.find(" (")));
}

std::function<bool(const CaseResult& result)> known_by(const Baseline& baseline,
                                                       const std::string& platform,
                                                       const std::string& day) {
  return [entries = std::make_shared<const Entries>(baseline, platform),
          day](const CaseResult& result) {
    const KnownFailure* entry = entries->for_result(result);
    return entry != nullptr && !entry->is_over(day);
  };
}

void apply(const Baseline& baseline, RunResult& result, const std::string& day) {
  CaseIds ids(*result.suite);
  for (const KnownFailure& entry : baseline.known) {
    if (entry.id.empty() || !entry.cause.empty()) continue;
    const auto count = static_cast<int>(ids.that_fit(entry.id).size());
    const std::string where = baseline.file + ":" + std::to_string(entry.line) + ": ";
    if (count == 0) {
      result.baseline_faults.push_back(where + "entry '" + entry.id + "' matches no case");
    } else if (count > kMostMatches) {
      result.baseline_faults.push_back(where + "entry '" + entry.id + "' matches " +
                                       std::to_string(count) + " cases, more than " +
                                       std::to_string(kMostMatches));
    }
  }
  const Entries entries(baseline, platform_of(result.capabilities));
  for (CaseResult& one : result.cases) {
    const KnownFailure* entry = entries.for_result(one);
    if (!entry) continue;
    one.known = known_as(*entry, one, day);
    one.known_reason = entry->why();
    if (one.known == Known::expired) {
      one.known_until = entry->until + entry->of_owner();
      one.known_reason = "known until " + one.known_until + ": " + one.known_reason;
    } else {
      one.known_reason += entry->of_owner();
    }
  }
}

Baseline mended(const Baseline& baseline, const RunResult& result) {
  Baseline mend = baseline;
  mend.known.clear();
  CaseIds ids(*result.suite);
  std::unordered_map<std::string_view, const CaseResult*> came;
  for (const CaseResult& one : result.cases) came[one.asked->id] = &one;
  std::set<std::string> causes;
  // Dialects of which cases were asked, and requests drawn; few of them or a part say nothing.
  std::set<std::string> asked, drawn;
  const bool whole_run =
      result.complete() && result.options.tier.empty() && result.options.shard.empty();
  std::set<std::string_view> settled;
  std::set<const KnownFailure*> met;  // entries by cause
  const std::string platform = platform_of(result.capabilities);
  const Entries entries(baseline, platform);
  for (const CaseResult& one : result.cases) {
    if (whole_run) (one.asked->generated() ? drawn : asked).insert(one.asked->request.dialect);
    if (!one.failed()) continue;
    const KnownFailure* entry = entries.for_result(one);
    if (entry != nullptr && !entry->cause.empty()) {
      met.insert(entry);
      settled.insert(one.asked->id);
    } else if (one.asked->generated()) {
      causes.insert(cause_of(one));
    }
  }
  for (const KnownFailure& entry : baseline.known) {
    if (!entry.is_of(platform) || !entry.law.empty()) {
      mend.known.push_back(entry);
      continue;
    }
    if (!entry.cause.empty()) {
      const std::string dialect = entry.cause.substr(0, entry.cause.find_first_of(",:"));
      const std::set<std::string>& told_of = entry.id.empty() ? drawn : asked;
      const bool is_gone = !met.contains(&entry) && told_of.contains(dialect);
      if (!is_gone) mend.known.push_back(entry);
      continue;
    }
    const std::vector<std::string_view> fit = ids.that_fit(entry.id);
    const auto covered = static_cast<int>(fit.size());
    if (covered == 0) continue;
    std::vector<const CaseResult*> planned;
    std::vector<const CaseResult*> failing;
    std::set<std::string> fingerprints;
    for (const std::string_view id : fit) {
      const auto found = came.find(id);
      if (found == came.end() || settled.contains(id)) continue;
      planned.push_back(found->second);
      if (!found->second->failed()) continue;
      failing.push_back(found->second);
      fingerprints.insert(fingerprint_of(*found->second));
    }
    // Nothing of it was planned, or it is true as it stands: nothing to mend.
    const bool whole = static_cast<int>(planned.size()) == covered;
    const bool true_as_it_stands =
        failing.size() == planned.size() && covered <= kMostMatches &&
        std::all_of(fingerprints.begin(), fingerprints.end(),
                    [&](const std::string& one) { return one == entry.fingerprint; });
    if (true_as_it_stands) {
      mend.known.push_back(entry);
    } else if (whole && failing.size() == planned.size() && fingerprints.size() == 1 &&
               covered <= kMostMatches) {
      mend.known.push_back(entry);
      mend.known.back().fingerprint = *fingerprints.begin();
    } else {
      // What fails in several ways, or only here and there, needs an entry for each.
      for (const CaseResult* one : failing) {
        mend.known.push_back(part_of(entry, one->asked->id, fingerprint_of(*one)));
      }
      // Cases that this run did not plan keep what they had.
      for (const std::string_view id : fit) {
        if (came.contains(id)) continue;
        mend.known.push_back(part_of(entry, std::string(id), entry.fingerprint));
      }
    }
    for (const CaseResult* one : planned) settled.insert(one->asked->id);
  }
  std::vector<const CaseResult*> left;
  std::map<std::string, int> times;
  for (const CaseResult& one : result.cases) {
    if (!one.failed() || one.asked->generated() || settled.contains(one.asked->id)) continue;
    left.push_back(&one);
    ++times[cause_of(one)];
  }
  for (const auto& [cause, count] : times) {
    if (count <= kMostMatches) continue;
    mend.known.push_back({.id = "*", .reason = "not explained yet", .cause = cause});
    causes.erase(cause);
  }
  for (const CaseResult* one : left) {
    if (times[cause_of(*one)] > kMostMatches) continue;
    mend.known.push_back({one->asked->id, "not explained yet", "", fingerprint_of(*one), 0});
  }
  for (const std::string& cause : causes) {
    mend.known.push_back({.reason = "not explained yet", .cause = cause});
  }
  return mend;
}

Result<std::string> save(const Baseline& baseline) {
  return write_file(baseline.file, text_of(baseline));
}

}  // namespace reshape::conformance
