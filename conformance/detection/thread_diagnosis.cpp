#include "conformance/detection/thread_diagnosis.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "conformance/detection/ask_ledger.h"
#include "conformance/property/laws/answers.h"
#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

using Clock = std::chrono::steady_clock;
using Start = std::function<Result<std::unique_ptr<Adapter>>()>;

constexpr const char* kOnOneThread = "loaded-here-run-there";  // makes no calls at the same time

bool is_about_threads(const LawResult& law) {
  constexpr const char* kLaws[] = {kOnOneThread, "two-at-once", "odd-threads", "different-at-once"};
  return std::ranges::find(kLaws, law.name) != std::end(kLaws);
}

// The answers on the thread that loaded the library (only where requested) and on another one, in a
// fresh process. Nothing where the machine refuses, or there is no other thread.
struct Answers {
  std::optional<Outcome> here, there;
};

Answers asked(const Start& start, const Request& request, bool here, bool there) {
  Answers answers;
  const Result<std::unique_ptr<Adapter>> adapter = start();
  if (!adapter) return answers;
  const auto keep = [](Outcome outcome) {
    const bool tells = outcome.kind != Outcome::Kind::not_asked && !outcome.kept_from_it;
    return tells ? std::optional(std::move(outcome)) : std::nullopt;
  };
  if (here) answers.here = keep((*adapter)->ask(request));
  if (!there || (here && (!answers.here || died(*answers.here)))) return answers;
  std::vector<Outcome> other = (*adapter)->ask_together({request}, 1);
  if (!other.empty()) answers.there = keep(std::move(other.front()));
  return answers;
}

// How the answers to one request differ between the threads; empty where they do not. Nothing where
// not everything could be asked, or answers vary on a single thread: then they say nothing of two.
std::optional<std::string> seen_with(const Start& start, const Request& request) {
  const Answers here = asked(start, request, true, false);
  const Answers there = asked(start, request, false, true);
  const Answers both = asked(start, request, true, true);
  if (!here.here || !there.there || !both.here || !both.there) return std::nullopt;
  if (laws::difference(*here.here, *both.here)) return std::nullopt;
  if (const auto differs = laws::difference(*here.here, *there.there)) {
    return "a thread that did not load the library is answered otherwise, with no other call at "
           "the same time: " +
           *differs;
  }
  if (const auto differs = laws::difference(*here.here, *both.there)) {
    return "after a request on the thread that loaded the library, the same on another thread is "
           "answered otherwise, with no other call at the same time: " +
           *differs;
  }
  return "";
}

}  // namespace

std::vector<ThreadFinding> where_threads_differ(std::span<const LawResult> laws, const Start& start,
                                                double seconds) {
  constexpr std::size_t kMostRequests = 3;  // of one law
  const Clock::time_point end = Clock::now() + time_of(seconds);
  std::vector<ThreadFinding> found;
  for (const LawResult& law : laws) {
    if (!law.fails() || law.undecided || !is_about_threads(law)) continue;
    std::vector<std::string> lines;
    for (const std::string& line : law.lines) {
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    }
    ThreadFinding finding{{law.name}, "", ""};
    bool asked_all = !lines.empty() && lines.size() <= kMostRequests;
    for (std::size_t at = 0; at < std::min(lines.size(), kMostRequests); ++at) {
      const Result<Request> request = parse_line(lines[at]);
      if (!request || Clock::now() > end) {
        asked_all = false;
        break;
      }
      const std::optional<std::string> seen = seen_with(start, *request);
      asked_all &= seen.has_value();
      finding.says = seen.value_or("");
      finding.line = lines[at];
      if (!finding.says.empty()) break;
    }
    if (finding.says.empty()) {
      // If it does not show in a fresh process, earlier requests may be the cause.
      if (!asked_all || law.input.empty() || law.name == kOnOneThread) continue;
      finding.line.clear();
      finding.says =
          "each of its requests, asked with no other call at the same time, is answered alike on "
          "the thread that loaded the library and on another";
    }
    const auto same = std::ranges::find(found, finding.says, &ThreadFinding::says);
    if (same == found.end()) {
      found.push_back(std::move(finding));
    } else {
      same->laws.push_back(law.name);
    }
  }
  return found;
}

}  // namespace reshape::conformance
