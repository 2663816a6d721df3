#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/oracle/ruling_of.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"
#include "fuzz/campaign/commands.h"
#include "fuzz/campaign/files.h"
#include "fuzz/input/decode.h"

namespace reshape::fuzz {
namespace {

using conformance::Clause;
using conformance::Document;
using conformance::Level;
using conformance::Request;

// How often inputs held a clause, broke it, or left its answer open.
struct Reached {
  std::array<long, 3> times{};  // by Ruling::Kind
};

// Whether the clause is about bytes or layouts, which no shape can break or show.
bool about_bytes(const std::string& clause) {
  return clause == "content.kept" || clause == "layout.may-differ" ||
         clause == "view.not-promised" || clause == "output.type";
}

class ClauseCount {
 public:
  void take(const Request& request) {
    const Document* document = conformance::built_in_suite().document(request.dialect);
    if (document == nullptr) return;
    reference::Derivation derivation;
    const Ruling ruling = conformance::ruling_of(document->dialect, request, &derivation);
    auto& clauses = reached_[request.dialect];
    const bool produces = ruling.kind == Ruling::Kind::produces;
    for (const reference::Step& step : derivation) ++clauses[step.clause].times[0];
    if (!produces) {
      // The last clause of the derivation is the one that decided, so it was not held.
      if (!derivation.empty()) --clauses[derivation.back().clause].times[0];
      ++clauses[ruling.clause].times[static_cast<std::size_t>(ruling.kind)];
      return;
    }
    if (!request.shape_only) {
      for (const char* shown : {"content.kept", "output.type"}) ++clauses[shown].times[0];
      if (request.strides || request.out_strides) ++clauses["layout.may-differ"].times[0];
      ++clauses["view.not-promised"].times[0];
    }
  }

  // Prints the clauses (`all`: also the others) that no input held, broke or left open although
  // inputs can. Returns their number.
  int tell(bool all) const {
    int missing = 0;
    int asked = 0;
    for (const Document& document : conformance::built_in_suite().documents) {
      for (const Clause& clause : document.clauses) {
        const Reached reached = of(document, clause.id);
        const bool silent = clause.level == Level::silent;
        const bool breaks = clause.breakable && !about_bytes(clause.id) && decides(clause.id);
        const bool open_missing = silent && reached.times[2] == 0;
        const bool break_missing = breaks && reached.times[1] == 0;
        const bool hold_missing = !silent && !breaks && shows(clause.id) && reached.times[0] == 0;
        ++asked;
        const bool lacks = open_missing || break_missing || hold_missing;
        missing += lacks ? 1 : 0;
        if (!all && !lacks) continue;
        std::printf("%-32s %-28s held %8ld  broken %8ld  open %8ld%s\n",
                    document.dialect.name.c_str(), clause.id.c_str(), reached.times[0],
                    reached.times[1], reached.times[2], lacks ? "  NOT REACHED" : "");
      }
    }
    std::printf("%d clauses of %zu documents, %d not reached\n", asked,
                conformance::built_in_suite().documents.size(), missing);
    return missing;
  }

 private:
  Reached of(const Document& document, const std::string& clause) const {
    const auto clauses = reached_.find(document.dialect.name);
    if (clauses == reached_.end()) return {};
    const auto found = clauses->second.find(clause);
    return found == clauses->second.end() ? Reached() : found->second;
  }
  // Whether the rules name this clause when they refuse.
  static bool decides(const std::string& clause) {
    static const std::vector<std::string> kDeciding = {
        "data.type",           "special-zero.required", "pattern.type",   "pattern.one-dimensional",
        "pattern.values",      "minus-one.once",        "zero.past-rank", "size.representable",
        "zero.with-minus-one", "minus-one.divides",     "volume.kept"};
    return std::find(kDeciding.begin(), kDeciding.end(), clause) != kDeciding.end();
  }
  // Whether a derivation or an execution names this clause when it holds.
  static bool shows(const std::string& clause) {
    return about_bytes(clause) || clause == "zero.copies" || clause == "zero.literal" ||
           clause == "minus-one.inferred" || clause == "output.shape";
  }

  std::map<std::string, std::map<std::string, Reached>> reached_;
};

// Gives `take` what each input means, up to the first that cannot be read: that is exit code 2.
template <typename Take>
bool each_request(const std::vector<std::string>& paths, Ending& ending, Take take) {
  const auto refuse = [&](const Error& why) {
    ending.exit_code = stop(2, why.text());
    return false;
  };
  const Result<std::vector<std::filesystem::path>> files = files_below(paths);
  if (!files) return refuse(files.error());
  Request request;
  for (const std::filesystem::path& file : *files) {
    const Result<Input> input = read_input(file);
    if (!input) return refuse(input.error());
    decode(*input, request);
    take(request);
  }
  return true;
}

}  // namespace

void add_show(CLI::App& app, Ending& ending) {
  CLI::App* command =
      app.add_subcommand("show", "Print the request that each input means, a line each");
  auto paths = std::make_shared<std::vector<std::string>>();
  command->add_option("inputs", *paths, "files and folders")->required();
  command->callback([paths, &ending] {
    each_request(*paths, ending, [](const Request& request) {
      std::printf("%s\n", conformance::print_line(request).c_str());
    });
  });
}

void add_clauses(CLI::App& app, Ending& ending) {
  CLI::App* command = app.add_subcommand(
      "clauses", "Say which clauses of the documents these inputs reach, and which none does");
  struct State {
    std::vector<std::string> paths;
    bool all = false;
  };
  auto state = std::make_shared<State>();
  command->add_option("inputs", state->paths, "files and folders")->required();
  command->add_flag("--all", state->all, "also the clauses that are reached");
  command->callback([state, &ending] {
    ClauseCount count;
    const auto take = [&](const Request& request) { count.take(request); };
    if (!each_request(state->paths, ending, take)) return;
    ending.exit_code = count.tell(state->all) == 0 ? 0 : 1;
  });
}

}  // namespace reshape::fuzz
