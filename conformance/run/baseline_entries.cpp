#include "conformance/run/baseline_entries.h"

#include <algorithm>

#include "conformance/run/case_ids.h"
#include "conformance/run/selection.h"
#include "conformance/text/glob.h"

namespace reshape::conformance {
namespace {

// The cause in an entry's fingerprint, "clause | watch | expected ... | answer". Empty where the
// fingerprint lacks a part of it: for wrong bytes a cause includes the type.
std::string cause_in(const KnownFailure& entry) {
  const std::string between = " | ";
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; parts.size() < 3; begin = end + between.size()) {
    end = entry.fingerprint.find(between, begin);
    if (end == std::string::npos) return "";
    parts.push_back(entry.fingerprint.substr(begin, end - begin));
  }
  const std::size_t dialect = entry.id.find('/');
  if (dialect == std::string::npos || parts[1] == name(CaughtBy::bytes)) return "";
  const std::string answered = entry.fingerprint.substr(begin);
  const bool of_process = parts[1] == name(CaughtBy::process);
  if (of_process && answered.find("during inference") == std::string::npos) return "";
  std::string cause = entry.id.substr(0, dialect) + ": " + parts[0] + between + parts[1];
  const bool of_shape =
      of_process || parts[1] == name(CaughtBy::shape) || parts[1] == name(CaughtBy::status);
  return of_shape ? cause + between + sort_of_answer(answered) : cause;
}

bool fits(const std::string& known, const std::string& name) {
  return known == name || (is_pattern(known) && matches(known, name));
}

}  // namespace

std::string document_of(const std::string& cause) {
  return cause.substr(0, cause.find_first_of(",:"));
}

std::string fingerprint_of(const CaseResult& result) {
  return result.verdict.faults.empty() ? "" : result.verdict.faults.front().fingerprint();
}

Entries::Entries(const Baseline& baseline, const std::string& platform) : known_(baseline.known) {
  for (std::size_t at = 0; at < known_.size(); ++at) {
    if (!known_[at].is_of(platform) || !known_[at].law.empty()) continue;
    if (!known_[at].cause.empty()) {
      add_cause(known_[at].cause, at);
      continue;
    }
    if (is_pattern(known_[at].id)) patterns_.push_back(at);
    exact_.try_emplace(known_[at].id, at);
    const std::string cause = cause_in(known_[at]);
    if (!cause.empty()) add_cause(cause, at);
  }
}

void Entries::add_cause(const std::string& cause, std::size_t entry) {
  const std::string document = document_of(cause);
  causes_[cause.substr(document.size())].push_back({document, entry});
}

const KnownFailure* Entries::for_result(const CaseResult& result) const {
  const bool generated = result.asked->generated();
  const KnownFailure* by_id = generated ? nullptr : for_id(result.asked->id);
  if (by_id != nullptr || causes_.empty()) return by_id;
  const KnownFailure* by_cause = for_cause(cause_of(result), result);
  return by_cause != nullptr ? by_cause : for_cause(cause_of_what_is_unwritten(result), result);
}

const KnownFailure* Entries::for_cause(const std::string& cause, const CaseResult& result) const {
  const bool generated = result.asked->generated();
  const std::string document = document_of(cause);
  const auto found = causes_.find(cause.substr(document.size()));
  if (found == causes_.end()) return nullptr;
  for (const OfDocument& known : found->second) {
    if (!fits(known.document, document)) continue;
    const KnownFailure& entry = known_[known.entry];
    // An entry for a case also covers generated requests that fail with the same cause.
    const bool is_of_cases = entry.cause.empty();
    if (entry.id.empty() || is_of_cases ? generated : fits(entry.id, result.asked->id)) {
      return &entry;
    }
  }
  return nullptr;
}

const KnownFailure* Entries::for_id(const std::string& id) const {
  const auto found = exact_.find(id);
  std::size_t first = found == exact_.end() ? known_.size() : found->second;
  for (const std::size_t at : patterns_) {
    if (at < first && fits(known_[at].id, id)) first = at;
  }
  return first < known_.size() ? &known_[first] : nullptr;
}

CausesMet::CausesMet(const Entries& entries, const RunResult& result) {
  const RunOptions& options = result.options;
  const bool everything = result.complete() && options.tier.empty() && options.filters.empty() &&
                          options.clauses.empty() && options.types.empty() &&
                          std::ranges::any_of(result.cases, [](const CaseResult& one) {
                            return !one.asked->generated();
                          });
  const bool whole = everything && options.shard.empty();
  if (everything && !whole) {
    for (const Document& document : result.suite->documents) {
      const std::string& name = document.dialect.name;
      const bool wanted = options.dialects.empty() ||
                          std::ranges::find(options.dialects, name) != options.dialects.end();
      if (wanted && result.capabilities.has_dialect(name)) split_.insert(name);
    }
  }
  for (const CaseResult& one : result.cases) {
    const std::string& dialect = one.asked->request.dialect;
    if (whole) (one.asked->generated() ? drawn_ : asked_).insert(dialect);
    if (one.executed) some_.insert(dialect);
    if (!one.failed()) continue;
    const KnownFailure* entry = entries.for_result(one);
    if (entry != nullptr && !entry->cause.empty()) met_.insert(entry);
  }
}

bool CausesMet::is_gone(const KnownFailure& by_cause) const {
  return is_told_of(by_cause.id.empty() ? drawn_ : asked_, by_cause);
}

bool CausesMet::is_perhaps_gone(const KnownFailure& by_cause) const {
  return is_told_of(some_, by_cause);
}

bool CausesMet::is_unmet(const KnownFailure& by_cause) const {
  return is_told_of(split_, by_cause);
}

bool CausesMet::is_told_of(const std::set<std::string>& dialects,
                           const KnownFailure& by_cause) const {
  const std::string document = document_of(by_cause.cause);
  return !met_.contains(&by_cause) &&
         std::ranges::any_of(dialects,
                             [&](const std::string& dialect) { return fits(document, dialect); });
}

}  // namespace reshape::conformance
