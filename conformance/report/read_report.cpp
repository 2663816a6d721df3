// The inverse of json.cpp. The exceptions of the JSON library end here.
#include "conformance/report/read_report.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "conformance/report/part_digest.h"
#include "conformance/run/other_types.h"
#include "conformance/text/line.h"
#include "conformance/text/read_json.h"

namespace reshape::conformance {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// Thrown and caught in this file only: an invalid report.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
T value_of(const Result<T>& result, const std::string& what) {
  if (!result) throw Wrong(what + ": " + result.error().text());
  return *result;
}

// The enumerator of this name, of those before `end`.
template <typename Enum>
Enum named(const std::string& word, int end) {
  for (int at = 0; at < end; ++at) {
    if (name(static_cast<Enum>(at)) == word) return static_cast<Enum>(at);
  }
  throw Wrong("unknown word '" + word + "'");
}

std::string text_of(const Json& object, const char* key) {
  return object.value(key, std::string());
}

ElementTypes types_of(const Json& list) {
  ElementTypes types;
  for (const Json& one : list) {
    const std::optional<ElementType> type = element_type_named(one.get<std::string>());
    if (!type) throw Wrong("unknown element type " + one.dump());
    types.insert(*type);
  }
  return types;
}

Capabilities capabilities_of(const Json& implementation) {
  const Json& json = implementation.at("capabilities");
  Capabilities able;
  able.name = implementation.at("name");
  able.version = implementation.at("version");
  able.dialects = json.at("dialects").get<Words>();
  able.element_types = types_of(json.at("element_types"));
  able.pattern_types = types_of(json.at("pattern_types"));
  able.max_rank = json.at("max_rank");
  able.alignment = json.at("alignment");
  able.max_elements = json.at("max_elements");
  able.max_size = json.at("max_size");
  able.max_bytes = json.value("max_bytes", able.max_bytes);
  able.in_memory = json.value("in_memory", able.in_memory);
  able.infers_alone = json.value("infers_alone", able.infers_alone);
  each_flag(able, [&](const char* key, bool& value) { value = json.at(key); });
  return able;
}

RunOptions options_of(const Json& run) {
  const Json& json = run.at("options");
  RunOptions options;
  options.library = run.at("implementation").at("library");
  options.dialects = json.at("dialects").get<Words>();
  options.filters = json.at("filters").get<Words>();
  options.clauses = json.at("clauses").get<Words>();
  options.types = json.at("types").get<Words>();
  options.waived = json.at("waived").get<Words>();
  options.tier = json.at("tier");
  options.shard = json.at("shard");
  options.baseline = json.at("baseline");
  options.specs = json.at("specs");
  options.in_process = json.at("in_process");
  options.jobs = json.at("jobs");
  options.deadline_seconds = json.at("deadline_seconds");
  return options;
}

// The cases of the suite by id, read lazily by document.
class Cases {
 public:
  explicit Cases(const Suite& suite) : suite_(suite) {}

  const Suite& suite() const { return suite_; }

  const Case* find(const std::string& dialect, const std::string& id) {
    auto [at, fresh] = documents_.try_emplace(dialect);
    const Document* document = suite_.document(dialect);
    if (!document) throw Wrong("case '" + id + "' is of no document of this suite");
    if (fresh) {
      for (const Case& one : document->cases) at->second[one.id] = &one;
    }
    const auto found = at->second.find(id);
    return found == at->second.end() ? nullptr : found->second;
  }

 private:
  const Suite& suite_;
  std::unordered_map<std::string, std::unordered_map<std::string_view, const Case*>> documents_;
};

Case own_case(const Json& json) {
  Case own;
  own.id = json.at("id");
  own.clauses = json.at("clauses").get<Words>();
  own.source.kind = json.at("source");
  own.request = value_of(parse_line(json.at("request").get<std::string>()), own.id);
  own.expect = value_of(parse_ruling(json.at("expected").get<std::string>()), own.id);
  return own;
}

const Case* asked_by(const Json& json, Cases& cases, std::deque<Case>& own) {
  const std::string id = json.at("id");
  const Case* one = cases.find(json.at("dialect"), id);
  if (!one) {
    std::optional<Case> in_other_types = case_in_other_types(cases.suite(), id);
    own.push_back(in_other_types ? *std::move(in_other_types) : own_case(json));
    one = &own.back();
    if (one->in_no_file()) return one;
    if (!in_other_types) throw Wrong("case '" + id + "' is not one of this suite");
  }
  if (json.at("request") != Json(print_line(one->request)) ||
      json.at("expected") != Json(text(one->expect)) ||
      one->clauses != json.at("clauses").get<Words>()) {
    throw Wrong("case '" + id + "' asks or expects something else in this suite");
  }
  return one;
}

Fault fault_of(const Json& json) {
  Fault fault;
  fault.plane = named<Plane>(json.at("plane"), kPlanes);
  fault.clause = json.at("clause");
  fault.duty = duty_named(json.at("duty").get<std::string>());
  fault.watch = watch_named(json.at("watch").get<std::string>());
  fault.expected = json.at("expected");
  fault.answered = json.at("answered");
  fault.probe = json.at("probe");
  if (json.contains("frame")) {
    const Json& frame = json.at("frame");
    fault.frame = CrashFrame{frame.at("address"), text_of(frame, "function"),
                             text_of(frame, "file"), frame.value("line", 0)};
  }
  return fault;
}

std::vector<ElementFact> facts_of(const Json& list) {
  std::vector<ElementFact> facts;
  for (const Json& one : list) {
    facts.push_back({one.at("says"), one.at("share"), one.at("by_itself"),
                     one.value("wrong_there", std::int64_t{0})});
  }
  return facts;
}

CaseResult case_of(const Json& json, Cases& cases, std::deque<Case>& own) {
  CaseResult result;
  result.asked = asked_by(json, cases, own);
  result.executed = json.at("executed");
  result.answered = json.at("answered");
  result.seconds = json.at("seconds");
  result.because = text_of(json, "because");
  Verdict& verdict = result.verdict;
  verdict.kind = named<Verdict::Kind>(json.at("verdict"), 4);
  verdict.reason = text_of(json, "reason");
  verdict.chose = text_of(json, "chose");
  for (int plane = 0; plane < kPlanes; ++plane) {
    verdict.planes[static_cast<std::size_t>(plane)] =
        named<Verdict::PlaneState>(json.at("planes").at(name(static_cast<Plane>(plane))), 3);
  }
  for (const Json& fault : json.value("faults", Json::array())) {
    verdict.faults.push_back(fault_of(fault));
  }
  if (result.failed() && verdict.faults.empty()) {
    throw Wrong("case '" + result.asked->id + "' fails without a fault");
  }
  if (json.contains("replays")) {
    result.replays.how = named<Replays::How>(json.at("replays"), 7);
    result.replays.says = text_of(json, "replays_says");
    result.replays.alone = text_of(json, "replays_alone");
    result.replays.lines = json.value("only_after", Words());
  }
  if (json.contains("wrong")) {
    const Json& wrong = json.at("wrong");
    result.wrong = {facts_of(wrong.at("places")), facts_of(wrong.at("values"))};
  }
  if (json.contains("wrong_shape")) {
    const Json& wrong = json.at("wrong_shape");
    result.wrong_shape = {wrong.at("says"), facts_of(wrong.at("facts"))};
  }
  if (json.contains("known")) {
    result.known = named<Known>(json.at("known"), 6);
    result.known_reason = json.at("known_reason");
    result.known_until = text_of(json, "known_until");
  }
  return result;
}

LawResult law_of(const Json& json) {
  LawResult law;
  law.name = json.at("name");
  law.rests_on = json.at("clause");
  law.says = json.at("says");
  law.tried = json.at("tried");
  law.not_asked = json.at("not_asked");
  law.unfinished = json.value("unfinished", "");
  law.broken = json.at("broken");
  law.known = json.value("known", "");
  law.known_until = json.value("known_until", "");
  law.lines = json.at("lines").get<Words>();
  law.input = json.value("input", "");
  law.seed = json.value("seed", std::uint64_t{0});
  law.wrong_alone = json.at("wrong_alone");
  law.undecided = json.at("undecided");
  law.seconds = json.at("seconds");
  return law;
}

Generation generation_of(const Json& json) {
  Generation generated;
  generated.seed = json.at("seed");
  generated.requests = json.at("requests");
  generated.drawn = json.at("drawn").get<decltype(generated.drawn)>();
  for (const Json& one : json.at("smallest")) {
    generated.smallest.push_back({one.at("id"), one.at("line"), one.at("fails"), one.at("yaml")});
  }
  return generated;
}

ExhaustiveResult exhaustive_of(const Json& json) {
  ExhaustiveResult world;
  world.bound = json.at("bound");
  world.asked = json.at("asked").get<decltype(world.asked)>();
  world.requests = json.at("requests");
  world.layouts = json.at("layouts");
  world.faults = json.at("faults");
  world.stopped = json.at("stopped");
  world.seconds = json.at("seconds");
  return world;
}

Whole whole_of(const Json& json) {
  Whole whole;
  whole.cases = json.at("cases");
  whole.laws = json.at("laws");
  const std::string digest = json.at("digest");
  const auto read = std::from_chars(digest.data(), digest.data() + digest.size(), whole.digest, 16);
  if (read.ec != std::errc() || read.ptr != digest.data() + digest.size()) {
    throw Wrong("'" + digest + "' is no digest");
  }
  return whole;
}

Report run_of(const Json& json, const Suite& suite, Cases& cases) {
  Report run;
  run.suite = &suite;
  run.capabilities = capabilities_of(json.at("implementation"));
  run.options = options_of(json);
  run.library_digest = text_of(json.at("implementation"), "library_sha256");
  run.library_changed = json.at("implementation").value("library_changed", false);
  run.cut_short = json.at("cut_short");
  run.seconds = json.at("seconds");
  run.baseline_faults = json.at("baseline_faults").get<Words>();
  auto own = std::make_shared<std::deque<Case>>();
  for (const Json& one : json.at("cases")) run.cases.push_back(case_of(one, cases, *own));
  run.own_cases = std::move(own);
  for (const Json& one : json.at("unasked_clauses")) {
    run.unasked.push_back({one.at("dialect"), one.at("clause"), named<Level>(one.at("level"), 5),
                           one.at("cases"), one.at("reason"), one.at("waived")});
  }
  for (const Json& one : json.at("at_first_use")) {
    run.at_first_use.push_back({{watch_named(one.at("watch").get<std::string>()), Plane::memory,
                                 duty_named(one.at("duty").get<std::string>()), one.at("saw")},
                                one.at("waived")});
  }
  for (const Json& law : json.value("laws", Json::array())) run.laws.push_back(law_of(law));
  if (json.contains("generated")) run.generated = generation_of(json.at("generated"));
  if (json.contains("exhaustive")) run.exhaustive = exhaustive_of(json.at("exhaustive"));
  if (json.contains("whole")) {
    run.whole = whole_of(json.at("whole"));
    run.unmet_causes = json.at("whole").at("unmet_causes").get<Words>();
    if (json.at("whole").at("sha256") != part_digest(json)) {
      throw Wrong("it was changed after it was written: its digest is that of something else");
    }
  }
  return run;
}

std::vector<Report> runs_of(const Json& report, const Suite& suite) {
  if (report.at("program") != "reshape-conformance" || report.at("format") != 1) {
    throw Wrong("it is a report of another program or form");
  }
  const std::string version = report.at("suite_version");
  if (version != suite.version) {
    throw Wrong("it is of suite " + version + ", and this is suite " + suite.version);
  }
  Cases cases(suite);
  std::vector<Report> runs;
  for (const Json& json : report.at("runs")) {
    runs.push_back(run_of(json, suite, cases));
    runs.back().program_version = report.at("program_version");
    runs.back().suite_version = version;
    runs.back().contract_version = report.at("contract_version");
  }
  if (runs.empty()) throw Wrong("it holds no run");
  if (report.at("documents") != told_documents(runs)) {
    throw Wrong("its documents are not those of this suite");
  }
  return runs;
}

}  // namespace

Result<std::vector<Report>> read_report(const std::string& text, const Suite& suite) {
  const Result<Json> read = read_json(text);
  if (!read) return read.error();
  const Json& report = *read;
  if (!report.is_object()) return Error{"this is not what run --json writes"};
  try {
    return runs_of(report, suite);
  } catch (const Wrong& problem) {
    return Error{problem.what()};
  } catch (const Json::exception&) {
    // Its message speaks of types and offsets of the library.
    return Error{"this is not what run --json writes: a key is missing or holds something else"};
  }
}

}  // namespace reshape::conformance
