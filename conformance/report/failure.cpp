#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "conformance/model/another_shape.h"
#include "conformance/report/report.h"
#include "conformance/report/sections.h"
#include "conformance/run/replays.h"
#include "conformance/run/wrong_in_common.h"
#include "conformance/text/counted.h"
#include "conformance/text/line.h"
#include "conformance/text/shell_word.h"

namespace reshape::conformance {
namespace {

// A long message shortened to one line: its beginning, and its last line, which usually says most.
std::string shortened(const std::string& value) {
  constexpr std::size_t kLong = 400;
  if (value.size() <= kLong) return value;
  const std::size_t end = value.find_last_not_of("\n )");
  const std::size_t newline = end == std::string::npos ? end : value.rfind('\n', end);
  const std::string first = value.substr(0, std::min(value.find('\n'), kLong / 2));
  const std::string last = newline == std::string::npos
                               ? value.substr(value.size() - kLong / 2)
                               : value.substr(newline + 1).substr(0, kLong);
  return first + " ... " + last;
}

void add_line(std::string& text, const char* label, const std::string& value) {
  if (!value.empty()) text += fmt::format("      {:<9} {}\n", label, printable(value));
}

// All faults but the first: of each further watch the first, and then the others.
std::vector<const Fault*> other_faults(const Verdict& verdict) {
  if (verdict.faults.empty()) return {};
  std::set<CaughtBy> watches{verdict.faults.front().watch};
  std::vector<const Fault*> first, rest;
  for (const Fault& one : std::span(verdict.faults).subspan(1)) {
    (watches.insert(one.watch).second ? first : rest).push_back(&one);
  }
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

std::string where(const Fault& fault) {
  std::string form = std::string(name(fault.plane)) + " plane";
  if (const std::string clause = fault.broken_clause(); !clause.empty())
    form += ", clause " + clause;
  if (fault.duty != Duty::none) form += std::string(", duty ") + name(fault.duty);
  return form;
}

constexpr std::size_t kMostBefore = 12;  // requests in a line for people

// What a failure needs that does not occur when its request is asked alone.
std::string needed_before(const Replays& replays, const Request& request) {
  const std::size_t before = replays.lines.size();
  if (!replays.says.empty()) return replays.says;
  switch (replays.how) {
    case Replays::How::not_looked_at:
    case Replays::How::alone: return "";
    case Replays::How::after:
      if (before == 1 && after_itself(replays, request)) {
        return "only when it has been asked before in the same process";
      }
      if (before == 1) {
        const std::string alike = how_alike_before(replays, request);
        return "only after another request in the same process" +
               (alike.empty() ? "" : ", one " + alike);
      }
      if (after_itself(replays, request)) {
        return fmt::format("only when it has been asked {} times in the same process", before);
      }
      return fmt::format(
          "only after {} other requests in the same process{}", before,
          before > kMostBefore ? ", which the command under 'replay' of the JSON report asks" : "");
    case Replays::How::not_again:
      return "it passes alone in a fresh process, and after all that was asked before it";
    case Replays::How::not_alone:
      return "it passes alone in a fresh process; after what it fails was not found in the time "
             "for that";
    case Replays::How::at_times: return kFailsAtTimes;
    case Replays::How::in_doubt: return "not tried; others pass alone in a fresh process";
  }
  return "";
}

// How to reproduce a failure that does not occur in the same way when its request is asked alone.
std::string how_again(const Replays& replays, const Request& request) {
  if (replays.alone.empty()) return needed_before(replays, request);
  const std::string alone =
      "alone in a fresh process it fails in another way: " + shortened(replays.alone);
  const bool after = replays.how == Replays::How::after;
  return after ? needed_before(replays, request) + "; " + alone : alone;
}

// Whether the command that replays a failure shows one.
bool shows_again(const CaseResult& result) {
  const Replays& replays = result.replays;
  using How = Replays::How;
  if (replays.how == How::not_again || replays.how == How::not_alone) return false;
  return replays.lines.size() <= kMostBefore || after_itself(replays, result.asked->request);
}

// The counts of laws that do not hold.
struct LawCounts {
  std::size_t broken = 0, undecided = 0, known = 0;
};

LawCounts count_laws(const Report& run) {
  LawCounts counts;
  for (const LawResult& law : run.laws) {
    if (law.holds()) continue;
    ++(!law.fails() ? counts.known : law.undecided ? counts.undecided : counts.broken);
  }
  return counts;
}

// The counts of a run that conforms: ": 5 planned = 5 executed + 0 skipped, 5 pass, 3 laws hold".
std::string what_holds(const Report& run, const Tally& all, const LawCounts& laws,
                       const std::string& sum) {
  std::string text;
  if (all.planned > 0) text = fmt::format(", {}, {} pass", sum, all.pass);
  if (all.mistrusted > 0) text += fmt::format(", {} mistrusted", all.mistrusted);
  if (!run.laws.empty()) {
    std::vector<std::string> unasked;
    for (const LawResult& law : run.laws) {
      if (law.holds() && law.tried == 0) unasked.push_back(law.name);
    }
    const std::size_t hold = run.laws.size() - laws.undecided - unasked.size() - laws.known;
    text += fmt::format(", {} {}", hold, hold == 1 ? "law holds" : "laws hold");
    if (laws.undecided > 0) text += fmt::format(", {} undecided", laws.undecided);
    if (!unasked.empty()) {
      constexpr std::size_t kMostNamed = 3;
      text += fmt::format(" and {} could not be asked", unasked.size());
      if (unasked.size() <= kMostNamed) text += fmt::format(" ({})", fmt::join(unasked, ", "));
    }
  }
  if (run.exhaustive) {
    text += fmt::format(", {} requests of the bounded-exhaustive run", run.exhaustive->requests);
  }
  if (!text.empty()) text.replace(0, 2, ": ");
  return text;
}

// The reasons why a run does not conform: "2 failed, 1 passed against the baseline, 1 law broken".
std::string what_is_wrong(const Report& run, const Tally& all, const LawCounts& laws) {
  std::map<Known, int> known;
  std::map<std::string, int> expired;  // by day and owner
  for (const CaseResult& result : run.cases) {
    ++known[result.known];
    if (result.known == Known::expired) ++expired[result.known_until];
  }
  std::string reasons;
  const auto add = [&](auto count, const std::string& one, const std::string& several) {
    if (count == 0) return;
    reasons +=
        fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, count == 1 ? one : several);
  };
  const auto say = [&](auto count, const std::string& what) { add(count, what, what); };
  say(all.fail - all.known - known[Known::differs] - known[Known::expired], "failed");
  constexpr std::size_t kMostDays = 3;
  std::size_t days = 0;
  for (const auto& [until, count] : expired) {
    if (++days > kMostDays) break;
    say(count, "failed, known until " + printable(until));
  }
  say(expired.size() > kMostDays ? expired.size() - kMostDays : 0, "days more that are over");
  say(known[Known::differs], "failed not as the baseline says");
  say(known[Known::passes], "passed against the baseline");
  say(known[Known::skipped], "known to fail but not executed");
  add(run.baseline_faults.size(), "fault of the baseline", "faults of the baseline");
  add(std::ranges::count_if(run.unasked, &UnaskedClause::red), "clause not asked",
      "clauses not asked");
  add(std::ranges::count(run.at_first_use, false, &ProcessFault::waived), "fault of each process",
      "faults of each process");
  add(laws.broken, "law broken", "laws broken");
  const auto undecided = std::ranges::count_if(
      run.laws, [&](const LawResult& law) { return law.undecided && run.is_red(law); });
  add(undecided, "law undecided", "laws undecided");
  if (run.exhaustive) {
    say(run.exhaustive->faults, "wrong answers in the bounded-exhaustive run");
    say(run.exhaustive->stopped.empty() ? 0 : 1, "bounded-exhaustive run cut short");
  }
  return reasons;
}

}  // namespace

std::string handed_over(const CaseResult& result, const Fault& fault) {
  const Ruling& right = result.asked->expect;
  // The answer already names an output of another shape.
  if (fault.duty == Duty::C20) return "";
  if (fault.probe.empty() || right.kind != Ruling::Kind::produces) return "";
  if (asks_another_shape(fault.probe)) {
    const bool has_strides = fault.probe.find(" strides=explicit") != std::string::npos;
    return text(another_shape(right.shape)) + (has_strides ? ", with strides" : ", dense") +
           ", which is to be refused";
  }
  if (fault.probe.starts_with("ask=view ")) return text(right.shape) + ", strides left to view";
  const Request& request = result.asked->request;
  const std::string offset =
      request.out_offset == 0 ? "" : fmt::format(" offset={}", request.out_offset);
  return text(right.shape) +
         (request.out_strides ? fmt::format(" strides=[{}]", fmt::join(*request.out_strides, ","))
                              : ", dense") +
         offset;
}

std::string failure_text(const Report& run, const CaseResult& result) {
  const std::string line = print_line(result.asked->request);
  if (result.verdict.faults.empty()) return "";
  const Fault& fault = result.verdict.faults.front();
  std::string text = fmt::format("FAIL  {:<55} {}\n", result.asked->id, where(fault));
  // The dialect is left out where the id already begins with it.
  const std::string dialect = result.asked->request.dialect + " ";
  add_line(text, "asked",
           result.asked->id.starts_with(result.asked->request.dialect + "/")
               ? line.substr(dialect.size())
               : line);
  const bool about_the_answer = fault.watch == CaughtBy::shape || fault.watch == CaughtBy::process;
  // For an open point `expected` already lists what the document permits.
  const bool is_open = result.asked->expect.kind == Ruling::Kind::unspecified;
  add_line(
      text, "expected",
      about_the_answer && !is_open && !result.because.empty() && result.because != fault.expected
          ? fault.expected + ": " + result.because
          : fault.expected);
  add_line(text, "answered", shortened(fault.answered));
  if (result.wrong && fault.watch == CaughtBy::bytes)
    add_line(text, "wrong", reshape::conformance::text(*result.wrong));
  // An answer that is another request's is wrong in no way of its own.
  const bool of_another = result.replays.says.find(kItsAnswer) != std::string::npos;
  if (result.wrong_shape && is_about_sizes(fault) && !of_another)
    add_line(text, "wrong", result.wrong_shape->says);
  if (const CrashFrame* frame = result.verdict.frame()) {
    add_line(text, "frame", reshape::conformance::text(*frame, run.options.library));
  }
  add_line(text, "output", handed_over(result, fault));
  if (fault.watch != CaughtBy::shape) add_line(text, "watch", name(fault.watch));
  add_line(text, "probe", probe_in_words(fault.probe));
  constexpr std::size_t kAlso = 3;
  const std::vector<const Fault*> others = other_faults(result.verdict);
  for (std::size_t index = 0; index < std::min(kAlso, others.size()); ++index) {
    const Fault& other = *others[index];
    add_line(text, "also", where(other) + ", watch " + name(other.watch) + ": " + other.answered);
  }
  if (others.size() > kAlso) {
    add_line(text, "also", fmt::format("{} more", others.size() - kAlso));
  }
  if (result.known == Known::differs) {
    add_line(text, "baseline", "known to fail, but differently: " + result.known_reason);
  }
  if (result.known == Known::expired) add_line(text, "baseline", result.known_reason);
  add_line(text, "again", how_again(result.replays, result.asked->request));
  add_line(text, "replay",
           shows_again(result) ? replay_command(run, result) : whole_run_command(run));
  add_line(text, "explain", explain_command(run, result));
  return text;
}

std::string whole_run_command(const Report& run) {
  std::string command = "reshape-conformance run -i " + shell_word(run.options.library) +
                        (run.cases.empty() ? " --laws" : "") + options_that_choose(run.options) +
                        specs_option(run.options);
  for (const std::string& waived : run.options.waived) {
    command += " --waive " + shell_word(waived);
  }
  return run.options.in_process ? command + " --in-process" : command;
}

std::string replay_command(const Report& run, const CaseResult& result) {
  const std::string line = print_line(result.asked->request);
  const std::vector<std::string>& lines = result.replays.lines;
  std::string before;
  if (after_itself(result.replays, result.asked->request)) {
    before = fmt::format("--times {} ", lines.size() + 1);
  } else {
    for (const std::string& asked : lines) before += shell_word(asked) + ' ';
  }
  return fmt::format("reshape-conformance replay {}{} -i {}{}", before, shell_word(line),
                     shell_word(run.options.library), specs_option(run.options));
}

std::string explain_command(const Report& run, const CaseResult& result) {
  // `explain` only knows the cases of the suite.
  if (result.asked->file.empty()) return "";
  return "reshape-conformance explain " + result.asked->id + specs_option(run.options);
}

std::string conclusion(const Report& run) {
  const Tally all = tallies(run).all;
  const LawCounts laws = count_laws(run);
  const std::string sum = fmt::format("{} planned = {} executed + {} skipped", all.planned,
                                      all.executed, all.planned - all.executed);
  const std::string who = printable(run.capabilities.name + " " + run.capabilities.version);
  if (run.library_changed) {
    return fmt::format("{} cannot be judged: the file {} changed while it was asked: {}", who,
                       printable(run.options.library), sum);
  }
  if (!run.executed() && laws.broken + laws.undecided == 0) {
    // Such a run is no pass, and it does not conform if a binding clause was skipped.
    const auto red = std::ranges::count_if(run.unasked, &UnaskedClause::red);
    return "nothing was executed" +
           (red == 0 ? ""
                     : " and " + counted(static_cast<std::size_t>(red), "clause") + " not asked") +
           ": " + sum;
  }
  if (!run.conforming()) {
    return fmt::format("{} does not conform: {}; {}{}", who, what_is_wrong(run, all, laws), sum,
                       run.complete() ? "" : ", " + run.cut_short);
  }
  if (!run.complete()) {
    return fmt::format("{} was not asked everything, {}: {}, {} pass", who, run.cut_short, sum,
                       all.pass);
  }
  // "conforms" alone would hide known failures.
  const std::size_t known = static_cast<std::size_t>(all.known) + laws.known;
  return who + " conforms" + (known == 0 ? "" : ", apart from " + counted(known, "known failure")) +
         what_holds(run, all, laws, sum);
}

std::string options_that_choose(const RunOptions& options) {
  std::string words;
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      words += std::string(" ") + option + " " + shell_word(value);
    }
  };
  if (!options.tier.empty()) add("--tier", {options.tier});
  add("--dialect", options.dialects);
  add("--filter", options.filters);
  add("--clause", options.clauses);
  add("--type", options.types);
  if (!options.shard.empty()) words += " --shard " + options.shard;
  return words;
}

std::string mending_command(const Report& run) {
  // A run that was cut short would be mended by half of its answers.
  if (run.options.baseline.empty() || !run.complete()) return "";
  // No command mends an expired entry: a person has to decide how long it is accepted.
  bool needed =
      !run.baseline_faults.empty() || std::ranges::any_of(run.laws, [&](const LawResult& law) {
        return run.is_red(law) && law.known_until.empty();
      });
  for (const CaseResult& result : run.cases) {
    if (result.known == Known::expired) continue;
    needed |= result.known == Known::none ? result.failed() : result.known != Known::failure;
  }
  if (!needed) return "";
  std::string command = "reshape-conformance run -i " + shell_word(run.options.library) +
                        options_that_choose(run.options) + specs_option(run.options);
  if (run.options.in_process) command += " --in-process";
  return command + " --baseline " + shell_word(run.options.baseline) + " --mend-baseline";
}

}  // namespace reshape::conformance
