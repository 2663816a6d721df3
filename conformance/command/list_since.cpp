#include "conformance/command/list_since.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <nlohmann/json.hpp>

#include "conformance/text/line.h"
#include "conformance/text/printable.h"
#include "conformance/text/read_json.h"

namespace reshape::conformance {
namespace {

struct Asked {
  std::string request;
  std::string expect;
};
using ById = std::map<std::string, Asked>;

ById cases_of(const Suite& suite) {
  ById cases;
  for (const Document& document : suite.documents) {
    for (const Case& one : document.cases) {
      cases[one.id] = {print_line(one.request), text(one.expect)};
    }
  }
  return cases;
}

// The ids of the cases of each request, less those that `others` has as well: there are several
// where cases name different clauses.
std::map<std::string, std::deque<std::string>> ids_by_request(const ById& cases,
                                                              const ById& others = {}) {
  std::map<std::string, std::deque<std::string>> ids;
  for (const auto& [id, asked] : cases) {
    if (!others.contains(id)) ids[asked.request].push_back(id);
  }
  return ids;
}

struct Older {
  std::string version;
  ById cases;
};

Result<Older> read(const std::string& text) {
  const Result<nlohmann::json> parsed = read_json(text);
  if (!parsed) return parsed.error();
  const nlohmann::json& json = *parsed;
  const Error wrong = {"this is not what list --json writes"};
  if (!json.is_object() || !json.contains("cases") || !json["cases"].is_array() ||
      (json.contains("suite") && !json["suite"].is_string())) {
    return wrong;
  }
  const std::size_t listed = json["cases"].size();
  if (json.contains("of") && json["of"] != listed) {
    return Error{fmt::format("whole suites are compared, and this lists {} of {} cases", listed,
                             json["of"].dump())};
  }
  Older older;
  older.version = json.value("suite", "?");
  for (const auto& one : json["cases"]) {
    if (!one.is_object()) return wrong;
    for (const char* key : {"id", "request", "expect"}) {
      if (!one.contains(key) || !one[key].is_string()) return wrong;
    }
    older.cases[one["id"]] = {one["request"], one["expect"]};
  }
  return older;
}

}  // namespace

Result<std::string> changes_since(const std::string& older, const Suite& suite) {
  const Result<Older> read_older = read(older);
  if (!read_older) return read_older.error();
  const ById& before = read_older->cases;
  const ById now = cases_of(suite);
  auto vanished = ids_by_request(before, now);  // less what is found under another id
  const auto asked_now = ids_by_request(now);
  std::string lines;
  int fresh = 0, changed = 0, renamed = 0, gone = 0;
  const auto add = [&](int& count, const char* what, const std::string& id,
                       const std::string& says) {
    ++count;
    lines += fmt::format("{:<8} {}  {}\n", what, printable(id), printable(says));
  };
  for (const auto& [id, asked] : now) {
    const auto same_id = before.find(id);
    if (same_id == before.end()) {
      std::deque<std::string>& earlier = vanished[asked.request];
      if (!earlier.empty()) {
        const std::string was = earlier.front();
        earlier.pop_front();
        const std::string& expected = before.at(was).expect;
        add(renamed, "renamed", id,
            "was " + was +
                (expected == asked.expect
                     ? ""
                     : ", and expected " + expected + ", now " + asked.expect));
      } else {
        add(fresh, "new", id, asked.request + " -> " + asked.expect);
      }
      continue;
    }
    const Asked& was = same_id->second;
    if (was.request != asked.request) {
      add(changed, "changed", id, "asked " + was.request + ", now " + asked.request);
    } else if (was.expect != asked.expect) {
      add(changed, "changed", id, "expected " + was.expect + ", now " + asked.expect);
    }
  }
  for (const auto& [request, ids] : vanished) {
    const auto still = asked_now.find(request);
    for (const std::string& id : ids) {
      add(gone, "gone", id,
          still == asked_now.end() ? request + " -> " + before.at(id).expect
                                   : "its request is asked by " + still->second.front());
    }
  }
  return lines + fmt::format("{} new, {} changed, {} renamed, {} gone between suite {} and {}\n",
                             fresh, changed, renamed, gone, printable(read_older->version),
                             suite.version);
}

}  // namespace reshape::conformance
