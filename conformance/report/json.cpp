// The one file that writes JSON in this folder. Its form is report.schema.json.
#include <nlohmann/json.hpp>

#include "conformance/report/report.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Json = nlohmann::ordered_json;

// Of the report's form: a reader may go by it. Raised when a key changes its meaning.
constexpr int kFormat = 1;

Json words(const ElementTypes& types) {
  Json list = Json::array();
  for (ElementType type : kAllElementTypes) {
    if (types.contains(type)) list.push_back(std::string(name(type)));
  }
  return list;
}

Json words(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(printable(text));
  return list;
}

Json of(const Capabilities& capabilities) {
  return {{"dialects", words(capabilities.dialects)},
          {"element_types", words(capabilities.element_types)},
          {"pattern_types", words(capabilities.pattern_types)},
          {"max_rank", capabilities.max_rank},
          {"alignment", capabilities.alignment},
          {"strided_input", capabilities.strided_input},
          {"strided_output", capabilities.strided_output},
          {"negative_strides", capabilities.negative_strides},
          {"in_place", capabilities.in_place},
          {"views", capabilities.views},
          {"starts_threads", capabilities.starts_threads},
          {"shape_only", capabilities.shape_only},
          {"max_elements", capabilities.max_elements},
          {"max_size", capabilities.max_size},
          {"no_overlapping_strides", capabilities.no_overlapping_strides},
          {"pattern_is_list", capabilities.pattern_is_list},
          {"some_views", capabilities.some_views},
          {"checks_output", capabilities.checks_output}};
}

Json of(const RunOptions& options) {
  return {{"dialects", words(options.dialects)},
          {"filters", words(options.filters)},
          {"clauses", words(options.clauses)},
          {"types", words(options.types)},
          {"waived", words(options.waived)},
          {"tier", options.tier},
          {"shard", options.shard},
          {"baseline", options.baseline},
          {"specs", options.specs},
          {"in_process", options.in_process},
          {"jobs", options.jobs},
          {"deadline_seconds", options.deadline_seconds}};
}

Json of(const Tally& tally) {
  return {{"planned", tally.planned},
          {"executed", tally.executed},
          {"pass", tally.pass},
          {"fail", tally.fail},
          {"known", tally.known},
          {"unsupported", tally.unsupported},
          {"mistrusted", tally.mistrusted}};
}

Json of(const Fault& fault) {
  return {{"plane", name(fault.plane)},
          {"clause", fault.clause},
          {"duty", fault.duty},
          {"watch", fault.watch},
          {"expected", printable(fault.expected)},
          {"answered", printable(fault.answered)},
          {"probe", printable(fault.probe)},
          {"fingerprint", printable(fault.fingerprint())}};
}

Json of(const CaseResult& result) {
  const Verdict& verdict = result.verdict;
  Json planes;
  for (Plane plane : {Plane::shape, Plane::bytes, Plane::memory}) {
    planes[name(plane)] = name(verdict.planes[static_cast<std::size_t>(plane)]);
  }
  Json one = {{"id", result.asked->id},
              {"dialect", result.asked->request.dialect},
              {"clauses", words(result.asked->clauses)},
              {"source", result.asked->source.kind},
              {"request", print_line(result.asked->request)},
              {"expected", text(result.asked->expect)},
              {"executed", result.executed},
              {"verdict", name(verdict.kind)},
              {"planes", planes},
              {"answered", printable(result.answered)},
              {"seconds", result.seconds}};
  if (!verdict.reason.empty()) one["reason"] = printable(verdict.reason);
  if (!verdict.chose.empty()) one["chose"] = printable(verdict.chose);
  if (result.replays.how != Replays::How::not_looked_at) {
    one["replays"] = name(result.replays.how);
    if (!result.replays.lines.empty()) one["only_after"] = words(result.replays.lines);
  }
  if (!result.because.empty()) one["because"] = printable(result.because);
  if (result.known != Known::none) {
    one["known"] = name(result.known);
    one["known_reason"] = printable(result.known_reason);
  }
  if (!verdict.faults.empty()) {
    one["faults"] = Json::array();
    for (const Fault& fault : verdict.faults) one["faults"].push_back(of(fault));
  }
  return one;
}

const Clause* clause_of(const Suite* suite, const std::string& dialect, const std::string& id) {
  const Document* document = suite ? suite->document(dialect) : nullptr;
  if (!document) return nullptr;
  for (const Clause& clause : document->clauses) {
    if (clause.id == id) return &clause;
  }
  return nullptr;
}

Json summary(const RunResult& run) {
  const Tallies counts = tallies(run);
  Json dialects = Json::object();
  for (const auto& [dialect, tally] : counts.by_dialect) dialects[dialect] = of(tally);
  Json types = Json::object();
  for (const auto& [type, tally] : counts.by_type) types[type] = of(tally);
  Json planes = Json::object();
  for (const auto& [plane, tally] : counts.by_plane) {
    planes[plane] = {{"pass", tally.pass}, {"fail", tally.fail}, {"not_asked", tally.not_asked}};
  }
  Json clauses = Json::array();
  for (const auto& [key, tally] : counts.by_clause) {
    Json one = {{"dialect", key.first}, {"clause", key.second}};
    if (const Clause* clause = clause_of(run.suite, key.first, key.second)) {
      one["level"] = name(clause->level);
    }
    one["counts"] = of(tally);
    clauses.push_back(std::move(one));
  }
  Json skipped = Json::array();
  for (const auto& [reason, cases] : counts.skipped) {
    skipped.push_back({{"reason", printable(reason)}, {"cases", cases}});
  }
  return {{"all", of(counts.all)}, {"dialects", dialects}, {"clauses", clauses},
          {"types", types},        {"planes", planes},     {"skipped", skipped}};
}

Json of(const std::vector<LawResult>& laws) {
  Json list = Json::array();
  for (const LawResult& law : laws) {
    Json lines = Json::array();
    for (const std::string& line : law.lines) lines.push_back(line);
    list.push_back({{"name", law.name},
                    {"clause", law.clause},
                    {"says", law.says},
                    {"tried", law.tried},
                    {"holds", law.holds()},
                    {"undecided", law.undecided},
                    {"wrong_alone", law.wrong_alone},
                    {"not_asked", printable(law.not_asked)},
                    {"broken", printable(law.broken)},
                    {"lines", lines},
                    {"seconds", law.seconds}});
  }
  return list;
}

Json of(const Generation& generated) {
  Json smallest = Json::array();
  for (const Smallest& one : generated.smallest) {
    smallest.push_back(
        {{"id", one.id}, {"line", one.line}, {"fails", printable(one.fails)}, {"yaml", one.yaml}});
  }
  Json drawn = Json::object();
  for (const auto& [facet, counts] : generated.drawn) {
    for (const auto& [name, times] : counts) drawn[facet][name] = times;
  }
  return {{"seed", generated.seed},
          {"requests", generated.requests},
          {"drawn", drawn},
          {"smallest", smallest}};
}

Json of(const Diagnosis& diagnosis) {
  Json causes = Json::array();
  for (const Diagnosis::Cause& cause : diagnosis.causes) {
    causes.push_back({{"mutant", cause.mutant},
                      {"says", cause.says},
                      {"breaks", cause.breaks},
                      {"public_bug", cause.public_bug},
                      {"where", cause.where},
                      {"same", cause.same},
                      {"otherwise", cause.otherwise},
                      {"beyond", cause.beyond},
                      {"passes", cause.passes},
                      {"chance", cause.chance}});
  }
  Json findings = Json::array();
  for (const Diagnosis::Finding& finding : diagnosis.findings) {
    findings.push_back({{"clause", finding.clause},
                        {"duty", finding.duty},
                        {"says", finding.says},
                        {"where", finding.where},
                        {"failures", finding.failures},
                        {"passes_there", finding.passes_there},
                        {"passes", finding.passes},
                        {"example", finding.example}});
  }
  Json steps = Json::array();
  for (const Diagnosis::Step& step : diagnosis.steps) {
    steps.push_back({{"clause", step.clause}, {"says", step.says}});
  }
  return {{"failures", diagnosis.failures},
          {"executed", diagnosis.executed},
          {"unstable", diagnosis.unstable},
          {"compared", diagnosis.compared},
          {"passes_compared", diagnosis.passes_compared},
          {"mistakes", diagnosis.mistakes},
          {"mistakes_asked", diagnosis.mistakes_asked},
          {"seconds", diagnosis.seconds},
          {"causes", causes},
          {"findings", findings},
          {"example", diagnosis.example},
          {"line", printable(diagnosis.line)},
          {"right", diagnosis.right},
          {"derivation", steps}};
}

Json of(const ExhaustiveResult& world) {
  Json asked = Json::object();
  for (const auto& [dialect, requests] : world.asked) asked[dialect] = requests;
  return {{"bound", world.bound},     {"requests", world.requests}, {"asked", asked},
          {"layouts", world.layouts}, {"faults", world.faults},     {"stopped", world.stopped},
          {"seconds", world.seconds}};
}

Json of(const RunResult& run) {
  Json unasked = Json::array();
  for (const UnaskedClause& one : run.unasked) {
    unasked.push_back({{"dialect", one.dialect},
                       {"clause", one.clause},
                       {"level", name(one.level)},
                       {"cases", one.cases},
                       {"reason", printable(one.reason)},
                       {"waived", one.waived},
                       {"red", one.red()}});
  }
  Json first_use = Json::array();
  for (const FirstUseFault& one : run.at_first_use) {
    first_use.push_back({{"watch", one.seen.watch},
                         {"duty", one.seen.duty},
                         {"saw", printable(one.seen.saw)},
                         {"waived", one.waived}});
  }
  Json chosen = Json::array();
  for (const Choice& choice : choices(run)) {
    chosen.push_back({{"dialect", choice.dialect},
                      {"clause", choice.clause},
                      {"chose", choice.chose},
                      {"cases", words(choice.cases)}});
  }
  Json cases = Json::array();
  for (const CaseResult& result : run.cases) cases.push_back(of(result));
  Json one = {{"implementation",
               {{"name", printable(run.capabilities.name)},
                {"version", printable(run.capabilities.version)},
                {"library", printable(run.options.library)},
                {"capabilities", of(run.capabilities)}}},
              {"options", of(run.options)},
              {"conforming", run.conforming() && run.executed() && run.complete()},
              {"cut_short", printable(run.cut_short)},
              {"conclusion", conclusion(run)},
              {"seconds", run.seconds},
              {"summary", summary(run)},
              {"open_points", chosen},
              {"unasked_clauses", unasked},
              {"at_first_use", first_use},
              {"baseline_faults", words(run.baseline_faults)},
              {"cases", cases}};
  if (!run.laws.empty()) one["laws"] = of(run.laws);
  if (run.generated) one["generated"] = of(*run.generated);
  if (run.exhaustive) one["exhaustive"] = of(*run.exhaustive);
  if (run.diagnosis) one["diagnosis"] = of(*run.diagnosis);
  return one;
}

}  // namespace

std::string json_report(Runs runs) {
  Json report = {{"format", kFormat}, {"program", "reshape-conformance"}};
  if (!runs.empty()) {
    report["program_version"] = runs[0].program_version;
    report["suite_version"] = runs[0].suite_version;
    report["contract_version"] = runs[0].contract_version;
  }
  report["runs"] = Json::array();
  for (const RunResult& run : runs) report["runs"].push_back(of(run));
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace reshape::conformance
