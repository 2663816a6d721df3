#include "conformance/report/evidence.h"

#include <sys/utsname.h>

#include <algorithm>
#include <thread>

#include "conformance/adapter/child/command_words.h"
#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/files/sha256.h"
#include "conformance/report/json_parts.h"
#include "conformance/text/line.h"
#include "conformance/text/read_json.h"

namespace reshape::conformance {
namespace {

constexpr int kFormat = 1;
constexpr const char* kForm = "reshape-conformance evidence";

Json machine() {
  utsname system = {};
  uname(&system);
  return {{"processor", system.machine},
          {"processors", std::thread::hardware_concurrency()},
          {"system", printable(std::string(system.sysname) + " " + system.release)}};
}

std::string digest_over(const Json& evidence) {
  return sha256(evidence.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Evidence evidence_of(Json json) {
  Evidence evidence;
  const std::string digest = json.at("digest");
  json.erase("digest");
  if (digest_over(json) != digest) {
    evidence.changed = "it was changed after it was written: its digest is that of something else";
  }
  evidence.program_version = json.at("report").at("program_version");
  evidence.program_digest = json.at("program_sha256");
  evidence.suite_digest = json.at("suite_sha256");
  evidence.library_digests = json.at("library_sha256").get<std::vector<std::string>>();
  if (evidence.library_digests.size() != json.at("report").at("runs").size()) {
    evidence.changed = "it has not as many digests of libraries as runs";
  }
  evidence.machine = json.at("machine").at("system").get<std::string>() + ", " +
                     json.at("machine").at("processor").get<std::string>();
  evidence.report = json.at("report").dump();
  return evidence;
}

// Whether the answer that a case tells is none with which it passes.
bool passes_with_another_answer(const CaseResult& one) {
  if (one.verdict.kind != Verdict::Kind::pass) return false;
  switch (one.asked->expect.kind) {
    case Ruling::Kind::produces: return one.answered != "produced " + text(one.asked->expect.shape);
    case Ruling::Kind::rejects: return !one.answered.starts_with(name(Outcome::Kind::rejected));
    case Ruling::Kind::unspecified: return false;
  }
  return false;
}

}  // namespace

std::string suite_digest(const Suite& suite) {
  std::string all = suite.version;
  const auto take = [&all](const std::string& word) {
    all += '\0';
    all += word;
  };
  for (const Document& document : suite.documents) {
    take(document.dialect.name);
    for (const Case& one : document.cases) {
      take(one.id);
      take(print_line(one.request));
      take(text(one.expect));
      for (const std::string& clause : one.clauses) take(clause);
      all += '\n';
    }
  }
  return sha256(all);
}

bool names_file(const std::string& library) {
  return !names_child(library) && !names_built_in(library);
}

std::string library_digest(const std::string& library) {
  if (!names_file(library)) return "";
  const Result<std::string> digest = sha256_of_file(library);
  return digest ? *digest : std::string();
}

bool is_changed(const Report& run) {
  const std::string& library = run.options.library;
  return (names_file(library) && run.library_digest.empty()) ||
         library_digest(library) != run.library_digest;
}

std::string evidence_report(Runs runs) {
  const Result<std::string> program = sha256_of_file("/proc/self/exe");
  const Json libraries = list_of(runs, [](const Report& run) { return run.library_digest; });
  Json evidence = {{"form", kForm},
                   {"format", kFormat},
                   {"program_sha256", program ? *program : std::string()},
                   {"suite_sha256",
                    runs.empty() || runs[0].suite == nullptr ? "" : suite_digest(*runs[0].suite)},
                   {"library_sha256", libraries},
                   {"machine", machine()},
                   {"report", json_of(runs)}};
  // Invalid UTF-8 is replaced before computing the digest, so that it matches the written text.
  evidence = Json::parse(evidence.dump(-1, ' ', false, Json::error_handler_t::replace));
  evidence["digest"] = digest_over(evidence);
  return evidence.dump(1) + "\n";
}

ReportForm evidence_form() {
  return {"evidence", "the report with digests of suite, program and library, for verify",
          evidence_report, true};
}

Result<Evidence> read_evidence(const std::string& text) {
  Result<Json> read = read_ordered_json(text);
  if (!read) return read.error();
  Json json = std::move(read).value();
  if (!json.is_object() || json.value("form", Json()) != kForm ||
      json.value("format", Json()) != kFormat) {
    return Error{"this is not what run --evidence writes"};
  }
  try {
    return evidence_of(std::move(json));
  } catch (const Json::exception&) {
    return Error{
        "this is not what run --evidence writes: a key is missing or holds something else"};
  }
}

std::string contradiction(const Evidence& evidence, Runs runs) {
  const Json said = Json::parse(evidence.report).at("runs"), follows = json_of(runs).at("runs");
  for (std::size_t at = 0; at < runs.size(); ++at) {
    for (const auto& [key, value] : follows[at].items()) {
      if (said[at].value(key, Json()) == value) continue;
      return "its \"" + key + "\" is not what follows from its cases";
    }
    const auto wrong = std::ranges::find_if(runs[at].cases, passes_with_another_answer);
    if (wrong == runs[at].cases.end()) continue;
    return "case '" + wrong->asked->id + "' passes with another answer than the right one";
  }
  return "";
}

}  // namespace reshape::conformance
