#include <nlohmann/json.hpp>

#include "conformance/detection/score.h"

namespace reshape::conformance {

std::string matrix_json(const KillMatrix& matrix) {
  using Json = nlohmann::ordered_json;
  Json asked = Json::array();
  for (const Question& question : matrix.questions) asked.push_back(question.name());
  Json mutants = Json::array();
  for (const Fate& fate : matrix.fates) {
    const self::Mutant& mutant = *fate.mutant;
    Json one = {{"name", mutant.name},
                {"kind", name(mutant.kind)},
                {"breaks", name(mutant.breaks)},
                {"says", mutant.says},
                {"killed", fate.killed()}};
    if (!mutant.public_bug().empty()) one["public_bug"] = mutant.public_bug();
    if (!fate.not_started.empty()) one["not_started"] = fate.not_started;
    if (fate.gave_up) one["gave_up"] = true;  // hostile: the rest of the questions was not asked
    one["killed_by"] = fate.killed_by;        // places in "questions"
    one["killed_by_clause"] = clauses_of(matrix, fate);
    mutants.push_back(std::move(one));
  }
  Json tiers = Json::array();
  for (const Score& score : scores(matrix)) {
    tiers.push_back({{"tier", score.tier},
                     {"questions", score.questions},
                     {"killed", score.killed},
                     {"mutants", score.mutants}});
  }
  const Json json = {{"tiers", tiers}, {"questions", asked}, {"mutants", mutants}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace reshape::conformance
