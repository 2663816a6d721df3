#include "conformance/report/join.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "conformance/report/evidence.h"
#include "conformance/run/selection.h"
#include "conformance/text/line.h"
#include "conformance/text/stable_hash.h"

namespace reshape::conformance {
namespace {

std::uint64_t digest_of(const Case& one) {
  StableHash hash;
  hash.add_word(one.id);
  hash.add_word(print_line(one.request));
  hash.add_word(text(one.expect));
  for (const std::string& clause : one.clauses) hash.add_word(clause);
  return hash.value();
}

std::string words(const std::vector<std::string>& texts) {
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, " "));
}

// What must be equal in all parts, with the words for the error.
std::vector<std::pair<std::string, std::string>> common(const Report& run) {
  const RunOptions& asked = run.options;
  const Capabilities& able = run.capabilities;
  return {{"program", run.program_version},
          {"suite", run.suite_version},
          {"contract", run.contract_version},
          // The same file may lie elsewhere.
          run.library_digest.empty() ? std::pair("library", asked.library)
                                     : std::pair("SHA-256 of the library", run.library_digest),
          {"implementation", able.name + " " + able.version},
          {"declared dialects", words(able.dialects)},
          {"declared element types", able.element_types.text()},
          {"declared pattern types", able.pattern_types.text()},
          {"--dialect", words(asked.dialects)},
          {"--filter", words(asked.filters)},
          {"--clause", words(asked.clauses)},
          {"--type", words(asked.types)},
          {"--waive", words(asked.waived)},
          {"--tier", asked.tier.empty() ? "none" : asked.tier},
          {"--baseline", asked.baseline.empty() ? "none" : asked.baseline},
          {"--specs", asked.specs.empty() ? "none" : asked.specs},
          {"--in-process", asked.in_process ? "yes" : "no"},
          {"--deadline", std::to_string(asked.deadline_seconds)},
          {"seed", run.generated ? std::to_string(run.generated->seed) : "none"},
          {"count of cases", std::to_string(run.whole->cases)},
          {"count of laws", std::to_string(run.whole->laws)}};
}

std::optional<Error> foreign(const Part& part, const Part& first) {
  const auto ours = common(first.result);
  const auto theirs = common(part.result);
  for (std::size_t at = 0; at < ours.size(); ++at) {
    if (ours[at] == theirs[at]) continue;
    return Error{"it is a part of another run than " + first.file + ": the " + ours[at].first +
                     " there is " + ours[at].second + ", here " + theirs[at].second,
                 part.file};
  }
  if (part.result.whole == first.result.whole) return std::nullopt;
  return Error{"it is a part of another run than " + first.file +
                   ": as many cases, but other requests, answers or clauses",
               part.file};
}

// An error where the part does not say which library it asked.
std::optional<Error> of_unknown_library(const Part& part) {
  const Report& run = part.result;
  if (run.library_changed) {
    return Error{"the library " + run.options.library + " changed while it was asked", part.file};
  }
  if (!run.library_digest.empty() || !names_file(run.options.library)) return std::nullopt;
  return Error{"it does not say the SHA-256 of the library " + run.options.library, part.file};
}

std::optional<Error> wrong_parts(const std::vector<Part>& parts) {
  if (parts.empty()) return Error{"there is no part to join"};
  std::map<int, std::string> taken;  // index -> file
  int count = 0;
  for (const Part& part : parts) {
    const Report& run = part.result;
    if (run.options.shard.empty() || !run.whole) {
      return Error{"it is no part of a run, which run --shard I/N --json writes", part.file};
    }
    const Result<Shard> shard = parse_shard(run.options.shard);
    if (!shard) return Error{shard.error().message, part.file};
    if (const std::optional<Error> unsure = of_unknown_library(part)) return unsure;
    if (const std::optional<Error> other = foreign(part, parts.front())) return other;
    if (count != 0 && shard->count != count) {
      return Error{"it is one of " + std::to_string(shard->count) + " parts, and " +
                       parts.front().file + " one of " + std::to_string(count),
                   part.file};
    }
    count = shard->count;
    const auto [at, fresh] = taken.insert({shard->index, part.file});
    if (!fresh) {
      return Error{"part " + run.options.shard + " is there twice, in " + at->second + " too",
                   part.file};
    }
    for (const CaseResult& one : run.cases) {
      if (!shard->holds(one.asked->id)) {
        return Error{"case " + one.asked->id + " does not belong to part " + run.options.shard,
                     part.file};
      }
    }
  }
  std::string missing;
  for (int index = 1; index <= count; ++index) {
    if (taken.contains(index)) continue;
    missing += (missing.empty() ? "" : ", ") + std::to_string(index) + "/" + std::to_string(count);
  }
  if (missing.empty()) return std::nullopt;
  return Error{"missing of the run that " + parts.front().file + " is a part of: " + missing};
}

// The order of cases: those of the suite, then generated ones in the order in which they were
// drawn.
using Place = std::tuple<std::size_t, std::uint64_t>;
class Places {
 public:
  explicit Places(const Suite& suite) : suite_(suite) {}

  Place of(const Case& one) {
    if (one.in_no_file()) {
      std::uint64_t number = 0;
      const std::size_t begin = one.id.rfind('/') + 1;
      std::from_chars(one.id.data() + begin, one.id.data() + one.id.size(), number);
      return {std::numeric_limits<std::size_t>::max(), number};
    }
    const std::string& dialect = one.request.dialect;
    if (read_.insert(dialect).second) read(dialect);
    const auto found = places_.find(one.written_id());
    return found == places_.end() ? Place{suite_.documents.size(), 0} : found->second;
  }

 private:
  void read(const std::string& dialect) {
    for (std::size_t at = 0; at < suite_.documents.size(); ++at) {
      if (suite_.documents[at].dialect.name != dialect) continue;
      std::uint64_t number = 0;
      for (const Case& one : suite_.documents[at].cases) places_[one.id] = {at, number++};
    }
  }

  const Suite& suite_;
  std::set<std::string> read_;
  std::unordered_map<std::string_view, Place> places_;
};

void join_laws(const std::vector<LawResult>& more, std::vector<LawResult>& laws) {
  for (const LawResult& law : more) {
    const auto same = std::ranges::find(laws, law.name, &LawResult::name);
    if (same == laws.end()) {
      laws.push_back(law);
      continue;
    }
    const auto weight = [](const LawResult& one) {
      return one.holds() ? (one.tried > 0 ? 1 : 0) : (one.undecided ? 2 : 3);
    };
    if (weight(law) > weight(*same)) *same = law;
  }
}

void join_first_use(const std::vector<ProcessFault>& more, std::vector<ProcessFault>& faults) {
  for (const ProcessFault& fault : more) {
    const bool there = std::ranges::any_of(faults, [&](const ProcessFault& one) {
      return one.seen.watch == fault.seen.watch && one.seen.saw == fault.seen.saw;
    });
    if (!there) faults.push_back(fault);
  }
}

}  // namespace

Whole whole_of(const std::vector<const Case*>& cases) {
  Whole whole;
  whole.cases = static_cast<int>(cases.size());
  for (const Case* one : cases) whole.digest += digest_of(*one);
  return whole;
}

Result<Report> joined(std::vector<Part> parts) {
  if (const std::optional<Error> wrong = wrong_parts(parts)) return *wrong;
  Report run = std::move(parts.front().result);
  const Whole whole = *run.whole;
  auto own = std::make_shared<std::deque<Case>>();
  const auto keep_own = [&](std::vector<CaseResult>& cases) {
    for (CaseResult& one : cases) {
      if (one.asked->as_written()) continue;
      own->push_back(*one.asked);
      one.asked = &own->back();
    }
  };
  keep_own(run.cases);
  for (std::size_t at = 1; at < parts.size(); ++at) {
    Report& part = parts[at].result;
    keep_own(part.cases);
    std::move(part.cases.begin(), part.cases.end(), std::back_inserter(run.cases));
    join_laws(part.laws, run.laws);
    join_first_use(part.at_first_use, run.at_first_use);
    for (const std::string& fault : part.baseline_faults) {
      if (std::ranges::find(run.baseline_faults, fault) == run.baseline_faults.end()) {
        run.baseline_faults.push_back(fault);
      }
    }
    if (part.generated) {
      auto& smallest = run.generated->smallest;
      std::move(part.generated->smallest.begin(), part.generated->smallest.end(),
                std::back_inserter(smallest));
    }
    std::erase_if(run.unmet_causes, [&](const std::string& one) {
      return std::ranges::find(part.unmet_causes, one) == part.unmet_causes.end();
    });
    if (run.cut_short.empty()) run.cut_short = part.cut_short;
    run.seconds += part.seconds;
  }
  std::vector<const Case*> asked;
  std::set<std::string_view> ids;
  for (const CaseResult& one : run.cases) {
    asked.push_back(one.asked);
    if (!ids.insert(one.asked->id).second) {
      return Error{"case " + one.asked->id + " is there twice"};
    }
  }
  if (whole_of(asked).digest != whole.digest) {
    return Error{"the parts hold " + std::to_string(asked.size()) + " cases that are not the " +
                 std::to_string(whole.cases) + " of their run: something was changed in them"};
  }
  const auto laws = static_cast<int>(run.laws.size());
  if (laws != whole.laws && run.cut_short.empty()) {
    return Error{"the parts hold " + std::to_string(laws) + " laws that are not the " +
                 std::to_string(whole.laws) + " of their run"};
  }
  std::ranges::move(run.unmet_causes, std::back_inserter(run.baseline_faults));
  run.unmet_causes.clear();
  Places places(*run.suite);
  std::unordered_map<const Case*, Place> at;
  for (const CaseResult& one : run.cases) at[one.asked] = places.of(*one.asked);
  std::ranges::stable_sort(run.cases, [&](const CaseResult& one, const CaseResult& other) {
    return at[one.asked] < at[other.asked];
  });
  run.own_cases = std::move(own);
  run.options.shard.clear();
  run.whole.reset();
  run.diagnosis.reset();
  run.law_diagnosis.reset();
  return run;
}

}  // namespace reshape::conformance
