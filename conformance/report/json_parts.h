#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conformance/report/report.h"

// The JSON report in the parts that more than one form is made of. Every text that an implementation wrote is
// printable here already. Nobody outside this folder sees the library behind it.
namespace reshape::conformance {

using Json = nlohmann::ordered_json;

Json words(const std::vector<std::string>& texts);
Json json_of(const Report& run, const std::vector<LawResult>& laws);
Json json_of(const Generation& generated);
Json json_of(const Diagnosis& diagnosis);
Json json_of(const LawDiagnosis& diagnosis);
Json json_of(const ExhaustiveResult& world);

// The whole report (report.schema.json).
Json json_of(Runs runs);

}  // namespace reshape::conformance
