// The one file that reads and writes YAML in this folder; yaml-cpp's exceptions end here.
#include "conformance/run/baseline.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "conformance/run/selection.h"
#include "conformance/run/write_file.h"

namespace reshape::conformance {
namespace {

std::string place(const std::string& file, const YAML::Mark& mark) {
  return mark.is_null() ? file : file + ":" + std::to_string(mark.line + 1);
}

Error wrong(const std::string& file, const YAML::Node& node, std::string message) {
  return Error{std::move(message), place(file, node.Mark())};
}

Result<KnownFailure> read_entry(const std::string& file, const YAML::Node& node) {
  if (!node.IsMap())
    return wrong(file, node, "an entry is a map with id, reason, link, fingerprint");
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
    } else if (key == "reason") {
      entry.reason = value;
    } else if (key == "link") {
      entry.link = value;
    } else if (key == "fingerprint") {
      entry.fingerprint = value;
    } else {
      return wrong(file, field.first, "unknown key '" + key + "'");
    }
  }
  if (entry.id.empty()) return wrong(file, node, "an entry needs an id");
  if (entry.reason.empty()) return wrong(file, node, "entry '" + entry.id + "' needs a reason");
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
    if (!ids.insert(entry->id).second) {
      return wrong(file, node, "entry '" + entry->id + "' is there twice");
    }
    baseline.known.push_back(std::move(*entry));
  }
  return baseline;
}

bool is_glob(const std::string& id) { return id.find_first_of("*?[") != std::string::npos; }

bool covers(const KnownFailure& entry, const std::string& id) {
  return entry.id == id || (is_glob(entry.id) && matches(entry.id, id));
}

const KnownFailure* entry_for(const Baseline& baseline, const std::string& id) {
  for (const KnownFailure& entry : baseline.known) {
    if (covers(entry, id)) return &entry;
  }
  return nullptr;
}

int cases_covered(const KnownFailure& entry, const Suite& suite) {
  int count = 0;
  for (const Document& document : suite.documents) {
    for (const Case& one : document.cases) count += covers(entry, one.id) ? 1 : 0;
  }
  return count;
}

std::string fingerprint_of(const CaseResult& result) {
  return result.verdict.faults.empty() ? "" : result.verdict.faults.front().fingerprint();
}

Known known_as(const KnownFailure& entry, const CaseResult& result) {
  if (!result.executed) return Known::skipped;
  if (!result.failed()) return Known::passes;
  return fingerprint_of(result) == without_message_numbers(entry.fingerprint) ? Known::failure
                                                                              : Known::differs;
}

std::string emitted(const Baseline& baseline) {
  YAML::Emitter out;
  out << YAML::Comment(
      "Known failures: id, reason, link, and how they fail. An entry that is not "
      "true any more turns the run red.");
  out << YAML::BeginMap << YAML::Key << "known" << YAML::Value << YAML::BeginSeq;
  for (const KnownFailure& entry : baseline.known) {
    out << YAML::BeginMap << YAML::Key << "id" << YAML::Value << entry.id << YAML::Key << "reason"
        << YAML::Value << entry.reason;
    if (!entry.link.empty()) out << YAML::Key << "link" << YAML::Value << entry.link;
    if (!entry.fingerprint.empty()) {
      out << YAML::Key << "fingerprint" << YAML::Value << entry.fingerprint;
    }
    out << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace

Result<Baseline> load_baseline(const std::string& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream) return Error{"cannot be read", file};
  try {
    return read(file, YAML::Load(text.str()));
  } catch (const YAML::Exception& problem) {
    return Error{problem.msg, place(file, problem.mark)};
  }
}

void apply(const Baseline& baseline, RunResult& result) {
  for (const KnownFailure& entry : baseline.known) {
    const int count = cases_covered(entry, *result.suite);
    const std::string where = baseline.file + ":" + std::to_string(entry.line) + ": ";
    if (count == 0) {
      result.baseline_faults.push_back(where + "entry '" + entry.id + "' matches no case");
    } else if (count > kMostMatches) {
      result.baseline_faults.push_back(where + "entry '" + entry.id + "' matches " +
                                       std::to_string(count) + " cases, more than " +
                                       std::to_string(kMostMatches));
    }
  }
  for (CaseResult& one : result.cases) {
    const KnownFailure* entry = entry_for(baseline, one.asked->id);
    if (!entry) continue;
    one.known = known_as(*entry, one);
    one.known_reason = entry->link.empty() ? entry->reason : entry->reason + ", " + entry->link;
  }
}

Baseline mended(const Baseline& baseline, const RunResult& result) {
  Baseline mend;
  mend.file = baseline.file;
  std::set<std::string> settled;
  for (const KnownFailure& entry : baseline.known) {
    const int covered = cases_covered(entry, *result.suite);
    if (covered == 0) continue;
    std::vector<const CaseResult*> planned;
    std::vector<const CaseResult*> failing;
    std::set<std::string> fingerprints;
    for (const CaseResult& one : result.cases) {
      if (!covers(entry, one.asked->id) || settled.contains(one.asked->id)) continue;
      planned.push_back(&one);
      if (!one.failed()) continue;
      failing.push_back(&one);
      fingerprints.insert(fingerprint_of(one));
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
        mend.known.push_back({one->asked->id, entry.reason, entry.link, fingerprint_of(*one), 0});
      }
      // Cases that this run did not plan keep what they had.
      for (const Document& document : result.suite->documents) {
        for (const Case& one : document.cases) {
          const bool here =
              std::any_of(result.cases.begin(), result.cases.end(),
                          [&](const CaseResult& came) { return came.asked->id == one.id; });
          if (!here && covers(entry, one.id)) {
            mend.known.push_back({one.id, entry.reason, entry.link, entry.fingerprint, 0});
          }
        }
      }
    }
    for (const CaseResult* one : planned) settled.insert(one->asked->id);
  }
  for (const CaseResult& one : result.cases) {
    if (!one.failed() || settled.contains(one.asked->id)) continue;
    mend.known.push_back({one.asked->id, "not explained yet", "", fingerprint_of(one), 0});
  }
  return mend;
}

Result<std::string> save(const Baseline& baseline) {
  return write_file(baseline.file, emitted(baseline));
}

}  // namespace reshape::conformance
