// SARIF 2.1.0 for code scanning: a failure is a result, the clause that it breaks is its rule, and
// its location is the clause in the suite. A crash with a known line has that location, and the
// clause as a related one.
#include <fmt/format.h>

#include "conformance/report/json_parts.h"
#include "conformance/report/report.h"
#include "conformance/report/sections.h"

namespace reshape::conformance {
namespace {

constexpr const char* kSchema = "https://json.schemastore.org/sarif-2.1.0.json";
constexpr const char* kVersion = "2.1.0";

// The rules of a run in the order in which results name them first.
class Rules {
 public:
  explicit Rules(const Suite* suite) : suite_(suite) {}

  // A clause of a document where there is one, else a duty of the contract.
  std::size_t place_of(const std::string& dialect, const std::string& clause, Duty duty) {
    const Document* document = suite_ ? suite_->document(dialect) : nullptr;
    const Clause* said = document ? document->clause(clause) : nullptr;
    if (!said) {
      const std::string& id = duty == Duty::none ? clause : name(duty);
      return add({{"id", "contract/" + id},
                  {"shortDescription", {{"text", "Duty " + id + " of an implementation"}}}});
    }
    Json rule = {{"id", dialect + "/" + clause},
                 {"shortDescription", {{"text", said->says}}},
                 {"properties", {{"level", name(said->level)}}}};
    if (!said->because.empty()) rule["help"] = {{"text", said->because}};
    return add(std::move(rule));
  }

  std::size_t place_of_law(const LawResult& law) {
    return add({{"id", "law/" + law.name}, {"shortDescription", {{"text", law.says}}}});
  }

  // The location in the suite: the clause, or the document if it has no such clause.
  Json location(const std::string& dialect, const std::string& clause) const {
    const Document* document = suite_ ? suite_->document(dialect) : nullptr;
    if (!document || document->file.empty()) return nullptr;
    const Clause* said = document->clause(clause);
    return {{"artifactLocation", {{"uri", "specs/" + document->file}}},
            {"region", {{"startLine", said && said->line > 0 ? said->line : 1}}}};
  }

  const Json& list() const { return rules_; }
  std::string id(std::size_t place) const { return rules_[place]["id"]; }

 private:
  std::size_t add(Json rule) {
    const auto [at, fresh] = places_.emplace(rule["id"].get<std::string>(), rules_.size());
    if (fresh) rules_.push_back(std::move(rule));
    return at->second;
  }

  const Suite* suite_;
  Json rules_ = Json::array();
  std::map<std::string, std::size_t> places_;
};

Json result_of(const Rules& rules, std::size_t rule, const std::string& message) {
  return {{"ruleId", rules.id(rule)},
          {"ruleIndex", rule},
          {"level", "error"},
          {"message", {{"text", printable(message)}}}};
}

void add_location(Json& result, const Rules& rules, const std::string& dialect,
                  const std::string& clause, const std::string& logical) {
  Json location = Json::object();
  if (Json physical = rules.location(dialect, clause); !physical.is_null()) {
    location["physicalLocation"] = std::move(physical);
  }
  location["logicalLocations"] = Json::array({{{"fullyQualifiedName", logical}}});
  result["locations"] = Json::array({std::move(location)});
}

// Every byte that a path of a URI may not hold is escaped.
std::string uri_of(const std::string& file) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char one : file) {
    if (kPlain.find(one) != std::string_view::npos) {
      uri += one;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(one));
    }
  }
  return uri;
}

void add_frame(Json& result, const CrashFrame& frame, const std::string& library) {
  Json place = {{"message", {{"text", printable(text(frame, library))}}}};
  if (frame.line > 0) {
    Json clause = std::move(result["locations"][0]);
    place["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(frame.file)}}},
                                 {"region", {{"startLine", frame.line}}}};
    Json first = place;
    first["logicalLocations"] = clause["logicalLocations"];
    result["locations"][0] = std::move(first);
    if (clause.contains("physicalLocation")) {
      clause["message"] = {{"text", "the clause that asks for an answer"}};
      result["relatedLocations"] = Json::array({std::move(clause)});
    }
    place["logicalLocations"] =
        Json::array({{{"name", printable(frame.function)}, {"kind", "function"}}});
  }
  const std::string module = library.substr(library.rfind('/') + 1);
  result["stacks"] = Json::array(
      {{{"message", {{"text", "the crash, innermost frame within the library"}}},
        {"frames",
         Json::array({{{"location", std::move(place)}, {"module", printable(module)}}})}}});
}

Json of_case(const Report& run, Rules& rules, const CaseResult& failed) {
  const Fault& fault = failed.verdict.faults.front();
  const std::string& dialect = failed.asked->request.dialect;
  const std::size_t rule = rules.place_of(dialect, fault.clause, fault.duty);
  Json result =
      result_of(rules, rule,
                fmt::format("{}: {} plane: expected {}, answered {}. {}", failed.asked->id,
                            name(fault.plane), printable(fault.expected),
                            printable(fault.answered, kBriefly), replay_command(run, failed)));
  add_location(result, rules, dialect, fault.clause, failed.asked->id);
  if (const CrashFrame* frame = failed.verdict.frame()) {
    add_frame(result, *frame, run.options.library);
  }
  result["partialFingerprints"] = {
      {"reshapeCase/v1", failed.asked->id + " | " + printable(fault.fingerprint())}};
  if (failed.known == Known::failure) {
    result["suppressions"] =
        Json::array({{{"kind", "external"}, {"justification", printable(failed.known_reason)}}});
  }
  return result;
}

Json of_run(const Report& run) {
  Rules rules(run.suite);
  Json results = Json::array();
  for (const CaseResult& result : run.cases) {
    if (result.failed() && !result.verdict.faults.empty()) {
      results.push_back(of_case(run, rules, result));
    }
  }
  for (const UnaskedClause& one : run.unasked) {
    if (!one.red()) continue;
    Json result =
        result_of(rules, rules.place_of(one.dialect, one.clause, Duty::none),
                  fmt::format("not asked: all {} cases were skipped, {}", one.cases, one.reason));
    add_location(result, rules, one.dialect, one.clause, one.dialect + "/" + one.clause);
    results.push_back(std::move(result));
  }
  for (const ProcessFault& one : run.at_first_use) {
    if (one.waived) continue;
    results.push_back(result_of(
        rules, rules.place_of("", "", one.seen.duty),
        "once in each process: " + std::string(name(one.seen.watch)) + ", " + one.seen.saw));
  }
  for (const LawResult& law : run.laws) {
    if (!run.is_red(law)) continue;
    results.push_back(result_of(rules, rules.place_of_law(law), law.broken));
  }
  // What is wrong with the baseline, and what was not asked, is no answer of the implementation.
  Json invocation = {{"executionSuccessful", run.complete() && run.executed()}};
  std::vector<std::string> lines = baseline_lines(run);
  if (run.exhaustive && !run.exhaustive->stopped.empty()) {
    lines.push_back("the bounded-exhaustive run was cut short: " + run.exhaustive->stopped);
  }
  for (const std::string& line : lines) {
    invocation["executionSuccessful"] = false;
    invocation["toolConfigurationNotifications"].push_back(
        {{"level", "error"}, {"message", {{"text", printable(line)}}}});
  }
  const std::string implementation =
      printable(run.capabilities.name + " " + run.capabilities.version);
  return {{"tool",
           {{"driver",
             {{"name", "reshape-conformance"},
              {"version", run.program_version},
              {"semanticVersion", run.program_version},
              {"rules", rules.list()}}}}},
          {"automationDetails", {{"id", "reshape-conformance/" + implementation}}},
          {"invocations", Json::array({std::move(invocation)})},
          {"results", results},
          {"properties",
           {{"implementation", implementation},
            {"suite_version", run.suite_version},
            {"contract_version", run.contract_version},
            {"conclusion", conclusion(run)}}}};
}

}  // namespace

std::string sarif_report(Runs runs) {
  Json report = {{"$schema", kSchema}, {"version", kVersion}, {"runs", Json::array()}};
  for (const Report& run : runs) report["runs"].push_back(of_run(run));
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

ReportForm sarif_form() {
  return {"sarif", "SARIF 2.1.0, as code scanning reads it", sarif_report};
}

}  // namespace reshape::conformance
