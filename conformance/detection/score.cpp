#include "conformance/detection/score.h"

#include <algorithm>
#include <random>
#include <set>
#include <string_view>

namespace reshape::conformance {
namespace {

// How many cases and laws of the tier kill each mutant, if there are as many.
constexpr int kTimes = 2;

const char* tier_name(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::case_of_suite: return "cases";
    case Question::Kind::law: return "laws";
    case Question::Kind::generated: return "generated";
  }
  return "";
}

bool choosable(const Question& question) { return question.kind != Question::Kind::generated; }

// The indices of the mutants that each question kills.
std::vector<std::vector<std::size_t>> victims(const KillMatrix& matrix) {
  std::vector<std::vector<std::size_t>> list(matrix.questions.size());
  for (std::size_t mutant = 0; mutant < matrix.fates.size(); ++mutant) {
    for (std::uint32_t place : matrix.fates[mutant].killed_by) list[place].push_back(mutant);
  }
  return list;
}

// Cases and laws sorted by name, so that choosing the tier again changes few lines.
Tier tier_of(const std::vector<Question>& chosen) {
  std::set<std::string> cases, laws;
  for (const Question& question : chosen) {
    if (question.law != nullptr) {
      laws.emplace(question.law->name);
    } else {
      cases.emplace(question.asked->name());
    }
  }
  return {{cases.begin(), cases.end()}, {laws.begin(), laws.end()}};
}

// Whether a question that is `asked` kills the mutant, or it cannot even be started.
bool killed_by(const KillMatrix& matrix, const Fate& fate, auto asked) {
  return !fate.not_started.empty() || std::ranges::any_of(fate.killed_by, [&](std::uint32_t place) {
    return asked(matrix.questions[place]);
  });
}

std::vector<Question> chosen_cover(const KillMatrix& matrix, int times) {
  const auto kills = victims(matrix);
  std::vector<int> wanted(matrix.fates.size(), 0);
  for (std::size_t mutant = 0; mutant < wanted.size(); ++mutant) {
    const auto& by = matrix.fates[mutant].killed_by;
    const auto able = std::count_if(by.begin(), by.end(), [&](std::uint32_t place) {
      return choosable(matrix.questions[place]);
    });
    wanted[mutant] = std::min(times, static_cast<int>(able));
  }
  // The fixed cost of any question, in seconds.
  constexpr double kOverhead = 1e-4;
  std::set<std::size_t> chosen;
  while (true) {
    double best = 0;
    std::size_t best_place = 0;
    for (std::size_t place = 0; place < kills.size(); ++place) {
      if (!choosable(matrix.questions[place]) || chosen.contains(place)) continue;
      const auto gain = std::count_if(kills[place].begin(), kills[place].end(),
                                      [&](std::size_t mutant) { return wanted[mutant] > 0; });
      const double worth = static_cast<double>(gain) / (matrix.seconds[place] + kOverhead);
      if (worth > best) {
        best = worth;
        best_place = place;
      }
    }
    if (best == 0) break;
    chosen.insert(best_place);
    for (std::size_t mutant : kills[best_place]) --wanted[mutant];
  }
  std::vector<Question> questions;
  for (std::size_t place : chosen) questions.push_back(matrix.questions[place]);
  return questions;
}

}  // namespace

std::vector<Score> scores(const KillMatrix& matrix) {
  std::vector<Score> list;
  const auto score = [&](const std::string& tier, auto belongs) {
    Score one;
    one.tier = tier;
    one.mutants = static_cast<int>(matrix.fates.size());
    for (std::size_t place = 0; place < matrix.questions.size(); ++place) {
      if (!belongs(matrix.questions[place])) continue;
      ++one.questions;
      one.seconds += matrix.seconds[place];
    }
    if (one.questions == 0) return;
    for (const Fate& fate : matrix.fates) one.killed += killed_by(matrix, fate, belongs);
    list.push_back(std::move(one));
  };
  for (auto kind :
       {Question::Kind::case_of_suite, Question::Kind::generated, Question::Kind::law}) {
    score(tier_name(kind), [kind](const Question& question) { return question.kind == kind; });
  }
  if (list.size() > 1) score("full", [](const Question&) { return true; });
  return list;
}

Worth worth(const KillMatrix& matrix) {
  Worth found;
  const auto kills = victims(matrix);
  std::vector<int> killers(matrix.fates.size(), 0);
  for (std::size_t place = 0; place < kills.size(); ++place) {
    if (matrix.questions[place].kind != Question::Kind::case_of_suite) continue;
    for (std::size_t mutant : kills[place]) ++killers[mutant];
  }
  for (std::size_t place = 0; place < kills.size(); ++place) {
    if (matrix.questions[place].kind != Question::Kind::case_of_suite) continue;
    ++found.cases;
    found.kill_something += !kills[place].empty();
    found.needed += std::any_of(kills[place].begin(), kills[place].end(),
                                [&](std::size_t mutant) { return killers[mutant] == 1; });
  }
  return found;
}

std::map<std::string, int> clauses_of(const KillMatrix& matrix, const Fate& fate) {
  std::map<std::string, int> counts;
  for (std::uint32_t place : fate.killed_by) {
    const Question& question = matrix.questions[place];
    if (question.kind != Question::Kind::case_of_suite) continue;
    for (const std::string& clause : question.asked->clauses) ++counts[clause];
  }
  return counts;
}

Tier cover(const KillMatrix& matrix, int times) { return tier_of(chosen_cover(matrix, times)); }

LeftOut left_out(const KillMatrix& matrix, int folds, std::uint64_t seed) {
  std::vector<const Case*> cases;
  for (const Question& question : matrix.questions) {
    if (question.kind == Question::Kind::case_of_suite) cases.push_back(question.asked);
  }
  LeftOut found;
  std::vector<const Fate*> order;
  for (const Fate& fate : matrix.fates) {
    if (fate.killed()) {
      order.push_back(&fate);
    } else {
      found.unshown.push_back(fate.mutant);
    }
  }
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  const auto parts = static_cast<std::size_t>(folds);

  for (std::size_t fold = 0; fold < parts; ++fold) {
    KillMatrix others{matrix.questions, {}, matrix.seconds};
    for (std::size_t place = 0; place < order.size(); ++place) {
      if (place % parts != fold) others.fates.push_back(*order[place]);
    }
    const Tier tier = cover(others, kTimes);
    const std::vector<const Case*> of_tier = cases_of(tier, cases, nullptr);
    const std::set<const Case*> chosen(of_tier.begin(), of_tier.end());
    const std::set<std::string_view> laws(tier.laws.begin(), tier.laws.end());
    const auto asks = [&](const Question& question) {
      if (question.kind == Question::Kind::generated) return true;
      return question.law != nullptr ? laws.contains(question.law->name)
                                     : chosen.contains(question.asked);
    };
    found.questions += static_cast<int>(std::ranges::count_if(matrix.questions, asks));
    for (std::size_t place = fold; place < order.size(); place += parts) {
      const Fate& fate = *order[place];
      ++found.mutants;
      const bool dead = killed_by(matrix, fate, asks);
      found.killed += dead;
      if (!dead) found.alive.push_back(fate.mutant);
    }
  }
  found.questions /= folds;
  for (auto* list : {&found.alive, &found.unshown}) {
    std::ranges::sort(*list, {}, &self::Mutant::name);
  }
  return found;
}

VerifiedTier verified_tier(const Suite& suite, const KillMatrix& matrix,
                           const MatrixOptions& options) {
  std::vector<Question> chosen = chosen_cover(matrix, kTimes);
  MatrixOptions first = options;
  first.enough = 1;
  std::vector<const self::Mutant*> mutants;
  for (const Fate& fate : matrix.fates) mutants.push_back(fate.mutant);

  const auto survivors = [&](const std::vector<Question>& asked,
                             const std::vector<const self::Mutant*>& of) {
    std::vector<const self::Mutant*> alive;
    for (const Fate& fate : ask_mutants(suite, asked, of, first).fates) {
      if (!fate.killed()) alive.push_back(fate.mutant);
    }
    return alive;
  };
  std::vector<const self::Mutant*> alive = survivors(chosen, mutants);
  // Cases may kill only thanks to earlier ones; then a law may do so by itself.
  for (const QuestionOptions& of : {QuestionOptions{}, QuestionOptions{.cases = false}}) {
    const std::vector<Question> asked = questions(suite, of);
    for (const Fate& fate : ask_mutants(suite, asked, alive, first).fates) {
      if (fate.killed_by.empty()) continue;
      const Question& killer = asked[fate.killed_by.front()];
      if (ask_mutant(suite, {&killer, 1}, *fate.mutant, first).killed()) chosen.push_back(killer);
    }
    alive = survivors(chosen, alive);
  }
  return {tier_of(chosen), std::move(alive)};
}

}  // namespace reshape::conformance
