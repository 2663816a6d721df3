#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <ostream>
#include <utility>

#include "conformance/adapter/process/patience.h"
#include "conformance/command/checks.h"
#include "conformance/command/commands.h"
#include "conformance/command/output_files.h"
#include "conformance/command/progress.h"
#include "conformance/command/suite_option.h"
#include "conformance/detection/diagnosis_score.h"
#include "conformance/detection/kill_matrix.h"
#include "conformance/detection/random_diagnosis.h"
#include "conformance/detection/random_score.h"
#include "conformance/detection/score.h"
#include "conformance/detection/tier.h"
#include "conformance/property/generated_cases.h"
#include "conformance/run/ask_to_end.h"
#include "conformance/run/selection.h"
#include "conformance/run/write_file.h"
#include "conformance/self/mutant.h"
#include "conformance/text/glob.h"

namespace reshape::conformance {
namespace {

std::string bug_of(const self::Mutant& mutant) {
  return mutant.public_bug().empty() ? "" : fmt::format("  [like {}]", mutant.public_bug());
}

// The first question that killed the mutant, and the number of others among those asked.
std::string killers(const KillMatrix& matrix, const Fate& fate) {
  if (fate.killed_by.empty()) return fate.not_started;
  const std::string first = matrix.questions[fate.killed_by.front()].name();
  const std::size_t more = fate.killed_by.size() - 1;
  return more == 0 ? first : fmt::format("{} and {} more", first, more);
}

void print_ledger(std::span<const self::Mutant* const> mutants, std::ostream& out) {
  std::map<std::string_view, int> kinds;
  for (const self::Mutant* mutant : mutants) {
    out << fmt::format("{:<9} {:<40} {:<28} {}{}\n", name(mutant->kind), mutant->name,
                       name(mutant->breaks), mutant->says, bug_of(*mutant));
    ++kinds[name(mutant->kind)];
  }
  out << mutants.size() << " mutants:";
  for (const auto& [kind, count] : kinds) out << ' ' << count << ' ' << kind;
  out << '\n';
}

// Prints what there is to say of each as it comes, and how far it is.
auto telling(Console& console, const char* what, int all) {
  return [&console, all, done = 0, progress = counted_progress(what)](const auto& one) mutable {
    console.out << text(one) << std::flush;
    progress(++done, all);
  };
}

struct MutantsCommand {
  SuiteOption specs;
  std::vector<std::string> names;
  std::vector<std::string> dialects;
  std::string tier = "quick";
  std::string matrix_file;
  std::string tier_file;
  std::string shard;
  Shard part;  // that it names
  int least = 1;
  int folds = 0;
  bool list = false;
  bool explain = false;
  int random = 0;
  int diagnosed = 0;
  bool of_drawn = false;
  std::uint64_t seed = 1;
  bool seed_given = false;
  std::string json_file;
  MatrixOptions options;

  void run(Console& console) {
    if (!shard.empty()) {
      const Result<Shard> read = parse_shard(shard);
      if (!read) return refuse(console, read.error().text());
      part = *read;
      const bool idle = list || tier == "quick" || tier == "laws" || tier == "generated";
      if (idle && random == 0)
        return refuse(console, "--shard cuts the cases of --tier cases and full");
    }
    const std::vector<const self::Mutant*> mutants = chosen();
    for (const std::string& glob : names) {
      if (std::ranges::none_of(mutants, [&](const self::Mutant* one) {
            return matches(glob, std::string(one->name));
          })) {
        return refuse(console, "no mutant is named '" + glob + "'; --list shows them");
      }
    }
    if (seed_given && random == 0 && diagnosed == 0 && folds == 0) {
      return refuse(console, "--seed is about what is drawn: --random, --diagnose or --folds");
    }
    if (folds > 0 && tier != "full")
      return refuse(console, "--folds chooses from all: give --tier full");
    if (list) return print_ledger(mutants, console.out);
    const Suite* suite = specs.open_to_ask(console);
    if (suite == nullptr) return;
    Suite only;
    if (!dialects.empty()) {
      only.version = suite->version;
      for (const std::string& name : dialects) {
        const Document* document = suite->document(name);
        if (document == nullptr) {
          return refuse(console,
                        "unknown dialect '" + name + "'; the suite has " + known_dialects(*suite));
        }
        only.documents.push_back(*document);
      }
      suite = &only;
    }
    if (random > 0) return ask_random(*suite, console);
    if (of_drawn) {
      if (suite->documents.size() != 1)
        return refuse(console, "--drawn asks one document: give -d");
      return diagnose_drawn(*suite, console);
    }
    if (diagnosed > 0) return diagnose_left_out(*suite, console);
    if (folds == 0) heed_requests_to_end("mutants");
    std::vector<Case> generated;
    Result<std::vector<Question>> list_of_questions = asked(*suite, tier, generated);
    if (!list_of_questions) {
      return static_cast<void>(not_started(console, list_of_questions.error()));
    }

    options.progress = counted_progress("mutants");
    if (folds > 0) return ask_left_out(*suite, std::move(*list_of_questions), mutants, console);
    // A score needs one killing question for each mutant. The matrix, the choice of a tier and the
    // comparison of tiers need all of them.
    const bool all = (tier == "full" && least == 1) || !matrix_file.empty() || !tier_file.empty();
    options.enough = all ? 0 : least;
    options.likely_first = !all;
    const auto began = std::chrono::steady_clock::now();
    KillMatrix matrix = ask_mutants(*suite, std::move(*list_of_questions), mutants, options);
    if (const char* signal = request_to_end()) {
      return tell_part(std::move(matrix), signal, elapsed_seconds(began), console);
    }
    ask_few_survivors_again(*suite, matrix, console);
    tell(matrix, elapsed_seconds(began), console);
    const bool all_dead =
        std::ranges::all_of(matrix.fates, [&](const Fate& fate) { return dead(fate); });
    const bool written = write_files(*suite, matrix, console);
    console.exit_code = !written ? 2 : all_dead ? 0 : 1;
  }

 private:
  bool dead(const Fate& fate) const {
    return !fate.not_started.empty() || fate.gave_up || fate.killers >= least;
  }

  std::vector<const self::Mutant*> chosen() const {
    std::vector<const self::Mutant*> mutants;
    for (const self::Mutant& mutant : self::all_mutants()) {
      if (names.empty() || std::ranges::any_of(names, [&](const std::string& glob) {
            return matches(glob, std::string(mutant.name));
          })) {
        mutants.push_back(&mutant);
      }
    }
    return mutants;
  }

  // The questions of a tier. `generated` is filled with the drawn cases, to which they point.
  Result<std::vector<Question>> asked(const Suite& suite, const std::string& of,
                                      std::vector<Case>& generated) const {
    const bool quick = of == "quick";
    if (quick || of == "generated" || of == "full") {
      std::vector<std::string> names_of_dialects;
      for (const Document& document : suite.documents) {
        names_of_dialects.push_back(document.dialect.name);
      }
      Result<std::unique_ptr<Adapter>> right = start_adapter({"mutant:right"});
      if (!right) return right.error();
      generated =
          generated_cases(suite, names_of_dialects, (*right)->capabilities(), usual_seed(suite),
                          usual_count(quick || folds > 0, names_of_dialects.size()))
              .cases;
    }
    std::vector<Question> found = questions(suite, {.cases = of != "laws" && of != "generated",
                                                    .laws = of != "cases" && of != "generated",
                                                    .generated = &generated,
                                                    .tier = quick ? &quick_tier() : nullptr});
    std::erase_if(found, [&](const Question& question) {
      return question.kind == Question::Kind::case_of_suite && !part.holds(question.asked->id);
    });
    return found;
  }

  // The machine may have been too busy for a law that takes time, or threads met too seldom. That
  // it took a second time is told. Many survivors are none by chance.
  void ask_few_survivors_again(const Suite& suite, KillMatrix& matrix, Console& console) const {
    constexpr std::ptrdiff_t kFew = 8;
    const auto alive = [](const Fate& fate) { return !fate.killed(); };
    if (std::ranges::count_if(matrix.fates, alive) > kFew) return;
    for (Fate& fate : matrix.fates) {
      if (!alive(fate)) continue;
      const std::string unfinished = std::move(fate.unfinished);
      fate = ask_mutant(suite, matrix.questions, *fate.mutant, options);
      if (alive(fate)) continue;
      console.out << fmt::format("  AT LAST   {:<9} {:<40} asked again, alone: by {}{}\n",
                                 name(fate.mutant->kind), fate.mutant->name, killers(matrix, fate),
                                 unfinished.empty() ? "" : "; not finished before: " + unfinished);
    }
  }

  // What is known where somebody has asked to end. A tier, or a matrix, of some mutants would be
  // taken for one of all.
  void tell_part(KillMatrix matrix, const char* signal, double seconds, Console& console) const {
    const std::size_t all = matrix.fates.size();
    std::erase_if(matrix.fates, &Fate::left_out);
    tell(matrix, seconds, console);
    console.out << fmt::format(
        "not all is asked: {} came after {} of {} mutants{}\n", signal, matrix.fates.size(), all,
        matrix_file.empty() && tier_file.empty() ? "" : ", and no file is written");
    const bool all_dead =
        std::ranges::all_of(matrix.fates, [&](const Fate& fate) { return dead(fate); });
    console.exit_code = all_dead ? kNothingAsserted : kNotConforming;
  }

  void tell(const KillMatrix& matrix, double seconds, Console& console) const {
    for (const Fate& fate : matrix.fates) {
      const self::Mutant& mutant = *fate.mutant;
      if (explain && fate.killed()) {
        console.out << fmt::format("  killed    {:<9} {:<40} by {}\n", name(mutant.kind),
                                   mutant.name, killers(matrix, fate));
      }
      if (!fate.killed()) {
        console.out << fmt::format("  SURVIVES  {:<9} {:<40} {} ({}){}\n", name(mutant.kind),
                                   mutant.name, mutant.says, name(mutant.breaks), bug_of(mutant));
        if (!fate.unfinished.empty()) {
          console.out << fmt::format("            not finished: {}\n", fate.unfinished);
        }
      } else if (!dead(fate)) {
        console.out << fmt::format("  HANGS ON  {:<9} {:<40} {} of {}: {}\n", name(mutant.kind),
                                   mutant.name, fate.killers, least, killers(matrix, fate));
      }
    }
    std::vector<Score> told = scores(matrix);
    if (tier == "quick" && !told.empty()) {
      // The quick tier is cases and laws together; the last score is that of all questions.
      told = {std::move(told.back())};
      told.front().tier = tier;
    }
    for (const Score& score : told) {
      console.out << fmt::format("{:<10} {:>6} questions kill {} of {} mutants ({:.1f} %)",
                                 score.tier, score.questions, score.killed, score.mutants,
                                 100.0 * score.killed / std::max(score.mutants, 1));
      if (options.enough == 0)
        console.out << fmt::format("; {:.2f} s for one library", score.seconds);
      console.out << '\n';
    }
    if (options.enough == 0 && (tier == "cases" || tier == "full")) {
      const Worth found = worth(matrix);
      console.out << fmt::format(
          "{} of {} cases kill a mutant; {} of them one that no other case kills, the other {} "
          "kill "
          "nothing that the others do not\n",
          found.kill_something, found.cases, found.needed, found.cases - found.needed);
    }
    console.out << fmt::format("asked in {:.1f} s\n", seconds);
  }

  // Every tier contains the generated requests, so a mutant that these kill is dead in every fold.
  // Only the other mutants are asked all questions; the tiers are chosen for them.
  void ask_left_out(const Suite& suite, std::vector<Question> all,
                    const std::vector<const self::Mutant*>& mutants, Console& console) {
    const auto rest = std::stable_partition(all.begin(), all.end(), [](const Question& question) {
      return question.kind == Question::Kind::generated;
    });
    const std::vector<Question> drawn(all.begin(), rest);
    all.erase(all.begin(), rest);
    options.enough = 1;
    const KillMatrix by_drawn = ask_mutants(suite, drawn, mutants, options);
    std::vector<const self::Mutant*> others;
    for (const Fate& fate : by_drawn.fates) {
      if (!fate.killed()) others.push_back(fate.mutant);
    }
    options.enough = 0;
    const LeftOut found =
        left_out(ask_mutants(suite, std::move(all), others, options), folds, seed);
    const auto tell = [&console](const char* fate,
                                 const std::vector<const self::Mutant*>& of_fate) {
      for (const self::Mutant* mutant : of_fate) {
        console.out << fmt::format("  {:<9} {:<9} {:<40} {} ({})\n", fate, name(mutant->kind),
                                   mutant->name, mutant->says, name(mutant->breaks));
      }
    };
    tell("UNSHOWN", found.unshown);
    tell("LIVES", found.alive);
    const std::size_t shown = mutants.size() - found.unshown.size();
    const std::size_t dead = shown - found.alive.size();
    if (!found.unshown.empty()) {
      console.out << fmt::format("{} of {} mutants are shown by nothing that was asked\n",
                                 found.unshown.size(), mutants.size());
    }
    console.out << fmt::format(
        "seed {}: {} generated requests kill {} of {} mutants, and tiers of {} questions, chosen "
        "without the mutants that they are asked of, {} of the other {}: {} of {} ({:.1f} %)\n",
        seed, drawn.size(), mutants.size() - others.size(), shown, found.questions, found.killed,
        found.mutants, dead, shown,
        100.0 * static_cast<double>(dead) / static_cast<double>(std::max<std::size_t>(shown, 1)));
  }

  bool write_files(const Suite& suite, const KillMatrix& matrix, Console& console) const {
    if (!matrix_file.empty() && !write_or_refuse(matrix_file, matrix_json(matrix), console)) {
      return false;
    }
    if (tier_file.empty()) return true;
    const VerifiedTier verified = verified_tier(suite, matrix, options);
    for (const self::Mutant* mutant : verified.left) {
      console.out << "  no single case or law kills " << mutant->name << " by itself\n";
    }
    const std::string head =
        "# The cases and laws that kill every mutant of the ledger, each twice where it can be; "
        "written by\n#   reshape-conformance mutants --tier full --write-tier "
        "conformance/detection/quick_tier.txt\n";
    if (!write_or_refuse(tier_file, head + text(verified.tier), console)) return false;
    console.out << tier_file << ": " << verified.tier.cases.size() << " cases and "
                << verified.tier.laws.size() << " laws\n";
    return verified.left.empty();
  }

  void ask_random(const Suite& suite, Console& console) {
    std::vector<Case> few, many;
    const Result<std::vector<Question>> quick = asked(suite, "quick", few);
    if (!quick) return static_cast<void>(not_started(console, quick.error()));
    const Result<std::vector<Question>> all = asked(suite, "full", many);
    if (!all) return static_cast<void>(not_started(console, all.error()));
    // No random mutant hangs, so a late answer means a busy machine: the deadline is generous.
    options.deadline_seconds = 120;
    const RandomScore score =
        ask_random_mutants(suite, *quick, *all, {.count = random, .seed = seed, .matrix = options});
    console.out << text(score);
    if (!json_file.empty()) write_or_refuse(json_file, json(score), console);
  }

  void diagnose_left_out(const Suite& suite, Console& console) const {
    for (const Document& document : suite.documents) {
      DiagnosisScoreOptions how{diagnosed, seed, document.dialect.name};
      how.jobs = options.jobs;
      how.told = telling(console, "mistakes left out", diagnosed);
      console.out << text(score_diagnosis(suite, how));
    }
  }

  void diagnose_drawn(const Suite& suite, Console& console) const {
    RandomDiagnosisOptions how{{.count = diagnosed, .seed = seed, .matrix = options}};
    how.told = telling(console, "mutants diagnosed", diagnosed);
    const std::string shares = text(check_random_diagnoses(suite, how));
    console.out << "seed " << seed << ", " << suite.documents.front().dialect.name << ": "
                << shares;
  }
};

}  // namespace

void add_mutants(CLI::App& app, Console& console) {
  CLI::App* command = app.add_subcommand(
      "mutants", "Ask implementations that are wrong on purpose, and say which are found out");
  auto state = std::make_shared<MutantsCommand>();
  CLI::Option* const names =
      command->add_option("name", state->names, "Only mutants of such a name, with * and ?");
  names->type_name("GLOB");
  command
      ->add_option("--tier", state->tier,
                   "What is asked: quick (the built-in choice), cases, laws, generated, full")
      ->check(CLI::IsMember({"quick", "cases", "laws", "generated", "full"}))
      ->capture_default_str();
  command->add_option("-d,--dialect", state->dialects, "Only the questions of this dialect")
      ->allow_extra_args(false)
      ->type_name("NAME");
  CLI::Option* const listed =
      command->add_flag("--list", state->list, "Show the ledger and ask nothing");
  CLI::Option* const explained =
      command->add_flag("--killed-by", state->explain, "Show of each mutant what killed it");
  CLI::Option* const matrix =
      command->add_option("--matrix", state->matrix_file, "Write who died of what, as JSON");
  names_output(matrix);
  CLI::Option* const written =
      command->add_option("--write-tier", state->tier_file,
                          "Choose the few questions that kill all, check them, and write them");
  names_output(written);
  command->add_option("--shard", state->shard, "Only the I-th of N parts of the cases")
      ->type_name("I/N");
  CLI::Option* const random =
      command->add_option("--random", state->random,
                          "Draw N mutants that are observably wrong, and say who finds them out");
  random->check(whole_number<int>(100000, 1))->type_name("N");
  CLI::Option* const diagnosed =
      command->add_option("--diagnose", state->diagnosed,
                          "Leave N mutants out of the ledger, one at a time, and say of each "
                          "dialect how often the diagnosis of their failures is of the right kind");
  diagnosed->check(whole_number<int>(100000, 1))->type_name("N")->excludes(random);
  // These options are about the ledger, and --random and --diagnose draw mutants.
  for (CLI::Option* const ledger : {names, listed, explained, matrix, written}) {
    random->excludes(ledger);
    diagnosed->excludes(ledger);
  }
  command
      ->add_flag("--drawn", state->of_drawn,
                 "With --diagnose: of N random mutants, and whether other requests bear out what "
                 "the diagnosis says of them")
      ->needs(diagnosed);
  command
      ->add_option("--least", state->least,
                   "Show the mutants that fewer than N questions kill: what hangs on one is lost "
                   "with it")
      ->check(whole_number<int>(1000, 1))
      ->type_name("N")
      ->excludes(random)
      ->excludes(diagnosed);
  command
      ->add_option(
          "--folds", state->folds,
          "Choose a tier without each of N parts of the mutants, and say how many of those "
          "it kills; of --tier full")
      ->check(whole_number<int>(1000, 2))
      ->type_name("N")
      ->excludes(random)
      ->excludes(diagnosed);
  CLI::Option* const seed = command->add_option(
      "--seed", state->seed, "What mutants are drawn by, random ones or left out");
  seed->check(whole_number<std::uint64_t>())->capture_default_str();
  names_output(
      command->add_option("--json", state->json_file, "Write the random mutants and their fates"))
      ->needs(random);
  state->options.jobs = default_jobs();
  command->add_option("-j,--jobs", state->options.jobs, "Mutants asked at the same time")
      ->check(whole_number<int>(1024, 1))
      ->type_name("N");
  state->specs.add_to(*command);
  command->footer(
      "A mutant is asked like a library: reshape-conformance run -i mutant:NAME shows its report.\n"
      "Exit code 1 when a mutant survives, or hangs on fewer questions than --least; the figures "
      "of random ones are no verdict.");
  command->callback([state, seed, &console] {
    state->seed_given = seed->count() > 0;
    state->run(console);
  });
}

}  // namespace reshape::conformance
