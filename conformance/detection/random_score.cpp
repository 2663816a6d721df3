#include "conformance/detection/random_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "conformance/detection/ask_ledger.h"
#include "conformance/detection/evenly.h"
#include "conformance/property/generated_cases.h"
#include "conformance/run/runner.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

constexpr std::size_t kAsked = 24;             // requests that a condition applies to
constexpr std::size_t kAskedInSequence = 300;  // if it also depends on earlier requests
constexpr int kMostDrawnForOne = 20;

self::Seen seen(const Request& request) {
  self::Seen seen;
  seen.data_type = request.data_type;
  seen.pattern_type = request.pattern.type;
  seen.data = request.data;
  seen.pattern = request.pattern.values;
  if (request.special_zero) seen.special_zero = *request.special_zero ? 1 : 0;
  seen.strides = request.strides.value_or(Strides{});
  seen.out_strides = request.out_strides.value_or(Strides{});
  return seen;
}

// Nothing when no request shows it.
std::optional<RandomFate> witnessed(const Suite& suite, const self::RandomMutant& drawn,
                                    const DrawnMutants& all, double deadline_seconds) {
  const std::vector<const Case*> concerned = all.concerned_by(drawn);
  if (concerned.empty()) return std::nullopt;
  Result<std::unique_ptr<Adapter>> adapter = start_adapter(reach(drawn.mutant, deadline_seconds));
  if (!adapter) return std::nullopt;
  RandomFate fate;
  fate.drawn = &drawn;
  int asked = 0, wrong = 0, deaths = 0;
  for (const Case* one : evenly(concerned, drawn.by_sequence ? kAskedInSequence : kAsked)) {
    if (why_unsupported(one->request, expectation_of(*one), (*adapter)->capabilities())) continue;
    Outcome outcome;
    ++asked;
    if (!ask(suite, *one, **adapter, &outcome).failed()) continue;
    ++wrong;
    if (fate.witness.empty()) fate.witness = print_line(one->request);
    if (died(outcome) && ++deaths == kMostDeaths) break;
  }
  if (wrong == 0) return std::nullopt;
  fate.frequency = static_cast<double>(wrong) / asked * static_cast<double>(concerned.size()) /
                   static_cast<double>(all.requests.size());
  return fate;
}

// The name of a question that kills a mutant, or empty. Questions that its condition applies to
// come first; others may kill it too, by a layout that the examination adds. A mutant that also
// depends on earlier requests is asked in the order of a run.
std::string killer(const Suite& suite, std::vector<Question> questions,
                   const self::RandomMutant& drawn, MatrixOptions options) {
  if (!drawn.by_sequence) {
    std::stable_partition(questions.begin(), questions.end(), [&](const Question& question) {
      return question.asked != nullptr && drawn.concerns(seen(question.asked->request));
    });
  }
  options.enough = 1;
  const Fate fate = ask_mutant(suite, questions, drawn.mutant, options);
  if (!fate.killed_by.empty()) return questions[fate.killed_by.front()].name();
  return fate.not_started;
}

// Of frequencies, of which each bin holds those that are below its end and in none before it.
constexpr std::pair<double, const char*> kBins[] = {
    {1e-4, "under 1e-4"},
    {1e-3, "to 1e-3"},
    {1e-2, "to 1e-2"},
    {1e-1, "to 1e-1"},
    {std::numeric_limits<double>::infinity(), "above 1e-1"}};
constexpr const char* kSteps[] = {"resolve", "infer", "refuse", "copy", "write"};

struct Share {
  int all = 0, quick = 0, full = 0;
};

Share share(const RandomScore& score, const std::function<bool(const RandomFate&)>& among) {
  Share counted;
  for (const RandomFate& fate : score.fates) {
    if (!among(fate)) continue;
    ++counted.all;
    counted.quick += fate.quick;
    counted.full += fate.full;
  }
  return counted;
}

std::string line(const std::string& what, const Share& counted) {
  if (counted.all == 0) return "";
  return fmt::format("{:<12} {:>5} mutants   quick {:>5.1f} %   full {:>5.1f} %\n", what,
                     counted.all, 100.0 * counted.quick / counted.all,
                     100.0 * counted.full / counted.all);
}

}  // namespace

std::vector<const Case*> DrawnMutants::concerned_by(const self::RandomMutant& mutant) const {
  std::vector<const Case*> concerned;
  for (std::size_t at = 0; at < requests.size(); ++at) {
    if (mutant.concerns(as_seen[at])) concerned.push_back(&requests[at]);
  }
  return concerned;
}

DrawnMutants draw_mutants(const Suite& suite, const RandomOptions& options) {
  DrawnMutants all;
  Result<std::unique_ptr<Adapter>> right = start_adapter({"mutant:right"});
  if (!right) return all;
  std::vector<std::string> dialects;
  for (const Document& document : suite.documents) dialects.push_back(document.dialect.name);
  // The complement of the seed, so that no seed draws what the generated tier asks.
  all.requests = generated_cases(suite, dialects, (*right)->capabilities(), ~options.seed,
                                 options.requests, Drawing::as_it_comes)
                     .cases;
  right->reset();
  for (const Case& one : all.requests) all.as_seen.push_back(seen(one.request));
  const std::size_t wanted = static_cast<std::size_t>(options.count);
  while (all.fates.size() < wanted && all.drawn < kMostDrawnForOne * options.count) {
    std::vector<std::optional<RandomFate>> found(wanted - all.fates.size());
    at_once(found.size(), options.matrix.jobs, [&](std::size_t turn) {
      const auto number = static_cast<std::uint64_t>(all.drawn) + turn;
      found[turn] = witnessed(suite, self::random_mutant(options.seed, number), all,
                              options.matrix.deadline_seconds);
    });
    all.drawn += static_cast<int>(found.size());
    for (std::optional<RandomFate>& fate : found) {
      if (fate) all.fates.push_back(*std::move(fate));
    }
  }
  return all;
}

RandomScore ask_random_mutants(const Suite& suite, const std::vector<Question>& quick,
                               const std::vector<Question>& all, const RandomOptions& options) {
  DrawnMutants drawn = draw_mutants(suite, options);
  RandomScore score{options.seed, drawn.drawn, std::move(drawn.fates)};
  std::mutex told;
  int done = 0;
  at_once(score.fates.size(), options.matrix.jobs, [&](std::size_t turn) {
    RandomFate& fate = score.fates[turn];
    fate.killer = killer(suite, quick, *fate.drawn, options.matrix);
    fate.quick = !fate.killer.empty();
    if (!fate.quick) fate.killer = killer(suite, all, *fate.drawn, options.matrix);
    fate.full = !fate.killer.empty();
    const std::lock_guard<std::mutex> lock(told);
    if (options.matrix.progress)
      options.matrix.progress(++done, static_cast<int>(score.fates.size()));
  });
  return score;
}

std::string text(const RandomScore& score) {
  std::string all = fmt::format("seed {}: {} mutants drawn, {} of them with a witness\n",
                                score.seed, score.drawn, score.fates.size());
  all += line("all", share(score, [](const RandomFate&) { return true; })) + "by step\n";
  for (const char* step : kSteps) {
    all += line(std::string("  ") + step,
                share(score, [&](const RandomFate& fate) { return fate.drawn->step == step; }));
  }
  all += "by how many of the drawn requests are answered wrongly\n";
  double begin = 0;
  for (const auto& [end, words] : kBins) {
    all += line(std::string("  ") + words, share(score, [&](const RandomFate& fate) {
                  return begin <= fate.frequency && fate.frequency < end;
                }));
    begin = end;
  }
  for (const RandomFate& fate : score.fates) {
    if (fate.quick) continue;
    all += fmt::format("  {} {} ({}, {:.1e}): {}\n      {}\n",
                       fate.full ? "not quick, by " + fate.killer + ":" : "SURVIVES",
                       fate.drawn->mutant.name, fate.drawn->step, fate.frequency,
                       fate.drawn->mutant.says, fate.witness);
  }
  return all;
}

std::string json(const RandomScore& score) {
  using Json = nlohmann::ordered_json;
  Json mutants = Json::array();
  for (const RandomFate& fate : score.fates) {
    mutants.push_back({{"name", fate.drawn->mutant.name},
                       {"step", fate.drawn->step},
                       {"says", fate.drawn->mutant.says},
                       {"witness", fate.witness},
                       {"frequency", fate.frequency},
                       {"quick", fate.quick},
                       {"full", fate.full},
                       {"killer", fate.killer}});
  }
  const Json all = {{"seed", score.seed}, {"drawn", score.drawn}, {"mutants", mutants}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace reshape::conformance
