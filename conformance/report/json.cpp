// The JSON report; report.schema.json describes it.
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>

#include "conformance/report/failure_groups.h"
#include "conformance/report/json_parts.h"
#include "conformance/report/part_digest.h"
#include "conformance/report/report.h"
#include "conformance/run/baseline.h"
#include "conformance/run/oracle.h"
#include "conformance/run/wrong_in_common.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

// The version of the report's format, raised when a key changes its meaning.
constexpr int kFormat = 1;

Json type_names(const ElementTypes& types) {
  return list_of(types, [](ElementType type) { return name(type); });
}

Json of(const Capabilities& capabilities) {
  Json json = {{"dialects", words(capabilities.dialects)},
               {"element_types", type_names(capabilities.element_types)},
               {"pattern_types", type_names(capabilities.pattern_types)},
               {"max_rank", capabilities.max_rank},
               {"alignment", capabilities.alignment},
               {"max_elements", capabilities.max_elements},
               {"max_size", capabilities.max_size},
               {"max_bytes", capabilities.max_bytes},
               {"in_memory", capabilities.in_memory},
               {"infers_alone", capabilities.infers_alone}};
  each_flag(capabilities, [&](const char* key, bool value) { json[key] = value; });
  return json;
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

Json of(const CrashFrame& frame) {
  Json form = {{"address", frame.address}};
  if (frame.line == 0) return form;
  form["function"] = printable(frame.function);
  form["file"] = printable(frame.file);
  form["line"] = frame.line;
  return form;
}

Json of(const Fault& fault) {
  Json form = {{"plane", name(fault.plane)},
               {"clause", fault.clause},
               {"duty", name(fault.duty)},
               {"watch", name(fault.watch)},
               {"expected", printable(fault.expected)},
               {"answered", printable(fault.answered)},
               {"probe", printable(fault.probe)},
               {"fingerprint", printable(fault.fingerprint())}};
  if (!fault.probe.empty()) form["set_up"] = printable(probe_in_words(fault.probe));
  if (!fault.clause.empty() && fault.broken_clause().empty()) form["breaks_no_clause"] = true;
  if (fault.frame) form["frame"] = of(*fault.frame);
  return form;
}

Json of(const std::vector<ElementFact>& facts) {
  return list_of(facts, [](const ElementFact& one) {
    Json form = {{"says", one.says}, {"share", one.share}, {"by_itself", one.by_itself}};
    if (one.wrong_there != 0) form["wrong_there"] = one.wrong_there;
    return form;
  });
}

Json of(const WrongElements& wrong) {
  return {{"says", text(wrong)}, {"places", of(wrong.places)}, {"values", of(wrong.values)}};
}

Json of(const Report& run, const CaseResult& result) {
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
    if (!result.replays.says.empty()) one["replays_says"] = printable(result.replays.says);
    if (!result.replays.alone.empty()) one["replays_alone"] = printable(result.replays.alone);
    if (!result.replays.lines.empty()) one["only_after"] = words(result.replays.lines);
  }
  if (result.wrong) one["wrong"] = of(*result.wrong);
  if (result.wrong_shape) {
    one["wrong_shape"] = {{"says", result.wrong_shape->says},
                          {"facts", of(result.wrong_shape->facts)}};
  }
  if (!result.because.empty()) one["because"] = printable(result.because);
  if (result.known != Known::none) {
    one["known"] = name(result.known);
    one["known_reason"] = printable(result.known_reason);
    if (!result.known_until.empty()) one["known_until"] = printable(result.known_until);
  }
  if (!verdict.faults.empty()) {
    one["replay"] = replay_command(run, result);
    if (const std::string command = explain_command(run, result); !command.empty()) {
      one["explain"] = command;
    }
    one["faults"] = list_of(verdict.faults, [](const Fault& fault) { return of(fault); });
  }
  return one;
}

Json summary(const Report& run) {
  const Tallies counts = tallies(run);
  Json dialects = Json::object();
  for (const auto& [dialect, tally] : counts.by_dialect) dialects[dialect] = of(tally);
  Json types = Json::object();
  for (const auto& [type, tally] : counts.by_type) types[type] = of(tally);
  Json planes = Json::object();
  for (const auto& [plane, tally] : counts.by_plane) {
    planes[plane] = {{"pass", tally.pass}, {"fail", tally.fail}, {"not_asked", tally.not_asked}};
  }
  const Json clauses = list_of(counts.by_clause, [&](const auto& counted) {
    const auto& [key, tally] = counted;
    Json one = {{"dialect", key.first}, {"clause", key.second}};
    const Document* document = run.suite ? run.suite->document(key.first) : nullptr;
    const Clause* clause = document ? document->clause(key.second) : nullptr;
    if (clause) one["level"] = name(clause->level);
    one["counts"] = of(tally);
    return one;
  });
  const Json skipped = list_of(counts.skipped, [](const auto& one) {
    return Json{{"reason", printable(one.first)}, {"cases", one.second}};
  });
  return {{"all", of(counts.all)}, {"dialects", dialects}, {"clauses", clauses},
          {"types", types},        {"planes", planes},     {"skipped", skipped}};
}

Json sizes_of(const Shape& shape) {
  return list_of(shape, [](std::int64_t size) { return size; });
}

// The shape in the words of text(Outcome), "produced [2,5]", which are those of a ruling but for
// one letter. Nothing where no shape was produced.
std::optional<Shape> produced_shape(std::string answered) {
  if (!answered.starts_with("produced ")) return std::nullopt;
  answered.replace(0, 8, "produces");
  const Result<Ruling> read = parse_ruling(answered);
  return read ? std::optional(read->shape) : std::nullopt;
}

// The number in the words of a difference: "element 4 [1,1] is 0x40800000".
std::optional<std::int64_t> first_wrong_element(const Verdict& verdict) {
  constexpr std::string_view kElement = "element ";
  for (const Fault& fault : verdict.faults) {
    const std::string& words = fault.expected;
    if (fault.watch != CaughtBy::bytes || !words.starts_with(kElement)) continue;
    std::int64_t element = 0;
    const auto read =
        std::from_chars(words.data() + kElement.size(), words.data() + words.size(), element);
    return read.ec == std::errc() ? std::optional(element) : std::nullopt;
  }
  return std::nullopt;
}

// The groups of unexpected failures, with the first of each in full.
Json groups_of(const Report& run) {
  return list_of(failure_groups(run), [&](const FailureGroup& group) {
    const CaseResult& first = *group.cases.front();
    const Case& asked = *first.asked;
    // Stays empty if the suite does not have the document.
    reference::Derivation derivation;
    if (run.suite) static_cast<void>(oracle(*run.suite, asked.request, &derivation));
    const Json steps = list_of(derivation, [](const reference::Step& step) {
      return Json{{"clause", step.clause}, {"says", printable(step.says)}};
    });
    Json one = {
        {"cases", list_of(group.cases, [](const CaseResult* each) { return each->asked->id; })},
        {"derivation", steps},
        {"data_shape", sizes_of(asked.request.data)}};
    if (asked.expect.kind == Ruling::Kind::produces) {
      one["expected_shape"] = sizes_of(asked.expect.shape);
    }
    if (const auto shape = produced_shape(first.answered)) one["answered_shape"] = sizes_of(*shape);
    if (const auto element = first_wrong_element(first.verdict)) one["element"] = *element;
    if (const std::string wrong = wrong_in_common(group.cases); !wrong.empty()) {
      one["wrong"] = wrong;
    }
    return one;
  });
}

Json of(const Document& document) {
  const Json clauses = list_of(document.clauses, [](const Clause& clause) {
    Json one = {{"id", clause.id}, {"level", name(clause.level)}, {"says", clause.says}};
    if (!clause.section.empty()) one["section"] = clause.section;
    if (!clause.because.empty()) one["because"] = clause.because;
    return one;
  });
  return {{"title", document.title},
          {"publisher", document.publisher},
          {"version", document.version},
          {"address", document.address},
          {"clauses", clauses}};
}

// The documents that some run asked about.
Json documents_of(Runs runs) {
  Json documents = Json::object();
  for (const Report& run : runs) {
    if (!run.suite) continue;
    std::set<std::string> dialects;
    for (const CaseResult& result : run.cases) dialects.insert(result.asked->request.dialect);
    for (const std::string& dialect : dialects) {
      if (const Document* document = run.suite->document(dialect)) {
        documents[dialect] = of(*document);
      }
    }
  }
  return documents;
}

Json of(const Report& run) {
  const Json unasked = list_of(run.unasked, [](const UnaskedClause& one) {
    return Json{{"dialect", one.dialect},
                {"clause", one.clause},
                {"level", name(one.level)},
                {"cases", one.cases},
                {"reason", printable(one.reason)},
                {"waived", one.waived},
                {"red", one.red()}};
  });
  const Json first_use = list_of(run.at_first_use, [](const ProcessFault& one) {
    return Json{{"watch", name(one.seen.watch)},
                {"duty", name(one.seen.duty)},
                {"saw", printable(one.seen.saw)},
                {"waived", one.waived}};
  });
  const Json chosen = list_of(choices(run), [](const Choice& choice) {
    return Json{{"dialect", choice.dialect},
                {"clause", choice.clause},
                {"chose", choice.chose},
                {"cases", words(choice.cases)}};
  });
  Json cases = list_of(run.cases, [&](const CaseResult& result) { return of(run, result); });
  Json implementation = {{"name", printable(run.capabilities.name)},
                         {"version", printable(run.capabilities.version)},
                         {"library", printable(run.options.library)},
                         {"platform", printable(platform_of(run.capabilities))},
                         {"capabilities", of(run.capabilities)}};
  if (!run.library_digest.empty()) implementation["library_sha256"] = run.library_digest;
  if (run.library_changed) implementation["library_changed"] = true;
  Json one = {{"implementation", implementation},
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
              {"failure_groups", groups_of(run)},
              {"cases", cases}};
  if (!run.laws.empty()) one["laws"] = json_of(run, run.laws);
  if (run.generated) one["generated"] = json_of(run, *run.generated);
  if (run.whole) {
    one["whole"] = {{"cases", run.whole->cases},
                    {"digest", fmt::format("{:016x}", run.whole->digest)},
                    {"laws", run.whole->laws},
                    {"unmet_causes", words(run.unmet_causes)}};
  }
  if (run.exhaustive) one["exhaustive"] = json_of(*run.exhaustive);
  if (run.diagnosis) one["diagnosis"] = json_of(*run.diagnosis);
  if (run.law_diagnosis) one["law_diagnosis"] = json_of(*run.law_diagnosis);
  if (run.whole) {
    one["whole"]["sha256"] = part_digest(
        nlohmann::json::parse(one.dump(-1, ' ', false, Json::error_handler_t::replace)));
  }
  return one;
}

}  // namespace

nlohmann::json told_documents(Runs runs) { return documents_of(runs); }

Json json_of(Runs runs) {
  Json report = {{"format", kFormat}, {"program", "reshape-conformance"}};
  if (!runs.empty()) {
    report["program_version"] = runs[0].program_version;
    report["suite_version"] = runs[0].suite_version;
    report["contract_version"] = runs[0].contract_version;
  }
  report["documents"] = documents_of(runs);
  report["runs"] = Json::array();
  for (const Report& run : runs) report["runs"].push_back(of(run));
  return report;
}

std::string json_report(Runs runs) {
  return json_of(runs).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

ReportForm json_form() {
  return {"json", "every case with its verdict, as JSON (report.schema.json)", json_report};
}

}  // namespace reshape::conformance
