#include "conformance/performance/result_file.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/performance/statistics.h"
#include "conformance/text/read_json.h"

namespace reshape::conformance::performance {

namespace {

// Names with commas between them.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

// Whether a measurement may have taken so long: what is longer than thirty years contradicts itself.
bool is_time(double value) {
  constexpr double kLongest = 1e18;  // nanoseconds
  return value > 0 && value <= kLongest;
}

}  // namespace

Result<ResultFile> read_result(std::string_view text, const std::string& where) {
  using nlohmann::json;
  const Result<json> parsed = read_json(text);
  if (!parsed) return Error{parsed.error().message, where};
  const json& read = *parsed;
  ResultFile file;
  std::map<std::string, std::vector<double>> nanoseconds;
  try {
    file.machine = read.at("context").at("identity");
    file.library = read.at("context").at("library");
    file.digest = read.at("context").value("library_sha256", "");
    file.setting = read.at("context").value("setting", "");
    file.passes = std::atoi(read.at("context").value("passes", "0").c_str());
    const std::vector<std::string> peers = words_of(read.at("context").value("peers", ""));
    for (const json& row : read.at("benchmarks")) {
      if (row.at("run_type") != "iteration" || row.value("error_occurred", false)) continue;
      const bool copies = row.contains("fraction_of_best_copy");
      const bool loops = row.contains("product_loops");
      const double value = copies  ? 1 / row.at("fraction_of_best_copy").get<double>()
                           : loops ? row.at("product_loops").get<double>()
                                   : row.at("real_time").get<double>();
      const std::string workload = row.at("workload");
      const double time = row.at("real_time").get<double>();
      if (!is_time(value) || !is_time(time)) {
        return Error{"'" + workload + "' has a time that is none", where};
      }
      Figure& figure = file.figures[workload];
      const std::string unit = copies ? "copies" : loops ? "product loops" : "ns";
      if (!figure.values.empty() && figure.unit != unit) {
        return Error{"'" + workload + "' is told in " + figure.unit + " and in " + unit, where};
      }
      figure.unit = unit;
      figure.ask = row.value("ask", "");
      figure.values.push_back(value);
      nanoseconds[workload].push_back(time);
      // Both are fractions of the same yardstick; 0 means a wrong answer.
      for (const std::string& peer : peers) {
        const double fraction = row.value(peer, 0.0);
        if (fraction > 0 && (copies || loops)) figure.over_peers[peer].push_back(value * fraction);
      }
    }
    for (auto& [workload, figure] : file.figures) {
      figure.ns = median(nanoseconds[workload]);
      std::erase_if(figure.over_peers, [&of = figure](const auto& peer) {
        return peer.second.size() < of.values.size();
      });
    }
  } catch (const json::exception&) {
    return Error{"is no result of 'reshape-conformance bench --json'", where};
  }
  if (file.figures.empty()) return Error{"has no measured workload in it", where};
  return file;
}

}  // namespace reshape::conformance::performance
