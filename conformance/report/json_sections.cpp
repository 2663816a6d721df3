// What a run holds besides its cases, as JSON.
#include "conformance/report/json_parts.h"

namespace reshape::conformance {
namespace {

Json around(const Diagnosis::Around& found) {
  return {{"asked", found.asked},       {"failed", found.failed},
          {"passed", found.passed},     {"where", found.where},
          {"failures", found.failures}, {"failures_there", found.failures_there},
          {"passes", found.passes},     {"passes_there", found.passes_there}};
}

}  // namespace

Json words(const std::vector<std::string>& texts) {
  return list_of(texts, [](const std::string& text) { return printable(text); });
}

Json json_of(const Report& run, const std::vector<LawResult>& laws) {
  return list_of(laws, [&](const LawResult& law) {
    return Json{{"name", law.name},
                {"clause", law.rests_on},
                {"says", law.says},
                {"tried", law.tried},
                {"holds", law.holds() && law.tried == 0 ? Json() : Json(law.holds())},
                {"undecided", law.undecided},
                {"red", run.is_red(law)},
                {"wrong_alone", law.wrong_alone},
                {"not_asked", printable(law.not_asked)},
                {"unfinished", printable(law.unfinished)},
                {"broken", printable(law.broken)},
                {"known", printable(law.known)},
                {"known_until", printable(law.known_until)},
                {"lines", law.lines},
                {"input", law.input},
                {"seed", law.seed},
                {"replay", law.holds() ? "" : replay_command(run, law)},
                {"seconds", law.seconds}};
  });
}

Json json_of(const Report& run, const Generation& generated) {
  const Json smallest = list_of(generated.smallest, [&](const Smallest& one) {
    return Json{{"id", one.id},
                {"line", one.line},
                {"fails", printable(one.fails)},
                {"yaml", one.yaml},
                {"replay", replay_command(run, one)}};
  });
  Json drawn = Json::object();
  for (const auto& [facet, counts] : generated.drawn) {
    for (const auto& [name, times] : counts) drawn[facet][name] = times;
  }
  return {{"seed", generated.seed},
          {"requests", generated.requests},
          {"drawn", drawn},
          {"smallest", smallest}};
}

Json json_of(const Diagnosis& diagnosis) {
  const Json causes = list_of(diagnosis.causes, [](const Diagnosis::Cause& cause) {
    return Json{{"mutant", cause.mutant},       {"says", cause.says},
                {"breaks", cause.breaks},       {"public_bug", cause.public_bug},
                {"where", cause.where},         {"same", cause.same},
                {"otherwise", cause.otherwise}, {"beyond", cause.beyond},
                {"passes", cause.passes},       {"chance", cause.chance}};
  });
  const Json findings = list_of(diagnosis.findings, [](const Diagnosis::Finding& finding) {
    return Json{{"clause", finding.clause},
                {"duty", name(finding.duty)},
                {"says", finding.says},
                {"besides", finding.besides},
                {"asks", finding.asks},
                {"where", finding.where},
                {"failures", finding.failures},
                {"failures_there", finding.failures_there},
                {"passes_there", finding.passes_there},
                {"passes", finding.passes},
                {"mostly", finding.mostly},
                {"failures_mostly", finding.failures_mostly},
                {"passes_mostly", finding.passes_mostly},
                {"place", printable(finding.place)},
                {"at_place", finding.at_place},
                {"with_place", finding.with_place},
                {"example", finding.example},
                {"around", around(finding.around)},
                {"as_the_first", finding.as_the_first},
                {"as_known", finding.as_known}};
  });
  const Json by_another = list_of(diagnosis.by_another_document, [](const ByAnotherDocument& one) {
    return Json{{"dialect", one.dialect},   {"as", one.as},
                {"failures", one.failures}, {"failures_so", one.failures_so},
                {"passes", one.passes},     {"passes_so", one.passes_so}};
  });
  const Json steps = list_of(diagnosis.steps, [](const Diagnosis::Step& step) {
    return Json{{"clause", step.clause}, {"says", step.says}};
  });
  return {{"failures", diagnosis.failures},
          {"executed", diagnosis.executed},
          {"unstable", diagnosis.unstable},
          {"right_again", diagnosis.right_again},
          {"right_later", diagnosis.right_later},
          {"compared", diagnosis.compared},
          {"passes_compared", diagnosis.passes_compared},
          {"mistakes", diagnosis.mistakes},
          {"mistakes_asked", diagnosis.mistakes_asked},
          {"seconds", diagnosis.seconds},
          {"causes", causes},
          {"by_another_document", by_another},
          {"findings", findings},
          {"example", diagnosis.example},
          {"line", printable(diagnosis.line)},
          {"right", diagnosis.right},
          {"derivation", steps}};
}

Json json_of(const LawDiagnosis& diagnosis) {
  const Json findings = list_of(diagnosis.findings, [](const LawDiagnosis::Finding& one) {
    return Json{{"law", one.law},       {"where", one.where},
                {"broken", one.broken}, {"broken_there", one.broken_there},
                {"held", one.held},     {"held_there", one.held_there}};
  });
  const Json alike = list_of(diagnosis.alike, [](const LawDiagnosis::Alike& one) {
    return Json{{"mutant", one.mutant},         {"says", one.says},     {"breaks", one.breaks},
                {"public_bug", one.public_bug}, {"trials", one.trials}, {"agrees", one.agrees}};
  });
  const Json threads = list_of(diagnosis.threads, [](const ThreadFinding& one) {
    return Json{{"laws", one.laws}, {"says", printable(one.says)}, {"line", one.line}};
  });
  return {{"findings", findings},
          {"threads", threads},
          {"alike", alike},
          {"broken_compared", diagnosis.broken_compared},
          {"held_compared", diagnosis.held_compared},
          {"mistakes", diagnosis.mistakes},
          {"mistakes_asked", diagnosis.mistakes_asked},
          {"seconds", diagnosis.seconds}};
}

Json json_of(const ExhaustiveResult& world) {
  Json asked = Json::object();
  for (const auto& [dialect, requests] : world.asked) asked[dialect] = requests;
  return {{"bound", world.bound},     {"requests", world.requests}, {"asked", asked},
          {"layouts", world.layouts}, {"faults", world.faults},     {"stopped", world.stopped},
          {"seconds", world.seconds}};
}

}  // namespace reshape::conformance
