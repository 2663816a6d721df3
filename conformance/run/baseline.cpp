#include "conformance/run/baseline.h"

#include <fmt/chrono.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iterator>
#include <memory>
#include <set>

#include "conformance/files/plain_text.h"
#include "conformance/files/yaml_tree.h"
#include "conformance/run/baseline_entries.h"
#include "conformance/run/case_ids.h"
#include "conformance/run/selection.h"
#include "conformance/run/write_file.h"
#include "conformance/text/glob.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kLargestBaseline = std::size_t{64} << 20;  // bytes

Error wrong(const std::string& file, int line, std::string message) {
  return Error{std::move(message), file + ":" + std::to_string(line)};
}

// Whether the text is a day of the calendar, written like "2026-11-01": days are compared as texts.
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

Result<KnownFailure> read_entry(const std::string& file, const YamlNode& node) {
  if (node.kind != YamlNode::Kind::map) {
    return wrong(
        file, node.line,
        "an entry is a map with id, cause or law, reason, link, fingerprint, owner, platform, "
        "until");
  }
  KnownFailure entry;
  entry.line = node.line;
  for (const auto& [key, line, value] : node.entries) {
    if (value.kind != YamlNode::Kind::scalar && value.kind != YamlNode::Kind::null) {
      return wrong(file, value.line, "'" + key + "' is one line of text");
    }
    bool known = false;
    each_key(entry, [&](const char* name, std::string& into) {
      if (key != name) return;
      known = true;
      into = value.scalar;
    });
    if (!known) return wrong(file, line, "unknown key '" + key + "'");
    if (key == "until" && !is_day(value.scalar)) {
      return wrong(file, line, "'until' is a day such as 2026-11-01, not '" + value.scalar + "'");
    }
  }
  const bool of_cases = !entry.id.empty() || !entry.cause.empty();
  if (!of_cases && entry.law.empty()) return wrong(file, node.line, "an entry needs an id");
  if (of_cases && !entry.law.empty()) {
    return wrong(file, node.line, "an entry has a law, or an id, a cause or both of them");
  }
  if (!entry.cause.empty() && !entry.fingerprint.empty()) {
    return wrong(file, node.line, "an entry has a cause or a fingerprint");
  }
  if (entry.reason.empty()) {
    return wrong(file, node.line, "entry '" + entry.of_what() + "' needs a reason");
  }
  return entry;
}

Result<Baseline> read(const std::string& file, const YamlNode& root) {
  Baseline baseline;
  baseline.file = file;
  if (root.kind != YamlNode::Kind::map) {
    return wrong(file, root.line, "a baseline is a map with the key 'known'");
  }
  for (const YamlNode::Entry& field : root.entries) {
    if (field.key != "known") return wrong(file, field.line, "unknown key '" + field.key + "'");
  }
  if (root.entries.empty()) return wrong(file, root.line, "the key 'known' is missing");
  const YamlNode& list = root.entries.front().value;
  if (list.kind != YamlNode::Kind::list && list.kind != YamlNode::Kind::null) {
    return wrong(file, list.line, "'known' is a list of entries");
  }
  std::set<std::string> ids;
  for (const YamlNode& node : list.items) {
    Result<KnownFailure> entry = read_entry(file, node);
    if (!entry) return entry.error();
    if (!ids.insert(entry->of_what() + '\n' + entry->platform).second) {
      return wrong(file, node.line, "entry '" + entry->of_what() + "' is there twice");
    }
    baseline.known.push_back(std::move(*entry));
  }
  return baseline;
}

Known known_as(const KnownFailure& entry, const CaseResult& result, const std::string& day) {
  if (!result.executed) return Known::skipped;
  if (!result.failed()) return Known::passes;
  // A generated request matches by its cause: its sizes, and so its fingerprint, vary with the
  // seed.
  const bool as_recorded = !entry.cause.empty() || result.asked->generated() ||
                           fingerprint_of(result) == without_message_numbers(entry.fingerprint);
  if (!as_recorded) return Known::differs;
  return entry.is_over(day) ? Known::expired : Known::failure;
}

// Tells what is wrong with the entries: those that contradict the suite, or the run as a whole.
void tell_faults(const Baseline& baseline, const Entries& entries, RunResult& result) {
  CaseIds ids(*result.suite);
  const CausesMet causes(entries, result);
  const std::string platform = platform_of(result.capabilities);
  constexpr std::size_t kMostShown = 1000;  // bytes of what a file may hold megabytes of
  const bool all_documents = result.options.dialects.empty() && result.options.tier.empty();
  for (const KnownFailure& entry : baseline.known) {
    const auto tell = [&](const std::string& what, std::vector<std::string>& faults) {
      faults.push_back(baseline.file + ":" + std::to_string(entry.line) + ": entry '" +
                       printable(entry.of_what(), kMostShown) + "' " + what);
    };
    const auto fault = [&](const std::string& what) { tell(what, result.baseline_faults); };
    constexpr const char* kIsGone = "is the cause of no failure any more";
    if (!entry.cause.empty()) {
      const std::string document = document_of(entry.cause);
      const bool is_known = std::ranges::any_of(result.suite->documents, [&](const Document& one) {
        return matches(document, one.dialect.name);
      });
      if (all_documents && !is_known) {
        fault("has a cause of '" + document + "', which is no document");
      } else if (!entry.id.empty() && entry.is_of(platform) && causes.is_gone(entry)) {
        // Only for causes of cases: with another seed, generated requests may simply not fail.
        fault(kIsGone);
      } else if (!entry.id.empty() && entry.is_of(platform) && causes.is_unmet(entry)) {
        tell(kIsGone, result.unmet_causes);
      } else if (entry.is_of(platform) && causes.is_perhaps_gone(entry)) {
        tell("is the cause of no failure here", result.perhaps_gone);
      }
    } else if (!entry.id.empty()) {
      const auto count = static_cast<int>(ids.that_fit(entry.id).size());
      if (count == 0) fault("matches no case");
      if (count > kMostMatches) {
        fault("matches " + std::to_string(count) + " cases, more than " +
              std::to_string(kMostMatches));
      }
    }
  }
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

std::string platform_of(const Capabilities& capabilities) {
  utsname machine = {};
  const std::string processor = uname(&machine) == 0 ? machine.machine : "?";
  return processor + ' ' + capabilities.name + ' ' + capabilities.version;
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

Result<Baseline> load_baseline(const std::string& file) {
  const Result<std::string> text = read_text(file, kLargestBaseline);
  if (!text) return text.error();
  const Result<YamlNode> root = parse_yaml(*text);
  if (!root) return Error{root.error().message, file + ":" + root.error().where};
  Result<Baseline> baseline = read(file, *root);
  if (baseline) keep_form(*text, *baseline);
  return baseline;
}

std::string sort_of_answer(const std::string& answered) {
  // Without the implementation's own words.
  constexpr std::string_view kFailed = "answered failed";
  const std::size_t failed = answered.find(std::string(kFailed) + ": ");
  const std::size_t end =
      failed == std::string::npos ? answered.find(" (") : failed + kFailed.size();
  std::string sort = without_numbers(answered.substr(0, end));
  // Every list counts as the same: one with intervals or unknown sizes, and one that is cut short,
  // too.
  for (std::size_t begin = 0; (begin = sort.find('[', begin)) != std::string::npos; ++begin) {
    const std::size_t past = std::min(sort.find_first_not_of("#.,-?*", begin + 1), sort.size());
    const char* const rest = past == sort.size() ? "]" : "";
    if (past - begin > 1) sort = sort.substr(0, begin + 1) + '#' + sort.substr(past) + rest;
  }
  return sort;
}

std::string cause_of(const CaseResult& result) {
  if (result.verdict.faults.empty()) return "";
  const Fault& fault = result.verdict.faults.front();
  std::string cause = result.asked->request.dialect;
  if (fault.plane == Plane::bytes)
    cause += ", " + std::string(name(result.asked->request.data_type));
  cause += ": " + fault.broken() + " | " + name(fault.watch);
  if (fault.plane != Plane::shape) return cause;
  // Where a request must be refused, any shape that is produced instead is the same cause, scalars
  // too.
  const bool any_shape =
      fault.expected.starts_with("rejects") && fault.answered.starts_with("produced [");
  return cause + " | " + sort_of_answer(any_shape ? "produced [0]" : fault.answered);
}

std::string cause_of_what_is_unwritten(const CaseResult& result) {
  if (result.verdict.faults.empty()) return "";
  const Fault& fault = result.verdict.faults.front();
  constexpr std::string_view kUnwritten = "never written";
  if (fault.watch != CaughtBy::bytes || fault.answered.find(kUnwritten) == std::string::npos) {
    return "";
  }
  return result.asked->request.dialect + ": " + fault.broken() + " | " + name(fault.watch) + " | " +
         std::string(kUnwritten);
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
  const Entries entries(baseline, platform_of(result.capabilities));
  tell_faults(baseline, entries, result);
  for (CaseResult& one : result.cases) {
    const KnownFailure* entry = entries.for_result(one);
    if (!entry || one.left_out) continue;
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

Result<std::string> save(const Baseline& baseline) {
  return write_file(baseline.file, text_of(baseline));
}

}  // namespace reshape::conformance
