// The HTML report: the page of html/ with the JSON report embedded. Adds no content of its own.
#include <cstdint>
#include <map>
#include <string>

#include "conformance/report/html_page.h"
#include "conformance/report/json_parts.h"
#include "conformance/report/report.h"

namespace reshape::conformance {
namespace {

// The cases of all runs as columns with a dictionary: {"values": {"verdict": ["pass", "fail"]}} and
// for each run {"verdict": [0, 0, 1]}, -1 where a case lacks the key. Compact for a page with
// 100,000 cases, whose keys and values are mostly equal.
class Columns {
 public:
  Json add(const Json& cases) {
    Json columns = Json::object();
    for (std::size_t at = 0; at < cases.size(); ++at) {
      for (const auto& [key, value] : cases[at].items()) {
        Json& column = columns[key];
        if (column.is_null()) column = Json::array();
        while (column.size() < at) column.push_back(-1);
        column.push_back(place_of(key, value));
      }
    }
    for (Json& column : columns) {
      while (column.size() < cases.size()) column.push_back(-1);
    }
    return columns;
  }

  const Json& values() const { return values_; }

 private:
  std::size_t place_of(const std::string& key, const Json& value) {
    Json& known = values_[key];
    if (known.is_null()) known = Json::array();
    const auto [place, fresh] = places_[key].emplace(
        value.dump(-1, ' ', false, Json::error_handler_t::replace), known.size());
    if (fresh) known.push_back(value);
    return place->second;
  }

  Json values_ = Json::object();
  std::map<std::string, std::map<std::string, std::size_t>> places_;
};

Json json_of(const TimeRatio& row) {
  Json made = {{"workload", row.workload}, {"speed", name(row.speed)}, {"why", row.why}};
  if (row.speed == Speed::not_measured) return made;
  made["ratio"] = row.ratio;
  if (row.interval) made["interval"] = {row.interval->first, row.interval->second};
  return made;
}

Json json_of(const Performance& performance) {
  Json ratios = Json::array();
  for (const TimeRatios& one : performance.ratios) {
    ratios.push_back({{"over", one.over}, {"rows", Json::array()}});
    for (const TimeRatio& row : one.rows) ratios.back()["rows"].push_back(json_of(row));
  }
  return {{"library", performance.library},
          {"machine", performance.machine},
          {"notes", words(performance.notes)},
          {"ratios", ratios}};
}

// Writes as text what a number of JavaScript would round: above 2^53, as seeds and sizes may be.
void keep_exact(Json& json) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (json.is_structured()) {
    for (Json& part : json) keep_exact(part);
  } else if (json.is_number_unsigned() && json.get<std::uint64_t>() > kExact) {
    json = std::to_string(json.get<std::uint64_t>());
  } else if (json.is_number_integer() && !json.is_number_unsigned() &&
             (json.get<std::int64_t>() > kExact || json.get<std::int64_t>() < -kExact)) {
    json = std::to_string(json.get<std::int64_t>());
  }
}

// Escapes "<", which in JSON only occurs in strings, so that an HTML parser sees no "</script>" or
// "<!--".
std::string inside_script(const std::string& json) {
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string html_report(Runs runs) {
  Json report = json_of(runs);
  Columns columns;
  for (std::size_t at = 0; at < runs.size(); ++at) {
    Json& run = report["runs"][at];
    run["cases"] = columns.add(run["cases"]);
    for (const Performance& one : runs[at].performance) run["performance"].push_back(json_of(one));
  }
  report["values"] = columns.values();
  keep_exact(report);
  // In ASCII, so that the file's encoding does not matter.
  const std::string data = report.dump(-1, ' ', true, Json::error_handler_t::replace);
  return std::string(kPageBeforeData) + inside_script(data) + std::string(kPageAfterData);
}

ReportForm html_form() {
  return {"html", "one page to read in a browser: clauses, failures, cases", html_report};
}

}  // namespace reshape::conformance
