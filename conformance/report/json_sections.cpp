// What a run holds besides its cases, as JSON.
#include "conformance/report/json_parts.h"

namespace reshape::conformance {

Json words(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(printable(text));
  return list;
}

Json json_of(const Report& run, const std::vector<LawResult>& laws) {
  Json list = Json::array();
  for (const LawResult& law : laws) {
    Json lines = Json::array();
    for (const std::string& line : law.lines) lines.push_back(line);
    list.push_back({{"name", law.name},
                    {"clause", law.rests_on},
                    {"says", law.says},
                    {"tried", law.tried},
                    {"holds", law.holds()},
                    {"undecided", law.undecided},
                    {"wrong_alone", law.wrong_alone},
                    {"not_asked", printable(law.not_asked)},
                    {"broken", printable(law.broken)},
                    {"known", printable(law.known)},
                    {"known_until", printable(law.known_until)},
                    {"lines", lines},
                    {"input", law.input},
                    {"seed", law.seed},
                    {"replay", law.holds() ? "" : replay_command(run, law)},
                    {"seconds", law.seconds}});
  }
  return list;
}

Json json_of(const Generation& generated) {
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

Json json_of(const Diagnosis& diagnosis) {
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
                        {"duty", name(finding.duty)},
                        {"says", finding.says},
                        {"besides", finding.besides},
                        {"asks", finding.asks},
                        {"where", finding.where},
                        {"failures", finding.failures},
                        {"failures_there", finding.failures_there},
                        {"passes_there", finding.passes_there},
                        {"passes", finding.passes},
                        {"example", finding.example}});
  }
  Json by_another = Json::array();
  for (const ByAnotherDocument& one : diagnosis.by_another_document) {
    by_another.push_back({{"dialect", one.dialect},
                          {"as", one.as},
                          {"failures", one.failures},
                          {"failures_so", one.failures_so},
                          {"passes", one.passes},
                          {"passes_so", one.passes_so}});
  }
  Json steps = Json::array();
  for (const Diagnosis::Step& step : diagnosis.steps) {
    steps.push_back({{"clause", step.clause}, {"says", step.says}});
  }
  return {{"failures", diagnosis.failures},    {"executed", diagnosis.executed},
          {"unstable", diagnosis.unstable},    {"right_again", diagnosis.right_again},
          {"compared", diagnosis.compared},    {"passes_compared", diagnosis.passes_compared},
          {"mistakes", diagnosis.mistakes},    {"mistakes_asked", diagnosis.mistakes_asked},
          {"seconds", diagnosis.seconds},      {"causes", causes},
          {"by_another_document", by_another}, {"findings", findings},
          {"example", diagnosis.example},      {"line", printable(diagnosis.line)},
          {"right", diagnosis.right},          {"derivation", steps}};
}

Json json_of(const LawDiagnosis& diagnosis) {
  Json findings = Json::array();
  for (const LawDiagnosis::Finding& one : diagnosis.findings) {
    findings.push_back({{"law", one.law},
                        {"where", one.where},
                        {"broken", one.broken},
                        {"broken_there", one.broken_there},
                        {"held", one.held},
                        {"held_there", one.held_there}});
  }
  Json alike = Json::array();
  for (const LawDiagnosis::Alike& one : diagnosis.alike) {
    alike.push_back({{"mutant", one.mutant},
                     {"says", one.says},
                     {"breaks", one.breaks},
                     {"public_bug", one.public_bug},
                     {"trials", one.trials},
                     {"agrees", one.agrees}});
  }
  Json threads = Json::array();
  for (const ThreadFinding& one : diagnosis.threads) {
    threads.push_back({{"laws", one.laws}, {"says", printable(one.says)}, {"line", one.line}});
  }
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
