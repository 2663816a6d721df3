#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/report/report.h"

// Parts of the JSON report that several report forms use. Texts of an implementation are already
// printable here. Code outside of this folder does not see the JSON library.
namespace reshape::conformance {

using Json = nlohmann::ordered_json;

// A list of what `form` makes of each of `all`.
template <typename All, typename Form>
Json list_of(const All& all, Form form) {
  Json list = Json::array();
  for (const auto& one : all) list.push_back(form(one));
  return list;
}

Json words(const std::vector<std::string>& texts);
Json json_of(const Report& run, const std::vector<LawResult>& laws);
Json json_of(const Report& run, const Generation& generated);
Json json_of(const Diagnosis& diagnosis);
Json json_of(const LawDiagnosis& diagnosis);
Json json_of(const ExhaustiveResult& world);

// The whole report (report.schema.json).
Json json_of(Runs runs);

}  // namespace reshape::conformance
