#include "conformance/spec/suite_json.h"

#include <nlohmann/json.hpp>
#include <set>

#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json ids(const std::vector<const Case*>& cases) {
  Json list = Json::array();
  for (const Case* one : cases) list.push_back(one->id);
  return list;
}

Json json_of(std::span<const Case* const> cases) {
  Json list = Json::array();
  for (const Case* one : cases) {
    Json source = {{"kind", one->source.kind}};
    if (!one->source.section.empty()) source["section"] = one->source.section;
    if (!one->source.link.empty()) source["link"] = one->source.link;
    list.push_back({{"id", one->id},
                    {"dialect", one->request.dialect},
                    {"clauses", one->clauses},
                    {"request", print_line(one->request)},
                    {"expect", text(one->expect)},
                    {"source", std::move(source)},
                    {"file", one->file},
                    {"line", one->line}});
  }
  return list;
}

}  // namespace

std::size_t all_cases(const Suite& suite) {
  std::size_t count = 0;
  for (const Document& document : suite.documents) count += document.cases.size();
  return count;
}

std::string json_of_cases(const Suite& suite, std::span<const Case* const> cases) {
  return dump({{"suite", suite.version}, {"of", all_cases(suite)}, {"cases", json_of(cases)}});
}

std::string stamped_json_of_cases(const Suite& suite, std::span<const Case* const> cases,
                                  const Provenance& from) {
  std::set<std::string> asked;
  for (const Case* one : cases) asked.insert(one->request.dialect);
  Json documents = Json::array();
  for (const Document& document : suite.documents) {
    if (!asked.contains(document.dialect.name)) continue;
    documents.push_back({{"dialect", document.dialect.name},
                         {"title", document.title},
                         {"version", document.version},
                         {"publisher", document.publisher},
                         {"address", document.address},
                         {"licence", document.licence}});
  }
  return dump({{"suite", suite.version},
               {"digest", digest_of(suite)},
               {"program", from.program},
               {"commit", from.commit},
               {"documents", std::move(documents)},
               {"of", all_cases(suite)},
               {"cases", json_of(cases)}});
}

std::string json_of_trace(const Suite& suite, const Trace& trace) {
  Json documents = Json::array();
  for (const DocumentTrace& traced : trace.documents) {
    Json clauses = Json::array();
    for (const ClauseTrace& row : traced.clauses) {
      clauses.push_back({{"id", row.clause->id},
                         {"level", name(row.clause->level)},
                         {"section", row.clause->section},
                         {"breakable", row.clause->breakable},
                         {"holds", ids(row.holds)},
                         {"breaks", ids(row.breaks)},
                         {"opens", ids(row.opens)},
                         {"missing", row.missing}});
    }
    documents.push_back({{"dialect", traced.document->dialect.name},
                         {"title", traced.document->title},
                         {"versioned_name", traced.document->versioned_name},
                         {"publisher", traced.document->publisher},
                         {"version", traced.document->version},
                         {"cases", traced.document->cases.size()},
                         {"clauses", std::move(clauses)}});
  }
  return dump(
      {{"suite", suite.version}, {"documents", std::move(documents)}, {"orphans", trace.orphans}});
}

}  // namespace reshape::conformance
