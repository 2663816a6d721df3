#include "conformance/run/replays.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "conformance/model/judge.h"
#include "conformance/run/request_parts.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using Lines = std::vector<std::string>;

// In the same plane and by the same watch: another fault is another failure.
bool fails_as(const CaseResult& before, const CaseResult& now) {
  if (!now.failed() || before.verdict.faults.empty()) return now.failed();
  const Fault& fault = before.verdict.faults.front();
  return std::any_of(now.verdict.faults.begin(), now.verdict.faults.end(), [&](const Fault& other) {
    return other.plane == fault.plane && other.watch == fault.watch;
  });
}

// Whether `failed` fails again in a fresh process that was asked `lines` before.
bool fails_after(const Lines& lines, const CaseResult& failed, const Suite& suite,
                 const StartAdapter& start, const std::function<bool()>& enough) {
  const Result<std::unique_ptr<Adapter>> adapter = start();
  if (!adapter) return false;
  for (const std::string& line : lines) {
    if (enough()) return false;
    if (const Result<Request> request = parse_line(line)) (*adapter)->ask(*request);
  }
  return fails_as(failed, ask(suite, *failed.asked, **adapter));
}

// Few requests before are made as much like the failing one as they can be: what then still differs is what
// the implementation confuses.
Lines alike(Lines lines, const Request& request, const std::function<bool(const Lines&)>& fails,
            const std::function<bool()>& enough) {
  constexpr std::size_t kFew = 3;
  for (std::size_t at = 0; at < lines.size() && lines.size() <= kFew; ++at) {
    const Result<Request> before = parse_line(lines[at]);
    if (!before) continue;
    const auto holds = [&](const Request& tried) {
      Lines other = lines;
      other[at] = print_line(tried);
      return fails(other);
    };
    lines[at] = print_line(made_alike(*before, request, holds, enough));
  }
  return lines;
}

// Where many requests are needed, the number of calls may be what matters: then the request itself asked so
// often does it, and as seldom as does it is looked for.
std::optional<Lines> asked_often(const Request& request, std::size_t most,
                                 const std::function<bool(const Lines&)>& fails,
                                 const std::function<bool()>& enough) {
  constexpr std::size_t kFew = 3;
  const std::string line = print_line(request);
  if (most <= kFew || !fails(Lines(most, line))) return std::nullopt;
  std::size_t too_few = 0;
  while (most - too_few > 1 && !enough()) {
    const std::size_t middle = too_few + (most - too_few) / 2;
    (fails(Lines(middle, line)) ? most : too_few) = middle;
  }
  return Lines(most, line);
}

// Of one that passes alone: after what it fails. It is looked for until `enough`, and what is found is made sure
// of until `over`.
Replays replays_after(const CaseResult& failed, const Suite& suite, const StartAdapter& start,
                      const std::function<bool()>& enough, const std::function<bool()>& over) {
  const Replays unknown{Replays::How::not_alone, {}};
  if (!failed.before.lines) return unknown;
  const auto fails = [&](const Lines& lines) {
    return fails_after(lines, failed, suite, start, enough);
  };
  const auto begin = failed.before.lines->begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(failed.before.count);
  // Mostly what came directly before is to blame, so longer and longer ends are tried before all of it.
  for (std::ptrdiff_t length = 1; !enough(); length = std::min(length * 8, end - begin)) {
    Lines lines(end - std::min(length, end - begin), end);
    if (fails(lines)) {
      if (std::optional<Lines> often =
              asked_often(failed.asked->request, lines.size(), fails, enough)) {
        lines = *std::move(often);
      } else {
        lines = fewest(std::move(lines), fails, enough);
        lines = alike(std::move(lines), failed.asked->request, fails, enough);
      }
      // What fails by chance now and then did so while it was looked at.
      const auto surely = [&] { return fails_after(lines, failed, suite, start, over); };
      if (surely() && surely()) return {Replays::How::after, std::move(lines)};
      return over() ? unknown : Replays{Replays::How::not_again, {}};
    }
    if (length >= end - begin) break;
  }
  return enough() ? unknown : Replays{Replays::How::not_again, {}};
}

}  // namespace

std::vector<std::string> fewest(Lines lines, const std::function<bool(const Lines&)>& fails,
                                const std::function<bool()>& enough) {
  std::size_t parts = 2;
  while (lines.size() > 1 && !enough()) {
    parts = std::min(parts, lines.size());
    bool fewer = false;
    for (std::size_t part = 0; part < parts && !fewer && !enough(); ++part) {
      const std::size_t from = lines.size() * part / parts;
      const std::size_t to = lines.size() * (part + 1) / parts;
      Lines rest(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(from));
      rest.insert(rest.end(), lines.begin() + static_cast<std::ptrdiff_t>(to), lines.end());
      if (!fails(rest)) continue;
      lines = std::move(rest);
      parts = std::max<std::size_t>(parts - 1, 2);
      fewer = true;
    }
    if (!fewer && parts == lines.size()) break;
    if (!fewer) parts *= 2;
  }
  return lines;
}

std::string how_alike_before(const Replays& replays, const Request& request) {
  if (replays.lines.size() != 1) return "";
  const Result<Request> before = parse_line(replays.lines.front());
  return before ? how_alike(*before, request) : "";
}

bool after_itself(const Replays& replays, const Request& request) {
  const std::string line = print_line(request);
  return replays.lines.size() > 1 &&
         std::ranges::all_of(replays.lines, [&](const auto& one) { return one == line; });
}

void look_how_they_replay(const StartAdapter& start, const Bounds& bounds, double seconds,
                          const Suite& suite, std::span<CaseResult* const> failed) {
  const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(seconds));
  const auto over = [&](Clock::time_point time) { return Clock::now() > time || bounds.reached(); };
  std::vector<CaseResult*> not_alone;
  for (CaseResult* one : failed) {
    if (over(end)) break;
    if (fails_after({}, *one, suite, start, [&] { return over(end); })) {
      one->replays.how = Replays::How::alone;
    } else {
      one->replays.how = Replays::How::not_alone;
      not_alone.push_back(one);
    }
  }
  for (std::size_t at = 0; at < not_alone.size() && !over(end); ++at) {
    // Each has its share of the time, so that the first does not take it all.
    const auto left = static_cast<Clock::duration::rep>(not_alone.size() - at);
    const Clock::time_point now = Clock::now();
    const Clock::duration share = (end - now) / left;
    not_alone[at]->replays = replays_after(
        *not_alone[at], suite, start, [&] { return over(now + share / 2); },
        [&] { return over(now + share); });
  }
}

}  // namespace reshape::conformance
